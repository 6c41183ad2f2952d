import type { Database } from "#server/platform/db/database.ts";
import { sql } from "#server/platform/db/sql.ts";
import { ms } from "#server/platform/db/times.ts";

/** Archives that members asked for or uploaded, one row each. */
export type Table = "exports" | "imports";
type Whose = { accountId: string; besides?: string | null; fromDevice?: boolean };

/**
 * When those of the last day were started, epoch ms, oldest first. A failed export does not count; imports from
 * devices and those of archives are counted apart.
 */
export async function startsOfDay(
  db: Database,
  table: Table,
  { accountId, besides = null, fromDevice = false }: Whose,
): Promise<number[]> {
  const counted =
    table === "exports"
      ? sql`state <> 'failed'`
      : sql`(device_seen_at is not null) = ${fromDevice}::boolean`;
  return db.column<number>(sql`
    select ${ms("created_at")} as at from ${sql.table(table)}
    where account_id = ${accountId} and ${counted} and created_at > now() - interval '1 day'
      and id is distinct from ${besides}::uuid
    order by created_at
  `);
}

/**
 * Those of `ids` whose files are still needed: in progress, waiting to be read, or ready to download.
 * Indexes exports_id, imports_id.
 */
export async function inUse(db: Database, table: Table, ids: readonly string[]) {
  const found = await db.column<string>(sql`
    select id from ${sql.table(table)}
    where id = any(${ids}::uuid[]) and state in ('waiting', 'ready')
  `);
  return new Set(found);
}

export const idsOf = (db: Database, table: Table, accountId: string) =>
  db.column<string>(sql`
    select id from ${sql.table(table)} where account_id = ${accountId}
  `);
