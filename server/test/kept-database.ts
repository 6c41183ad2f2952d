import type { Database } from "#server/db/database.ts";
import { query } from "#server/test/query.ts";

/** What requests change by the way: counts of attempts. */
const notTold = new Set(["rate_limits"]);

/**
 * Remembers everything in the database of a test: to see whether something changed it, and to put
 * it back. Constraints rest while it is put back, which takes a superuser.
 */
export async function keepDatabase(db: Database) {
  const rows = await query<{ name: string }>(
    db,
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const tables = rows.map(({ name }) => name).filter((name) => !notTold.has(name));
  const copies = tables.map((name) => `create table kept."${name}" as table public."${name}";`);
  await query(db, `create schema kept; ${copies.join(" ")}`);

  /** A text that is another one after any change of any row. */
  async function fingerprint(): Promise<string> {
    const parts = tables.map(
      (name) =>
        `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum
         from public."${name}" t`,
    );
    return JSON.stringify(await query(db, parts.join(" union all ")));
  }

  async function restore(): Promise<void> {
    const all = tables.map((name) => `public."${name}"`).join(", ");
    const inserts = tables.map((name) => `insert into public."${name}" table kept."${name}";`);
    await query(
      db,
      `begin; set local session_replication_role = replica; truncate ${all} cascade;
       ${inserts.join(" ")} commit;`,
    );
  }

  return { fingerprint, restore };
}
