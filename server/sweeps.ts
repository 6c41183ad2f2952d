import type { Logger } from "pino";
import type { Features } from "#server/features/index.ts";

/** How often expired sessions and abandoned uploads are looked for, in milliseconds. */
const EVERY_MS = 15 * 60_000;
/** The first look waits until the start is over. */
const FIRST_MS = 60_000;

type Deps = {
  features: Pick<Features, "identity" | "images" | "search" | "exports" | "deletion">;
  log: Pick<Logger, "error">;
};

/** Removes from time to time what nobody needs any more; returns how to stop it. */
export function startSweeps({ features, log }: Deps): () => void {
  const sweep = async () => {
    const { identity, images, search, exports, deletion } = features;
    for (const work of [
      identity.sweep,
      images.sweep,
      search.sweep,
      exports.sweep,
      deletion.sweep,
    ]) {
      await work().catch((error: unknown) => log.error({ err: error }, "a sweep failed"));
    }
  };
  const first = setTimeout(sweep, FIRST_MS).unref();
  const later = setInterval(sweep, EVERY_MS).unref();
  return () => {
    clearTimeout(first);
    clearInterval(later);
  };
}
