import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/**
 * Takes or renews the lease of the account's batch for `seconds`; false while another batch of theirs runs.
 * Primary key.
 */
export const takeLease = (
  db: Database,
  { accountId, batch, seconds }: { accountId: string; batch: string; seconds: number },
): Promise<boolean> =>
  db.any(sql`
    insert into album_batches as b (account_id, batch, until)
    values (${accountId}, ${batch}, now() + make_interval(secs => ${seconds}))
    on conflict (account_id) do update set batch = excluded.batch, until = excluded.until
      where b.batch = excluded.batch or b.until < now()
    returning account_id
  `);

export const endLease = (db: Database, accountId: string) =>
  db.run(sql`delete from album_batches where account_id = ${accountId}`);
