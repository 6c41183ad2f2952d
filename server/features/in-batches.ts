import type { Database } from "#server/platform/db/database.ts";

/** Rows of an account that is being deleted, at most `limit` at once. */
export type Batch = { accountId: string; limit: number };

/** Rows of one transaction: it takes a fraction of a second, so nobody waits long for a deletion. */
export const rowsAtOnce = 500;

/** Called after each batch that found something; throws where the deletion should stop. */
export type AfterBatch = () => void;

/**
 * Deletes what a feature stores for an account, until nothing is left. `remove` deletes a batch of rows,
 * corrects the counters of those rows in the same transaction, and returns how many rows it found. Locks are
 * taken in the usual order: counters of accounts by id, then posts by key (see docs/decisions/0022).
 */
export async function inBatches(
  db: Database,
  afterBatch: AfterBatch,
  remove: () => Promise<number>,
): Promise<void> {
  while ((await db.transaction(remove)) > 0) afterBatch();
}

/** Rows that an account created itself, or that anybody created on its posts. */
export type Side = "account_id" | "author_id";

/** The same for both sides. */
export async function inBatchesOfBoth(
  db: Database,
  accountId: string,
  afterBatch: AfterBatch,
  remove: (side: Side, batch: Batch) => Promise<number>,
): Promise<void> {
  const batch = { accountId, limit: rowsAtOnce };
  for (const side of ["account_id", "author_id"] as const) {
    await inBatches(db, afterBatch, () => remove(side, batch));
  }
}
