import type { Database } from "#server/db/database.ts";

/** Rows of an account that is deleted, so many of them at once. */
export type Batch = { accountId: string; limit: number };

/** Rows of one transaction: a fraction of a second, so that nobody waits behind a deletion. */
export const rowsAtOnce = 500;

/** Called after each batch that found something; throws where the deletion is to stop. */
export type AfterBatch = () => void;

/**
 * Deletes what a feature keeps of an account, until nothing is left. `remove` takes a batch of rows
 * away, corrects the counters that counted them in the same transaction, and answers how many rows
 * it found. Locks are taken as everywhere: counters of accounts by id, then posts by key (see
 * docs/decisions/0022).
 */
export async function inBatches(
  db: Database,
  afterBatch: AfterBatch,
  remove: () => Promise<number>,
): Promise<void> {
  while ((await db.transaction(remove)) > 0) afterBatch();
}

/** Rows that an account made itself, or that its posts got from everybody. */
export type Side = "account_id" | "author_id";

/** The same on either side. */
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
