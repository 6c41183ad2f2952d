import type { Database } from "#server/platform/db/database.ts";
import { query } from "#server/test/query.ts";

/** Tables that requests change as a side effect: counts of attempts. */
const ignoredTables = new Set(["rate_limits"]);

/**
 * Takes a snapshot of a test's database, to see whether something changed it, and to restore it. Constraints
 * are off while it is restored, which needs a superuser.
 */
export async function snapshotDatabase(db: Database) {
  const rows = await query<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !ignoredTables.has(name));
  const copies = tables.map((name) => `create table kept."${name}" as table public."${name}";`);
  await query(db, `create schema kept; ${copies.join(" ")}`);
  const sums = tables.map(
    (name) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum
       from public."${name}" t`,
  );
  const untouched = await sumsByTable();

  async function sumsByTable(): Promise<Map<string, string>> {
    const found = await query<{ name: string; sum: string }>(db, sums.join(" union all "));
    return new Map(found.map(({ name, sum }) => [name, sum]));
  }

  /** The tables in which any row differs from the snapshot. */
  async function changed(): Promise<string[]> {
    const now = await sumsByTable();
    return tables.filter((name) => now.get(name) !== untouched.get(name));
  }

  async function restore(): Promise<void> {
    const put = (await changed()).map(
      (name) => `delete from public."${name}"; insert into public."${name}" table kept."${name}";`,
    );
    if (put.length === 0) return;
    await query(
      db,
      `begin; set local session_replication_role = replica; ${put.join(" ")} commit;`,
    );
  }

  return { changed, restore };
}
