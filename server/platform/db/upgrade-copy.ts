import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { destroy } from "#server/platform/db/clients.ts";
import {
  beginSnapshot,
  dumpTable,
  endSnapshot,
  hashTable,
  withSession,
  type Snapshot,
} from "#server/platform/db/dump.ts";
import { clearLogPositions, loadDatabase, type TableToLoad } from "#server/platform/db/load.ts";
import { refuseUnknownMigrations } from "#server/platform/db/migrate.ts";
import type { Binaries } from "#server/platform/db/postgres-binaries.ts";
import { makeCluster } from "#server/platform/db/postgres-cluster.ts";
import { connectionTo, ensureDatabase } from "#server/platform/db/postgres-connection.ts";
import { chooseRunner, own } from "#server/platform/db/postgres-runner.ts";
import {
  chooseSocketDir,
  halt,
  whileRunning,
  type Setup,
} from "#server/platform/db/postgres-server.ts";
import { sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";

type Report = (details: object, what: string) => void;
/** How often progress is reported, milliseconds. */
const reportMs = 2000;

function throttled(report: Report): Report {
  let lastReport = 0;
  return (details, what) => {
    if (Date.now() - lastReport < reportMs) return;
    lastReport = Date.now();
    report(details, what);
  };
}

/** The programs to use, and when to stop. */
type CopyOptions = { binaries: Binaries; stopping?: AbortSignal };
type Copied = { snapshot: Snapshot; tables: TableToLoad[] } | null;

/** Writes every table of the old database to a file in `draft`; null if the database was never used. */
export async function copyOut(
  { binaries, stopping }: CopyOptions,
  home: string,
  cluster: string,
  draft: string,
  report: Report,
): Promise<Copied> {
  const runner = chooseRunner(home, binaries.postgres);
  // One that a killed Postcard left running has programs and settings that are no longer known.
  await halt(cluster);
  const socketDir = chooseSocketDir(home, runner);
  const overrides = { autovacuum: "off" };
  const logFile = join(home, "postgres.log");
  const setup = { runner, binaries, cluster, socketDir, logFile, overrides };
  return withServer(setup, stopping, async (client) => {
    if (!(await hasTable(client, "accounts"))) return null;
    const snapshot = await beginSnapshot(client);
    refuseUnknownMigrations(snapshot.migrations);
    await reportLeftovers(client, report);
    await mkdir(join(draft, "rows"), { mode: 0o700 });
    const tables: TableToLoad[] = [];
    const reportThrottled = throttled(report);
    for (const [index, shape] of snapshot.tables.entries()) {
      stopping?.throwIfAborted();
      const path = join(draft, "rows", `${shape.table}.copy.gz`);
      const write = (source: AsyncIterable<Uint8Array>) =>
        pipeline(source, createWriteStream(path, { mode: 0o600, flags: "wx", flush: true }));
      const { rows: count, text } = await dumpTable(client, shape, write, stopping);
      tables.push({ ...shape, read: () => createReadStream(path), rows: count, text });
      reportThrottled(
        { table: shape.table, tables: `${index + 1}/${snapshot.tables.length}` },
        "copying",
      );
    }
    await endSnapshot(client);
    report({ rows: tables.reduce((sum, { rows }) => sum + rows, 0) }, "every row was copied");
    return { snapshot, tables };
  });
}

/** Creates the new data directory in `draft`, with every row, and compares them. */
export async function copyIn(
  { binaries, stopping }: CopyOptions,
  home: string,
  draft: string,
  copied: Copied,
  report: Report,
): Promise<string> {
  const runner = chooseRunner(home, binaries.postgres);
  own(runner, draft);
  const cluster = await makeCluster({ home, runner, binaries }, join(draft, "data"));
  const setup = {
    runner,
    binaries,
    cluster,
    socketDir: chooseSocketDir(draft, runner),
    logFile: join(home, "postgres.log"),
    // Rows of a table created in the same transaction need no log: half as much is written.
    overrides: { wal_level: "minimal", max_wal_senders: "0", autovacuum: "off" },
  };
  await withServer(setup, stopping, async (client) => {
    if (copied) {
      const { snapshot, tables } = copied;
      const { migrations } = snapshot;
      let done = 0;
      const reportThrottled = throttled(report);
      const onTable = (table: string) => {
        stopping?.throwIfAborted();
        done += 1;
        reportThrottled({ table, tables: `${done}/${tables.length}` }, "loading");
      };
      const options = { onTable, signal: stopping };
      const { unknown } = await loadDatabase(client, { migrations, tables }, options);
      if (unknown.length > 0) report({ stays: unknown }, leftThere);
      for (const { table, columns, rows, text } of tables) {
        if (unknown.includes(table)) continue;
        stopping?.throwIfAborted();
        const found = await hashTable(client, { table, columns });
        if (found.rows === rows && found.sha256 === text.sha256) continue;
        throw new Error(`The rows of ${table} are not the same afterwards.`);
      }
      report({ tables: tables.length }, "every row was compared");
      await clearLogPositions(client);
    }
    // Writes everything to the disk, however long that takes: stopping the server allows little time.
    await client.query("checkpoint");
  });
  return cluster;
}

/** Runs a server for as long as the work in its database takes. */
function withServer<T>(
  setup: Setup,
  stopping: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  return whileRunning(setup, async () => {
    await ensureDatabase(connectionTo(setup.socketDir));
    return withSession(connectionTo(setup.socketDir, "postcard"), async (client) => {
      // A statement may take any time.
      const cut = () => destroy(client);
      stopping?.addEventListener("abort", cut);
      try {
        return await work(client);
      } finally {
        stopping?.removeEventListener("abort", cut);
      }
    });
  });
}

const leftThere = "what is not Postcard's stays in the old folder";

/** What an operator created there beside Postcard's own data is not in the copy: it stays where it is. */
async function reportLeftovers(client: pg.Client, report: Report): Promise<void> {
  const stays = await on(client).column<string>(sql`
    select 'database ' || datname from pg_database
    where not datistemplate and datname not in ('postgres', 'postcard')
    union all
    select 'schema ' || nspname from pg_namespace
    where nspname not in ('public', 'pgboss', 'information_schema') and nspname !~ '^pg_'
    union all
    select 'role ' || rolname from pg_roles where rolname <> 'postcard' and rolname !~ '^pg_'
    union all
    select count(*) || ' large objects' from pg_largeobject_metadata having count(*) > 0
  `);
  if (stays.length > 0) report({ stays }, leftThere);
}
