import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import {
  beginSnapshot,
  dumpTable,
  endSnapshot,
  hashTable,
  openSession,
  type Snapshot,
} from "#server/db/dump.ts";
import { findKeptPrograms, keepPrograms } from "#server/db/kept-programs.ts";
import { forgetLogPositions, loadDatabase, type TableToLoad } from "#server/db/load.ts";
import { refuseUnknownMigrations } from "#server/db/migrate.ts";
import { findBinaries, type Binaries } from "#server/db/postgres-binaries.ts";
import {
  makeCluster,
  majorOf,
  oldClusterOf,
  readyName,
  removeDrafts,
  syncDir,
  tooNew,
} from "#server/db/postgres-cluster.ts";
import { connectionTo, ensureDatabase } from "#server/db/postgres-connection.ts";
import { destroy } from "#server/db/clients.ts";
import { chooseRunner, own } from "#server/db/postgres-runner.ts";
import { chooseSocketDir, halt, launch, type Log, type Setup } from "#server/db/postgres-server.ts";
import { bytesOf, freeBytesIn } from "#server/free-bytes.ts";
import { limits } from "#shared/limits.ts";

export type UpgradeOptions = {
  dataDir: string;
  log: Log;
  /** other programs than those this Postcard brings, for tests */
  binaries?: Binaries;
  /** aborted once everything is being stopped */
  stopping?: AbortSignal;
  freeBytes?: (folder: string) => Promise<number>;
};

/** A new data directory, its first log and the catalogue of an empty database, bytes. */
const clusterBytes = 200_000_000;
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

/**
 * Takes the data of an older major version of PostgreSQL over (docs/decisions/0199): its own programs, kept
 * beside it, start it once more, every table is copied as a backup copies it, the new version loads the
 * rows, which are compared, and only then the new data takes the place of the old, which stays beside it.
 * Killed at any moment, the next call finishes the exchange or begins anew. Does nothing where the data is
 * of this version or none is there. The caller must own the data directory. Throws an Error with one sentence.
 */
export async function upgradePostgres(options: UpgradeOptions): Promise<void> {
  const { dataDir, log, binaries = findBinaries() } = options;
  if (!existsSync(join(dataDir, "postgres"))) return;
  const home = realpathSync(join(dataDir, "postgres"));
  const cluster = join(home, "data");
  finishExchange(home, log);
  if (!existsSync(cluster)) return;
  const from = majorOf(cluster);
  const to = binaries.major;
  if (from === to) return;
  if (from > to) throw new Error(tooNew(cluster, from, to));
  const old = findKeptPrograms(dataDir, from);
  if (!old) throw new Error(noPrograms(dataDir, from, to));
  const kept = oldClusterOf(home, from);
  if (existsSync(kept)) {
    throw new Error(
      `${kept} is in the way, the database of before another upgrade: remove or rename it, and start again.`,
    );
  }
  await removeDrafts(home);
  await refuseFull(home, cluster, { from, to }, options.freeBytes ?? freeBytesIn);

  const versions = `PostgreSQL ${from} to ${to}`;
  log.warn({ from: old.version, to: binaries.version }, `${versions}: the upgrade begins`);
  const draft = join(home, "draft-upgrade");
  mkdirSync(draft, { mode: 0o700 });
  const tell = (details: object, what: string) => log.info(details, `${versions}: ${what}`);
  try {
    const copied = await copyOut({ ...options, binaries: old }, home, cluster, draft, tell);
    const made = await copyIn({ ...options, binaries }, home, draft, copied, tell);
    await keepPrograms(dataDir, binaries, log);
    options.stopping?.throwIfAborted();
    exchange(home, made, from);
  } catch (error) {
    await removeDrafts(home);
    if (options.stopping?.aborted) throw new Error("The upgrade was stopped.", { cause: error });
    const { message } = error as Error;
    throw new Error(
      `The upgrade of ${versions} was not done, and nothing was changed: ${message.split("\n", 1)[0]}`,
      { cause: error },
    );
  }
  await removeDrafts(home);
  const remove = "npm run admin -- old-database --remove";
  log.warn(
    { kept, remove },
    `${versions}: done; the database of before is kept until you remove it`,
  );
}

type Tell = (details: object, what: string) => void;
/** How often it says how far it is, milliseconds. */
const tellMs = 2000;

function nowAndThen(tell: Tell): Tell {
  let told = 0;
  return (details, what) => {
    if (Date.now() - told < tellMs) return;
    told = Date.now();
    tell(details, what);
  };
}

type Copied = { snapshot: Snapshot; tables: TableToLoad[] } | null;

/** Every table of the old database as a file in `draft`; null where nobody ever used it. */
async function copyOut(
  { binaries, stopping }: UpgradeOptions & { binaries: Binaries },
  home: string,
  cluster: string,
  draft: string,
  tell: Tell,
): Promise<Copied> {
  const runner = chooseRunner(home, binaries.postgres);
  // One that a killed Postcard left running has programs and settings that are not known any more.
  await halt(cluster);
  const socketDir = chooseSocketDir(home, runner);
  const overrides = { autovacuum: "off" };
  const logFile = join(home, "postgres.log");
  const setup = { runner, binaries, cluster, socketDir, logFile, overrides };
  return withServer(setup, stopping, async (client) => {
    const { rows } = await client.query("select to_regclass('accounts') as found");
    if (!rows[0]?.found) return null;
    const snapshot = await beginSnapshot(client);
    refuseUnknownMigrations(snapshot.migrations);
    await tellWhatStays(client, tell);
    await mkdir(join(draft, "rows"), { mode: 0o700 });
    const tables: TableToLoad[] = [];
    const tellAtTimes = nowAndThen(tell);
    for (const [index, shape] of snapshot.tables.entries()) {
      stopping?.throwIfAborted();
      const path = join(draft, "rows", `${shape.table}.copy.gz`);
      const { rows: count, text } = await dumpTable(client, shape, path, stopping);
      tables.push({ ...shape, path, rows: count, text });
      tellAtTimes(
        { table: shape.table, tables: `${index + 1}/${snapshot.tables.length}` },
        "copying",
      );
    }
    await endSnapshot(client);
    tell({ rows: tables.reduce((sum, { rows }) => sum + rows, 0) }, "every row was copied");
    return { snapshot, tables };
  });
}

/** The new data directory in `draft`, with every row, compared. */
async function copyIn(
  { binaries, stopping }: UpgradeOptions & { binaries: Binaries },
  home: string,
  draft: string,
  copied: Copied,
  tell: Tell,
): Promise<string> {
  const runner = chooseRunner(home, binaries.postgres);
  own(runner, draft);
  const cluster = await makeCluster({ home, runner, binaries, cluster: join(draft, "data") });
  const setup = {
    runner,
    binaries,
    cluster,
    socketDir: chooseSocketDir(draft, runner),
    logFile: join(home, "postgres.log"),
    // Rows of a table that the same transaction made need no log: half of the writing.
    overrides: { wal_level: "minimal", max_wal_senders: "0", autovacuum: "off" },
  };
  await withServer(setup, stopping, async (client) => {
    if (copied) {
      const { snapshot, tables } = copied;
      const { migrations } = snapshot;
      let done = 0;
      const tellAtTimes = nowAndThen(tell);
      const onTable = (table: string) => {
        stopping?.throwIfAborted();
        done += 1;
        tellAtTimes({ table, tables: `${done}/${tables.length}` }, "loading");
      };
      const { unknown } = await loadDatabase(
        client,
        { migrations, tables },
        { onTable, ...(stopping && { signal: stopping }) },
      );
      if (unknown.length > 0) tell({ stays: unknown }, leftThere);
      for (const { table, columns, rows, text } of tables) {
        if (unknown.includes(table)) continue;
        stopping?.throwIfAborted();
        const found = await hashTable(client, { table, columns });
        if (found.rows === rows && found.sha256 === text.sha256) continue;
        throw new Error(`The rows of ${table} are not the same afterwards.`);
      }
      tell({ tables: tables.length }, "every row was compared");
      await forgetLogPositions(client);
    }
    // All of it on the disk, however long that takes: stopping has little patience.
    await client.query("checkpoint");
  });
  return cluster;
}

/** Runs a server that nobody else knows of, for as long as the work in its database takes. */
async function withServer<T>(
  setup: Setup,
  stopping: AbortSignal | undefined,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const { cluster, socketDir } = setup;
  try {
    await launch(setup);
    await ensureDatabase(connectionTo(socketDir));
    const client = await openSession(connectionTo(socketDir, "postcard"));
    // A statement may take as long as it takes.
    const cut = () => destroy(client);
    stopping?.addEventListener("abort", cut);
    try {
      return await work(client);
    } finally {
      stopping?.removeEventListener("abort", cut);
      await client.end().catch(() => undefined);
    }
  } finally {
    await halt(cluster);
    rmSync(socketDir, { recursive: true, force: true });
  }
}

const leftThere = "what is not Postcard's stays in the old folder";

/** What an operator made there beside Postcard's own is not in the copy: it stays where it is. */
async function tellWhatStays(client: pg.Client, tell: Tell): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `select 'database ' || datname as what from pg_database
     where not datistemplate and datname not in ('postgres', 'postcard')
     union all
     select 'schema ' || nspname from pg_namespace
     where nspname not in ('public', 'pgboss', 'information_schema') and nspname !~ '^pg_'
     union all
     select 'role ' || rolname from pg_roles where rolname <> 'postcard' and rolname !~ '^pg_'
     union all
     select count(*) || ' large objects' from pg_largeobject_metadata having count(*) > 0`,
  );
  if (rows.length === 0) return;
  tell({ stays: rows.map(({ what }) => what) }, leftThere);
}

/**
 * Two names change, so there is a moment without data: the new one has its own name before, by which the
 * next start knows that it is whole. A Postcard of before would make an empty database in that moment, not
 * this one (refuseLostCluster).
 */
function exchange(home: string, made: string, from: number): void {
  const cluster = join(home, "data");
  const ready = join(home, readyName);
  renameSync(made, ready);
  syncDir(home);
  renameSync(cluster, oldClusterOf(home, from));
  syncDir(home);
  renameSync(ready, cluster);
  syncDir(home);
}

/** Of an exchange that was interrupted: finished where the old data is away already, else forgotten. */
function finishExchange(home: string, log: Log): void {
  const cluster = join(home, "data");
  const ready = join(home, readyName);
  if (!existsSync(ready)) return;
  if (existsSync(cluster)) {
    // Somebody may have started the old version since, and written.
    renameSync(ready, join(home, "draft-forgotten"));
    return;
  }
  renameSync(ready, cluster);
  syncDir(home);
  log.warn({ cluster }, "the upgrade of PostgreSQL that was interrupted is finished");
}

/** Both copies fit beside the old data, before anything is written: its log is left out. */
async function refuseFull(
  home: string,
  cluster: string,
  { from, to }: { from: number; to: number },
  freeBytes: (folder: string) => Promise<number>,
): Promise<void> {
  const data = (await bytesOf(cluster)) - (await bytesOf(join(cluster, "pg_wal")));
  const needed = 2 * data + clusterBytes;
  const free = await freeBytes(home);
  if (free >= needed + limits.uploads.keptFree) return;
  throw new Error(
    `PostgreSQL ${from}'s data in ${cluster} is to be taken over by ${to}, for which ${megabytes(needed)} ` +
      `beside the ${megabytes(limits.uploads.keptFree)} that stay free are needed, and ${megabytes(free)} are ` +
      "free: make room and start again; nothing was changed.",
  );
}

const noPrograms = (dataDir: string, from: number, to: number): string =>
  `The data in ${join(dataDir, "postgres", "data")} was made by PostgreSQL ${from}, whose programs are not kept in ` +
  `${join(dataDir, "postgres-programs")}, and this Postcard brings ${to}: put them there, or back up with the ` +
  "Postcard that made it and restore with this one, as docs/operations.md says under Upgrade.";
