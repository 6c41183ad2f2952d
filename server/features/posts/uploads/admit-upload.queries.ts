import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** Whether devices may send photos for an import of the account; null where it is none. Primary key. */
export const isImportOpen = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.value<boolean>(sql`
    select state = 'waiting' as open from imports
    where account_id = ${accountId} and id = ${id} and device_seen_at is not null
  `);
