import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { shapesOf, withColumns, type TableShape } from "#server/platform/db/dump.ts";
import { applyMigrations, prepareJobs, type Applied } from "#server/platform/db/migrate.ts";
import { quoted, sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";
import { hashing } from "#server/platform/hashing.ts";

/** A table as it is in a backup. */
export type TableToLoad = TableShape & {
  read: () => Readable;
  rows: number;
  text: { sha256: string };
};

/** Whether a database holds nothing but, at most, the tables of background jobs without any job. */
export async function isEmpty(client: pg.Client): Promise<boolean> {
  const hasOurs = await on(client).any(sql`
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm')
      and not exists (select from pg_depend d
                      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  `);
  if (hasOurs || !(await hasTable(client, "pgboss.job_common"))) return !hasOurs;
  return !(await on(client).any(sql`select from pgboss.job_common limit 1`));
}

/** The number of rows in all tables that a backup has. */
export async function countRows(client: pg.Client): Promise<number> {
  let sum = 0;
  for (const { table } of await shapesOf(client)) {
    sum += await on(client).scalar<number>(sql`select count(*)::float8 from ${sql.table(table)}`);
  }
  return sum;
}

/**
 * Creates the tables as they were at these migrations and fills them, all in one transaction: a database
 * gets all of it or nothing. Only needs to own the database: instead of switching checks off, which takes a
 * superuser, foreign keys are created after the rows, which checks them all, and triggers are disabled.
 * Returns the tables that no version of this product has, which are left out. Throws one sentence if the
 * tables do not fit.
 */
export async function loadDatabase(
  client: pg.Client,
  given: { migrations: readonly Applied[]; tables: readonly TableToLoad[] },
  options: { onTable: (table: string) => void; signal: AbortSignal | undefined },
): Promise<{ unknown: string[] }> {
  // The library begins and ends transactions of its own: empty tables of jobs may be left behind.
  await prepareJobs(client);
  await client.query("begin");
  await applyMigrations(client, given.migrations);
  const unknown = refuseOtherTables(await shapesOf(client), given.tables);
  const tables = given.tables.filter(({ table }) => !unknown.includes(table));
  const keys = await dropForeignKeys(client);
  // Before the rest: triggers of some tables refuse deletions.
  await setTriggers(client, tables, "disable");
  for (const { table } of tables.toReversed()) {
    // Rows that a migration inserted are also among the rows of the backup.
    await client.query(`delete from ${quoted(table)}`);
  }
  for (const table of tables) {
    options.onTable(table.table);
    await loadTable(client, table, options.signal);
  }
  await setTriggers(client, tables, "enable");
  for (const statement of keys) await client.query(statement);
  // Otherwise the first pages would be planned as if the tables were empty.
  await client.query("analyze");
  await client.query("commit");
  return { unknown };
}

function refuseOtherTables(made: TableShape[], given: readonly TableToLoad[]): string[] {
  for (const { table, columns } of made) {
    const found = given.find((one) => one.table === table);
    if (!found) throw new Error(`The backup lacks the table ${table}, so it is not whole.`);
    const strange = found.columns.find((column) => !columns.includes(column));
    if (strange) {
      throw new Error(`The backup has a column ${table}.${strange}, which this Postcard lacks.`);
    }
  }
  return given.filter(({ table }) => !made.some((one) => one.table === table)).map((t) => t.table);
}

async function loadTable(client: pg.Client, wanted: TableToLoad, signal?: AbortSignal) {
  const copy = client.query(copyFrom(`copy ${withColumns(wanted)} from stdin`));
  const { table, read, rows, text } = wanted;
  const hash = hashing();
  await pipeline([read(), createGunzip(), hash.stream, copy], { signal });
  if (copy.rowCount === rows && hash.result().sha256 === text.sha256) return;
  throw new Error(`The rows of ${table} are not the ones that were backed up.`);
}

/** Drops the foreign keys of our tables; returns the statements that create them again. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const rows = await on(client).query<{ table: string; name: string; definition: string }>(sql`
    select c.conrelid::regclass::text as "table", c.conname as name,
      pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and n.nspname = current_schema()
  `);
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${pg.escapeIdentifier(name)}`);
  }
  return rows.map(
    ({ table, name, definition }) =>
      `alter table ${table} add constraint ${pg.escapeIdentifier(name)} ${definition}`,
  );
}

async function setTriggers(
  client: pg.Client,
  tables: readonly TableShape[],
  state: "enable" | "disable",
): Promise<void> {
  for (const { table } of tables) {
    if (!table.startsWith("pgboss.")) {
      await client.query(`alter table ${quoted(table)} ${state} trigger user`);
    }
  }
}

/** Whether the row of the installation has this column: one of an older database may lack it. */
const installationHas = (client: pg.Client, column: string) =>
  on(client).any(sql`
    select from information_schema.columns
    where table_schema = current_schema() and table_name = 'installation' and column_name = ${column}
  `);

/** The id of the DATA_DIR in which the images of this database are stored. */
export async function imageStoreIdOf(client: pg.Client): Promise<string | null> {
  if (!(await installationHas(client, "pictures_id"))) return null;
  return on(client).value<string>(sql`select pictures_id from installation`);
}

/**
 * Where images were stored, and problems with disks and backups, belong to the machines that were backed
 * up.
 */
export async function clearMachineState(client: pg.Client): Promise<void> {
  if (await hasTable(client, "troubles")) {
    await client.query("delete from backup_runs");
    await client.query("update troubles set ended_at = now() where ended_at is null");
  }
  if (await installationHas(client, "pictures_at")) {
    await client.query("update installation set pictures_at = null");
  }
}

/** Positions in the log of the PostgreSQL that was backed up mean nothing in this one's log. */
export async function clearLogPositions(client: pg.Client): Promise<void> {
  const rows = await on(client).query<{ table: string; column: string }>(sql`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' and udt_name = 'pg_lsn'
  `);
  for (const row of rows) {
    const [table, column] = [quoted(row.table), quoted(row.column)];
    await client.query(`update ${table} set ${column} = null where ${column} is not null`);
  }
}
