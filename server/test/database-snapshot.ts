import type { Database } from "#server/platform/db/database.ts";
import { query } from "#server/test/query.ts";

/** What requests change by the way: counts of attempts. */
const ignoredTables = new Set(["rate_limits"]);

/**
 * Remembers everything in the database of a test: to see whether something changed it, and to put
 * it back. Constraints rest while it is put back, which takes a superuser.
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

  /** The tables of which any row is another one than it was. */
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
