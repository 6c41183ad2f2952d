import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { AfterBatch } from "#server/features/in-batches.ts";
import {
  deleteImageRows,
  deleteUnclaimed,
  keysInUse,
  imageKeys,
} from "#server/features/posts/images/images.queries.ts";
import { findOrphans } from "#server/features/posts/images/orphans.ts";

/** Images of one step of a deletion. */
const imagesAtOnce = 50;

/** How long an image may be unused before the sweep removes it, milliseconds. */
export const unclaimedForMs = 60 * 60 * 1000;

type Deps = { db: Database; store: ImageStore; log: Pick<Logger, "info" | "warn"> };

/**
 * Every image of an account that is being deleted, once no post needs it; files are deleted before their
 * rows.
 */
export async function removeAllOf(
  { db, store }: Pick<Deps, "db" | "store">,
  accountId: string,
  afterBatch: AfterBatch,
): Promise<void> {
  const batch = { accountId, limit: imagesAtOnce };
  for (;;) {
    const keys = await imageKeys(db, batch);
    if (keys.length === 0) return;
    await store.remove(keys);
    await deleteImageRows(db, accountId, keys);
    afterBatch();
  }
}

/**
 * Removes unused files: uploads never claimed, files without a row (left by a process that died between the
 * two) and half-written files, each once it is an hour old.
 */
export async function sweep(
  { db, store, log }: Deps,
  now = new Date(),
): Promise<{ unclaimed: number; orphans: number }> {
  const before = new Date(now.getTime() - unclaimedForMs);
  const unclaimed = await deleteUnclaimed(db, before, now);
  await store.remove(unclaimed);
  const named = (keys: readonly string[]) => keysInUse(db, keys);
  const orphans = await findOrphans({ store, named, log }, before);
  await store.remove(orphans);
  await store.clean(before);
  const removed = { unclaimed: unclaimed.length, orphans: orphans.length };
  if (removed.unclaimed + removed.orphans > 0) log.info(removed, "unused images were removed");
  return removed;
}
