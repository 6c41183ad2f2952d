import type pg from "pg";
import { sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";

/** An account that is gone for good: a hash of its id, hexadecimal, and when. */
type FinishedDeletion = { account: string; at: Date };

/**
 * The deletions that finished since then, the oldest first; all for null. None in a database that is older
 * than this table. Index finished_deletions_at.
 */
export async function finishedDeletions(client: pg.Client, since: Date | null) {
  if (!(await hasTable(client, "finished_deletions"))) return [];
  return on(client).query<FinishedDeletion>(sql`
    select encode(account_digest, 'hex') as account, finished_at as at
    from finished_deletions where finished_at >= ${since ?? "-infinity"} order by finished_at
  `);
}
