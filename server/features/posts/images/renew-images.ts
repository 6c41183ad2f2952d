import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { inDecodeQueue } from "#server/features/posts/images/decode-queue.ts";
import { renderInDecoder } from "#server/features/posts/images/decoder.ts";
import {
  addWidth,
  imagesAfter,
  keysInUse,
  type SizedImage,
} from "#server/features/posts/images/images.queries.ts";
import { variantSizes, type Size } from "#server/features/posts/images/variants.ts";
import { withOriginal } from "#server/features/posts/images/with-original.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isRefusal } from "#shared/errors.ts";

type Deps = {
  db: Database;
  store: Pick<ImageStore, "openOriginal" | "add" | "remove">;
  dataDir: string;
};

/** Images by outcome. */
export type Renewed = { looked: number; renewed: number; faults: number };

type Callbacks = {
  /** an image that stays as it is, and why */
  onFault: (fault: { key: string; why: string }) => void;
  /** after every page of rows; `key` is the last one */
  onProgress?: (renewed: Renewed, key: string) => void;
};

const pageSize = 50;

/**
 * Makes the widths that images of before do not have, from their originals, while servers show the others. A
 * file is there before its row names it, so it can be interrupted at any moment and started again, from
 * `after` on. What a store throws that cannot be reached ends it.
 */
export async function renewImages(
  deps: Deps,
  { onFault, onProgress }: Callbacks,
  after = "",
): Promise<Renewed> {
  const result: Renewed = { looked: 0, renewed: 0, faults: 0 };
  for (let key = after; ;) {
    const page = await imagesAfter(deps.db, key, pageSize);
    for (const image of page) {
      result.looked += 1;
      const why = await renew(deps, image, result);
      if (why === null) continue;
      result.faults += 1;
      onFault({ key: image.key, why });
    }
    key = page.at(-1)?.key ?? key;
    if (page.length > 0) onProgress?.(result, key);
    if (page.length < pageSize) return result;
  }
}

/** Null, or why nothing could be made of the image. */
async function renew(deps: Deps, image: SizedImage, result: Renewed): Promise<string | null> {
  const missing = variantSizes(image).filter(({ width }) => !image.widths.includes(width));
  if (missing.length === 0) return null;
  try {
    const made = await withOriginal(deps, image.key, async (path) => {
      for (const size of missing) await make(deps, image, { path, size });
      return true;
    });
    if (!made) return "its original is missing: see check-pictures";
    result.renewed += 1;
    return null;
  } catch (error) {
    if (isRefusal(error)) return error.message;
    throw error;
  }
}

async function make(
  { db, store }: Deps,
  image: SizedImage,
  { path, size }: { path: string; size: Size },
): Promise<void> {
  const { key } = image;
  const bytes = await inDecodeQueue("background", (turn) =>
    renderInDecoder("renderVariant", path, turn, size),
  );
  await store.add(key, { width: size.width, type: "webp", bytes });
  // Deleted, or under another key meanwhile.
  if (await addWidth(db, image, size.width)) return;
  if (!(await keysInUse(db, [key])).has(key)) await store.remove([key]);
}
