import { randomUUIDv7 } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { Logger } from "pino";
import type { ImageStore, VariantType } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { keysInUse } from "#server/features/posts/images/images.queries.ts";
import {
  findGated,
  switchKey,
  type GatedImage,
} from "#server/features/posts/images/new-keys.queries.ts";
import { contentAddress } from "#server/features/posts/images/receive.ts";
import { withOriginal } from "#server/features/posts/images/with-original.ts";
import type { Jobs } from "#server/platform/jobs.ts";

type Deps = {
  db: Database;
  store: Pick<ImageStore, "put" | "add" | "open" | "openOriginal" | "remove">;
  jobs: Jobs;
  dataDir: string;
  log: Pick<Logger, "warn">;
};

/** What a job says: published, other versions may read it. */
type Narrowed = { keys: string[] };

const job = "new-picture-keys";
/**
 * Pages that were opened a moment ago still name the old addresses, milliseconds. Who may not see the post is
 * refused there from its edit on.
 */
const graceMs = 60_000;

/**
 * Gives the photos of a post that is no longer for everyone new files under new keys, so that the addresses
 * that everybody may have kept lead nowhere, whoever reads the store. A kill leaves at most files that no
 * row names, which the sweep or the next run removes.
 */
export function createNewKeys(deps: Deps) {
  const { db, store, jobs } = deps;
  jobs.handle<Narrowed>(job, async ({ keys }, { signal }) => {
    const failed: unknown[] = [];
    for (const key of keys) {
      if (signal.aborted) throw signal.reason;
      await renew(deps, key).catch((error: unknown) => failed.push(error));
    }
    const used = await keysInUse(db, keys);
    await store.remove(keys.filter((key) => !used.has(key)));
    if (failed.length > 0) throw failed[0];
  });

  return {
    /** Schedules it for images that were everybody's, in the caller's transaction. */
    begin: async (keys: readonly string[]): Promise<void> => {
      if (keys.length === 0) return;
      const narrowed: Narrowed = { keys: [...keys] };
      await jobs.add(job, narrowed, { after: new Date(Date.now() + graceMs) });
    },
  };
}

/** Does nothing for an image that has a new key already, is gone, or is everybody's again. */
async function renew(deps: Deps, key: string): Promise<void> {
  for (;;) {
    const image = await findGated(deps.db, key);
    if (!image) return;
    const renewed = await copy(deps, image);
    try {
      // Not where other variants were made of it meanwhile, or it was deleted.
      if (await switchKey(deps.db, image, renewed)) return;
    } catch (error) {
      // It may have been written all the same: then the sweep decides.
      deps.log.warn({ err: error, key }, "a photo may have new files or not");
      throw error;
    }
    await deps.store.remove([renewed.key]);
  }
}

/** Its files under a new key. */
async function copy({ store, dataDir }: Deps, image: GatedImage) {
  const read = async (width: number, type: VariantType) => {
    const found = await store.open(image.key, width, type);
    if (!found) throw new Error(`a file of ${image.key} is missing: see check-pictures`);
    return { width, type, bytes: await buffer(found.read()) };
  };
  const copied = await withOriginal({ store, dataDir }, image.key, async (path) => {
    const keyId = randomUUIDv7();
    const key = await contentAddress(keyId, path);
    const variants = [];
    for (const width of image.widths) variants.push(await read(width, "webp"));
    await store.put(key, { variants, original: path });
    for (const width of image.avifWidths ?? []) await store.add(key, await read(width, "avif"));
    if (image.movingWidth !== null) await store.add(key, await read(image.movingWidth, "moving"));
    return { key, keyId };
  });
  if (!copied) throw new Error(`the original of ${image.key} is missing: see check-pictures`);
  return copied;
}
