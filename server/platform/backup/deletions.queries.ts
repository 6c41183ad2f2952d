import type pg from "pg";

/** An account that is gone for good: a hash of its id, hexadecimal, and when. */
type FinishedDeletion = { account: string; at: Date };

/**
 * The deletions that finished since then, the oldest first; all for null. None in a database that is older
 * than this table. Index finished_deletions_at.
 */
export async function finishedDeletions(client: pg.Client, since: Date | null) {
  const { rows: found } = await client.query<{ it: string | null }>(
    "select to_regclass('finished_deletions') as it",
  );
  if (!found[0]?.it) return [];
  const { rows } = await client.query<FinishedDeletion>(
    `select encode(account_digest, 'hex') as account, finished_at as at
     from finished_deletions where finished_at >= $1 order by finished_at`,
    [since ?? "-infinity"],
  );
  return rows;
}
