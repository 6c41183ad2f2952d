import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import {
  verifyBackup,
  whyDamaged,
  type Backup,
  type DrillResult,
} from "#server/platform/backup/manifest.ts";
import {
  openImageList,
  fileNamesOf,
  pathOfImage,
  readImageList,
  type ImageTables,
} from "#server/platform/backup/images.ts";
import { imageFaults, restoreImages } from "#server/platform/backup/restore-images.ts";
import { rowsOf } from "#server/platform/backup/restore.ts";
import { databaseBytes, inMegabytes } from "#server/platform/backup/required-space.ts";
import { claimFreeDataDir } from "#server/platform/data-dir.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { imagePages } from "#server/platform/backup/images.queries.ts";
import { hashTable, withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { loadDatabase } from "#server/platform/db/load.ts";
import { processesIn, signal as sendSignal } from "#server/platform/db/postgres-processes.ts";
import type { Difference } from "#server/platform/db/counters.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

/** Nothing in it has to last: it may be lost. */
const volatileSettings = { fsync: "off", full_page_writes: "off", synchronous_commit: "off" };
/** How many images are put into a store and read there; of all others, every byte is read in the backup. */
const sample = 100;
const mostFaults = 20;

/** The product's data: its tables of images, and how its counters are compared with the rows they count. */
export type ProductData = {
  imageTables: ImageTables;
  reconcile: (db: Database) => Promise<Difference[]>;
};

type Options = {
  productData: ProductData;
  dataDir: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  signal?: AbortSignal | undefined;
};

/**
 * Restores a backup into a temporary folder of DATA_DIR with a PostgreSQL of its own, compares the result
 * with what was backed up, and stores the result of the drill beside the backup. It compares the rows of
 * every table by their text, counters with the rows they count, every file of an image with its hash, and
 * every image that a row names with the list. Damaged images are moved aside, so that the next backup copies
 * them again. Throws only if it was stopped.
 */
export async function drill(backup: Backup, options: Options): Promise<DrillResult> {
  const began = Date.now();
  const faults: string[] = [];
  const addFault = (fault: string) => void (faults.length < mostFaults && faults.push(fault));
  try {
    await restoreAndCompare({ ...options, backup, addFault });
  } catch (error) {
    options.signal?.throwIfAborted();
    addFault((error as Error).message.split("\n", 1)[0] ?? "");
  }
  const { tables, pictures } = backup.manifest;
  const result: DrillResult = {
    at: new Date().toISOString(),
    faults,
    rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    pictures: pictures.count,
    seconds: Math.round((Date.now() - began) / 1000),
  };
  const draft = join(backup.folder, "drill.json.new");
  await writeFile(draft, `${JSON.stringify(result, null, 1)}\n`, { mode: 0o600, flush: true });
  await rename(draft, join(backup.folder, "drill.json"));
  return result;
}

type Trial = Options & { backup: Backup; addFault: (fault: string) => void };

async function restoreAndCompare(trial: Trial): Promise<void> {
  const { backup, productData, dataDir, signal, addFault } = trial;
  await verifyBackup(backup, () => {}, signal);
  let damaged = 0;
  const found = imageFaults(backup, productData.imageTables, () => {}, signal);
  for await (const { path, name, why } of found) {
    damaged += 1;
    addFault(`${name} ${why}`);
    if (name.startsWith("pictures/") && existsSync(path)) await rename(path, `${path}.damaged`);
  }

  const folder = join(dataDir, "drill");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = claimFreeDataDir(folder);
  if (!claim) throw new Error("Another drill is under way.");
  try {
    await empty(folder);
    await refuseFull(folder, backup);
    if (damaged === 0) await restoreSample(trial, folder);
    const onLost = (error: Error) => addFault(error.message);
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      onLost,
      overrides: volatileSettings,
    });
    try {
      await compareDatabase(trial, postgres.connection);
    } finally {
      await postgres.stop();
    }
  } finally {
    await empty(folder);
    claim.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what a drill that was killed left behind, and ends its PostgreSQL. */
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
  if (free >= needed + limits.uploads.reserve) return;
  throw new Error(
    `There was no room to try it: ${folder} may need ${inMegabytes(needed)}, and ${inMegabytes(free)} are free.`,
  );
}

async function restoreSample(
  { backup, productData, log, addFault }: Trial,
  folder: string,
): Promise<void> {
  const { imageTables } = productData;
  const stores = openStores(folder, { kind: "disk" }, log);
  await restoreImages(backup, imageTables, stores, { most: sample });
  let looked = 0;
  for await (const image of readImageList(join(backup.folder, "pictures.jsonl.gz"), imageTables)) {
    if (looked++ >= sample) return;
    const { files } = image;
    if (!files.some(([name]) => name === "original")) continue;
    for (const [name, bytes, sha256] of files) {
      const path = pathOfImage(image, name);
      const why = await whyDamaged(folder, path, { bytes, sha256 });
      if (why) addFault(`${path} ${why} once it is restored`);
    }
  }
}

async function compareDatabase(trial: Trial, connection: pg.ClientConfig): Promise<void> {
  const { backup, productData, signal, addFault } = trial;
  await withSession(connection, async (client) => {
    const given = rowsOf(backup);
    const { unknown } = await loadDatabase(client, given, {
      onTable: () => signal?.throwIfAborted(),
      ...(signal && { signal }),
    });
    for (const table of unknown) addFault(`${table} is no table of Postcard's: it is not restored`);
    for (const shape of given.tables) {
      if (unknown.includes(shape.table)) continue;
      signal?.throwIfAborted();
      const { rows, sha256 } = await hashTable(client, shape);
      if (rows !== shape.rows)
        addFault(`${shape.table} came back with ${rows} rows of ${shape.rows}`);
      else if (sha256 !== shape.text.sha256) addFault(`${shape.table} came back with other rows`);
    }
    await compareImages(trial, client);
  });
  const log = { warn: () => {}, error: () => {} };
  const db = createDatabase({ connection, log, bounds: patientBounds });
  try {
    const drift = await productData.reconcile(db);
    const [first] = drift;
    if (first) {
      const { counter, id, stored, counted } = first;
      addFault(
        `${drift.length} counters are not what they count, as ${counter} of ${id}: ${stored}, not ${counted}`,
      );
    }
  } finally {
    await db.close();
  }
}

/** Whether every file that a row names is in the list, or listed there as missing. */
async function compareImages(
  { backup, productData, addFault }: Trial,
  client: pg.Client,
): Promise<void> {
  const list = openImageList(join(backup.folder, "pictures.jsonl.gz"), productData.imageTables);
  for await (const { table, area, page } of imagePages(client, productData.imageTables, 500)) {
    for (const row of page) {
      const found = await list.find(table, row.key);
      const listed = new Set([
        ...(found?.files ?? []).map(([name]) => name),
        ...(found?.missing ?? []),
      ]);
      const lacking = fileNamesOf(row).find((name) => !listed.has(name));
      if (lacking) addFault(`${pathOfImage({ area, key: row.key }, lacking)} is not in the backup`);
    }
  }
  await list.close();
}
