import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { quoted, sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";
import { hashing, type Hashed } from "#server/platform/hashing.ts";
import { destroy, withClient } from "#server/platform/db/clients.ts";
import { backupLock, shippingLock, type Applied } from "#server/platform/db/migrate.ts";

/**
 * A table with its columns in order, without those that PostgreSQL computes; tables of jobs with their
 * schema.
 */
export type TableShape = { table: string; columns: string[] };

/** What a snapshot was taken of. */
export type Snapshot = {
  /** by the database's clock */
  takenAt: Date;
  postgres: string;
  migrations: Applied[];
  tables: TableShape[];
  /** of the secrets this database is used with, hexadecimal */
  secretsHash: string | null;
};

/** The result of dumping a table: the file that was written, and the text in it. */
export type Dumped = { rows: number; file: Hashed; text: Hashed };

/** The end of a pipeline. */
type Sink = (source: AsyncIterable<Uint8Array>) => Promise<void>;

/** Copying a table that sends nothing for this long is given up, milliseconds. */
const silentMs = 5 * 60_000;
/** Text shrinks to a fifth at any level; the higher ones take minutes and save a tenth. */
const compression = { level: 3 };

/**
 * Opens a connection for some work of a backup, on which statements may take as long as they need, and whose
 * text does not depend on the settings of a server.
 */
export function withSession<T>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const patient = {
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 30_000,
    ...connection,
  };
  return withClient(patient, async (client) => {
    await client.query(
      `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = '30s';
       set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres';
       set extra_float_digits = 1; set bytea_output = 'hex'; set synchronize_seqscans = off;
       set client_encoding = 'UTF8'`,
    );
    return work(client);
  });
}

/** How long the server may take to end a session whose connection just broke off, milliseconds. */
const lettingGoMs = 5_000;

const tryLock = (client: pg.Client, lock: number) =>
  on(client).scalar<boolean>(sql`select pg_try_advisory_lock(${lock})`);

/** Blocks other backups of this database, and migrations, until the connection ends; false while one runs. */
export async function claimBackup(client: pg.Client): Promise<boolean> {
  for (const since = Date.now(); !(await tryLock(client, backupLock)); await sleep(100)) {
    if (Date.now() - since > lettingGoMs) return false;
  }
  return true;
}

/** Whether no other process ships the log of this database; it is so until the connection ends. */
export const claimShipping = (client: pg.Client) => tryLock(client, shippingLock);

export const releaseBackup = (client: pg.Client) =>
  on(client).run(sql`select pg_advisory_unlock(${backupLock})`);

/** Begins a transaction that sees one moment of the database, and returns what it is a snapshot of. */
export async function beginSnapshot(client: pg.Client): Promise<Snapshot> {
  await client.query("begin isolation level repeatable read, read only");
  const tables = await shapesOf(client);
  if (!tables.some(({ table }) => table === "accounts")) {
    throw new Error("The database holds no Postcard: there is nothing to back up.");
  }
  const names = tables.map(({ table }) => quoted(table)).join(", ");
  await client.query(`lock table ${names} in access share mode`);
  return { ...(await identityOf(client)), tables };
}

/** Which installation the database belongs to, and which migrations it has. */
export async function identityOf(client: pg.Client): Promise<Omit<Snapshot, "tables">> {
  const about = await on(client).one<Omit<Snapshot, "tables" | "secretsHash">>(sql`
    select now() as "takenAt", current_setting('server_version') as postgres,
      (select jsonb_agg(jsonb_build_object('name', name, 'sha256', sha256) order by name)
       from schema_migrations) as migrations
  `);
  return { ...about, secretsHash: await secretsHashOf(client) };
}

/** Ends the snapshot's transaction, which wrote nothing. */
export async function endSnapshot(client: pg.Client): Promise<void> {
  await client.query("rollback");
}

/** Null for a database older than the row that holds it. */
async function secretsHashOf(client: pg.Client): Promise<string | null> {
  if (!(await hasTable(client, "installation"))) return null;
  return on(client).value<string>(sql`select encode(secrets_hash, 'hex') from installation`);
}

/**
 * Every table of the product, and those tables of background jobs that hold work: counts and durations are
 * rebuilt by the job library.
 */
export const shapesOf = (client: pg.Client) =>
  on(client).query<TableShape>(sql`
    select case n.nspname when 'pgboss' then 'pgboss.' else '' end || c.relname as "table",
      array(select a.attname::text from pg_attribute a
            where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
            order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r'
      and (n.nspname = current_schema() and c.relname <> 'schema_migrations'
        or n.nspname = 'pgboss' and c.relname in ('queue', 'job_common'))
      and not exists (select from pg_depend d
                      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    -- a job's queue comes before it
    order by n.nspname = 'pgboss', c.relname = 'job_common', c.relname
  `);

/** Upper limit of the size of these tables as compressed text, bytes: their size as tables. */
export const sizeOfTables = (client: pg.Client) =>
  on(client).scalar<number>(sql`
    select coalesce(sum(pg_table_size(c.oid)), 0)::float8
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = current_schema() or n.nspname = 'pgboss')
  `);

/** Writes a table as compressed text, one line per row. */
export async function dumpTable(
  client: pg.Client,
  shape: TableShape,
  write: Sink,
  signal?: AbortSignal,
): Promise<Dumped> {
  const text = hashing();
  const file = hashing();
  const rows = await copyOut(
    client,
    shape,
    [text.stream, createGzip(compression), file.stream, write],
    signal,
  );
  return { rows, file: file.result(), text: text.result() };
}

/** The hash of a table's text, and its number of rows. */
export async function hashTable(
  client: pg.Client,
  shape: TableShape,
): Promise<{ rows: number; sha256: string }> {
  const { stream, result } = hashing();
  const rows = await copyOut(client, shape, [stream.resume()]);
  return { rows, sha256: result().sha256 };
}

/** A table as COPY names it: `"posts" ("author_id", "id")`. */
export const withColumns = ({ table, columns }: TableShape): string =>
  `${quoted(table)} (${columns.map((name) => pg.escapeIdentifier(name)).join(", ")})`;

async function copyOut(
  client: pg.Client,
  shape: TableShape,
  through: (Writable | Sink)[],
  signal?: AbortSignal,
): Promise<number> {
  const words = `copy ${withColumns(shape)} to stdout`;
  const copy = client.query(copyTo(words));
  const undo = endSilence(client);
  try {
    // There may be any number of streams between the two.
    const streams = [copy, ...through] as unknown as [typeof copy, Writable];
    await pipeline(streams, { signal });
  } catch (error) {
    // Otherwise it would go on sending what nobody reads.
    destroy(client);
    throw error;
  } finally {
    undo();
  }
  // The number of rows comes last, after the data.
  await client.query("select");
  return copy.rowCount;
}

/** A network that dropped the connection sends no end. */
function endSilence(client: pg.Client): () => void {
  const { connection } = client as unknown as {
    connection: { stream: { setTimeout: (ms: number, late?: () => void) => void } };
  };
  const end = () => destroy(client);
  connection.stream.setTimeout(silentMs, end);
  return () => connection.stream.setTimeout(0, end);
}
