import { isImageKey } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { findServed, type Served } from "#server/features/posts/images/served-images.queries.ts";
import type { AskingAccount, Credentials } from "#server/features/types.ts";
import { largeSize } from "#shared/large-images.ts";

export type Wanted = number | "large" | "moving";

type Deps = { db: Database; kinds?: readonly AskingAccount[] };

/** Says nothing of who asks. */
export const visitor: Credentials = { tokenHash: null, holder: null };

/**
 * Whether a variant is served to who asks: `withdrawn`, to moderators only, while its account is suspended or
 * leaving; `gated`, to who may see its post, which is not for everyone; and whether it exists as AVIF, too.
 * Null for what is not there for them. One prepared query. `large` is all of the original's pixels
 * (large-images.ts), or the largest variant where that has them; `moving`, all frames of an animated one.
 */
export async function findImage(
  { db, kinds = [] }: Deps,
  key: string,
  wanted: Wanted,
  credentials: Credentials,
) {
  const served = isImageKey(key) ? await findServed(db, key, { credentials, kinds }) : null;
  // Moderators have what was reported in its case; beyond that they see what everybody saw.
  if (!served || !(served.allowed || (served.withdrawn && !served.gated))) return null;
  const variant = variantOf(served, wanted);
  return variant && { ...variant, withdrawn: served.withdrawn, gated: served.gated };
}

function variantOf(served: Served, wanted: Wanted): { width: number; avif: boolean } | null {
  const { widths, avifWidths, movingWidth } = served;
  if (wanted === "moving") return movingWidth === null ? null : { width: movingWidth, avif: false };
  if (wanted === "large") {
    const width = largeSize(served)?.width ?? widths.at(-1);
    return width === undefined ? null : { width, avif: false };
  }
  if (!widths.includes(wanted)) return null;
  return { width: wanted, avif: avifWidths?.includes(wanted) ?? false };
}
