import type { Database } from "#server/platform/db/database.ts";
import { query } from "#server/test/query.ts";

/**
 * Rows that `work` read in scans of whole tables, by table, in one transaction: by statements and foreign
 * keys alike, counted by PostgreSQL.
 */
export function rowsScanned(
  db: Database,
  tables: readonly string[],
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  return db.transaction(async () => {
    // What the connection did just before is counted as well.
    const before = await countsOf(db, tables);
    await work();
    const after = await countsOf(db, tables);
    return Object.fromEntries(
      tables.map((table) => [table, (after.get(table) ?? 0) - (before.get(table) ?? 0)]),
    );
  });
}

async function countsOf(db: Database, tables: readonly string[]): Promise<Map<string, number>> {
  const rows = await query<{ name: string; rows: string }>(
    db,
    "select relname as name, seq_tup_read as rows from pg_stat_xact_user_tables where relname = any($1)",
    [tables],
  );
  return new Map(rows.map(({ name, rows: count }) => [name, Number(count)]));
}
