import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";

/** More files without rows than interrupted uploads could explain. */
const mostOrphans = 100;

type Deps = {
  store: Pick<ImageStore, "list">;
  /** those of some keys that a row names */
  named: (keys: readonly string[]) => Promise<ReadonlySet<string>>;
  log: Pick<Logger, "warn">;
};

/**
 * Keys stored before a moment that no row names. Crashes leave a few; when most of the store has no rows
 * this is the wrong database, and then nothing is an orphan.
 */
export async function findOrphans({ store, named, log }: Deps, before: Date): Promise<string[]> {
  const orphans: string[] = [];
  let known = 0;
  for await (const keys of store.list(before)) {
    const used = await named(keys);
    known += used.size;
    orphans.push(...keys.filter((key) => !used.has(key)));
  }
  if (orphans.length > mostOrphans && orphans.length > known) {
    log.warn(
      { orphans: orphans.length, known },
      "most stored images are unknown to this database; none was removed",
    );
    return [];
  }
  return orphans;
}
