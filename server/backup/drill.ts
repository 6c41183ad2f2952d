import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import { verifyBackup, whyDamaged, type Backup, type Verdict } from "#server/backup/manifest.ts";
import { askInOrder, namesOf, pathOfPicture, readPictures } from "#server/backup/pictures.ts";
import { pictureFaults, restorePictures } from "#server/backup/restore-pictures.ts";
import { rowsOf } from "#server/backup/restore.ts";
import { databaseBytes, inMegabytes } from "#server/backup/room.ts";
import { claimFreeDataDir } from "#server/data-dir.ts";
import { patientBounds } from "#server/db/bounds.ts";
import { createDatabase } from "#server/db/database.ts";
import { picturesOf } from "#server/backup/pictures.queries.ts";
import { hashTable, withSession } from "#server/db/dump.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import { loadDatabase } from "#server/db/load.ts";
import { processesIn, signal as sendSignal } from "#server/db/postgres-processes.ts";
import { reconcileCounters } from "#server/db/reconcile-counters.ts";
import { pictureTables } from "#server/features/administration/index.ts";
import { freeBytesIn } from "#server/free-bytes.ts";
import { limits } from "#shared/limits.ts";

/** Nothing of it is kept: it may be lost. */
const forgetful = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
/** Pictures that are put into a store and read there; of the others every byte is read in the backup. */
const sample = 100;
const mostFaults = 20;

type Options = {
  dataDir: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  signal?: AbortSignal | undefined;
};

/**
 * Restores a backup into a temporary folder of DATA_DIR and a PostgreSQL of its own there, compares what
 * came back with what was backed up, and keeps the verdict beside the backup: the rows of every table by
 * their text, counters with what they count, every file of a picture with its hash, and every picture
 * that a row names with the list. Damaged pictures are put aside, so that the next backup copies them
 * again. Throws only where it was stopped.
 */
export async function drill(backup: Backup, options: Options): Promise<Verdict> {
  const began = Date.now();
  const faults: string[] = [];
  const tell = (fault: string) => void (faults.length < mostFaults && faults.push(fault));
  try {
    await tryIt(backup, options, tell);
  } catch (error) {
    options.signal?.throwIfAborted();
    tell((error as Error).message.split("\n", 1)[0] ?? "");
  }
  const { tables, pictures } = backup.manifest;
  const verdict: Verdict = {
    at: new Date().toISOString(),
    faults,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    pictures: pictures.count,
    seconds: Math.round((Date.now() - began) / 1000),
  };
  const draft = join(backup.folder, "drill.json.new");
  await writeFile(draft, `${JSON.stringify(verdict, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(backup.folder, "drill.json"));
  return verdict;
}

type Tell = (fault: string) => void;

async function tryIt(backup: Backup, { dataDir, log, signal }: Options, tell: Tell): Promise<void> {
  await verifyBackup(backup, () => {}, signal);
  let damaged = 0;
  for await (const { path, name, why } of pictureFaults(backup, () => {}, signal)) {
    damaged += 1;
    tell(`${name} ${why}`);
    if (name.startsWith("pictures/") && existsSync(path)) await rename(path, `${path}.damaged`);
  }

  const folder = join(dataDir, "drill");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = claimFreeDataDir(folder);
  if (!claim) throw new Error("Another drill is under way.");
  try {
    await empty(folder);
    await refuseFull(folder, backup);
    if (damaged === 0) await restoreSample(backup, folder, tell, log);
    const onLost = (error: Error) => tell(error.message);
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      onLost,
      overrides: forgetful,
    });
    try {
      await compareDatabase(backup, postgres.connection, tell, signal);
    } finally {
      await postgres.stop();
    }
  } finally {
    await empty(folder);
    claim.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of a drill that was killed, its PostgreSQL included. */
async function empty(folder: string): Promise<void> {
  const cluster = join(folder, "postgres", "data");
  for (let times = 0; times < 100 && existsSync(cluster); times += 1) {
    const living = processesIn(cluster);
    if (living.length === 0) break;
    for (const pid of living) sendSignal(pid, "SIGQUIT");
    await sleep(50);
  }
  for (const name of ["postgres", "images", "originals", "private", "tmp"]) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function refuseFull(folder: string, { manifest }: Backup): Promise<void> {
  const needed = databaseBytes(manifest);
  const free = await freeBytesIn(folder);
  if (free >= needed + limits.uploads.keptFree) return;
  throw new Error(
    `There was no room to try it: ${folder} may need ${inMegabytes(needed)}, and ${inMegabytes(free)} are free.`,
  );
}

async function restoreSample(
  backup: Backup,
  folder: string,
  tell: Tell,
  log: Options["log"],
): Promise<void> {
  const stores = openStores(folder, { kind: "disk" }, log);
  await restorePictures(backup, stores, { most: sample });
  let looked = 0;
  for await (const { table, key, files } of readPictures(
    join(backup.folder, "pictures.jsonl.gz"),
  )) {
    if (looked++ >= sample) return;
    if (!files.some(([name]) => name === "original")) continue;
    for (const [name, bytes, sha256] of files) {
      const path = pathOfPicture(table, key, name);
      const why = await whyDamaged(folder, path, { bytes, sha256 });
      if (why) tell(`${path} ${why} once it is restored`);
    }
  }
}

async function compareDatabase(
  backup: Backup,
  connection: pg.ClientConfig,
  tell: Tell,
  signal?: AbortSignal,
): Promise<void> {
  await withSession(connection, async (client) => {
    const given = rowsOf(backup);
    const { unknown } = await loadDatabase(client, given, {
      onTable: () => signal?.throwIfAborted(),
      ...(signal && { signal }),
    });
    for (const table of unknown) tell(`${table} is no table of Postcard's: it is not restored`);
    for (const shape of given.tables) {
      if (unknown.includes(shape.table)) continue;
      signal?.throwIfAborted();
      const { rows, sha256 } = await hashTable(client, shape);
      if (rows !== shape.rows) tell(`${shape.table} came back with ${rows} rows of ${shape.rows}`);
      else if (sha256 !== shape.text.sha256) tell(`${shape.table} came back with other rows`);
    }
    await comparePictures(backup, client, tell);
  });
  const log = { warn: () => {}, error: () => {} };
  const db = createDatabase({ connection, log, bounds: patientBounds });
  try {
    const drift = await reconcileCounters(db);
    const [first] = drift;
    if (first) {
      const { counter, id, stored, counted } = first;
      tell(
        `${drift.length} counters are not what they count, as ${counter} of ${id}: ${stored}, not ${counted}`,
      );
    }
  } finally {
    await db.close();
  }
}

/** Every file that a row stands for is in the list, or is said there to be missing. */
async function comparePictures(backup: Backup, client: pg.Client, tell: Tell): Promise<void> {
  const list = askInOrder(join(backup.folder, "pictures.jsonl.gz"));
  for (const table of pictureTables) {
    let key = "";
    for (;;) {
      const page = await picturesOf(client, table, key, 500);
      for (const row of page) {
        const found = await list.find(table, row.key);
        const listed = new Set([
          ...(found?.files ?? []).map(([name]) => name),
          ...(found?.missing ?? []),
        ]);
        const lacking = namesOf(row).find((name) => !listed.has(name));
        if (lacking) tell(`${pathOfPicture(table, row.key, lacking)} is not in the backup`);
      }
      key = page.at(-1)?.key ?? key;
      if (page.length < 500) break;
    }
  }
  await list.close();
}
