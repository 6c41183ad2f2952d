import { whyDamaged } from "#server/platform/backup/damaged.ts";
import type pg from "pg";
import type { Logger } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import {
  compareCounters,
  coverageNow,
  inDrillFolder,
  onVolatilePostgres,
  recordDrill,
  setAside,
  type AddFault,
  type DrilledData,
} from "#server/platform/backup/drill-folder.ts";
import { join } from "#server/platform/backup/files.ts";
import { readAll, type Reading } from "#server/platform/backup/coverage.ts";
import {
  listBackups,
  verifyBackup,
  type Backup,
  type DrillResult,
} from "#server/platform/backup/manifest.ts";
import {
  openImageList,
  fileNamesOf,
  pathOfImage,
  readImageList,
} from "#server/platform/backup/images.ts";
import { imageFaults, restoreImages } from "#server/platform/backup/restore-images.ts";
import { rowsOf } from "#server/platform/backup/restore-rows.ts";
import { databaseBytes } from "#server/platform/backup/required-space.ts";
import { imagePages } from "#server/platform/backup/images.queries.ts";
import { hashTable, withSession } from "#server/platform/db/dump.ts";
import { loadDatabase } from "#server/platform/db/load.ts";

/** How many images are put into a store and read there; of all others, every byte is read in the backup. */
const sample = 100;

export type DrillOptions = {
  productData: DrilledData;
  dataDir: string;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** everything is read and restored without it */
  reading?: Reading;
  signal?: AbortSignal | undefined;
};

/**
 * Restores a backup into a temporary folder of DATA_DIR with a PostgreSQL of its own, compares the result
 * with what was backed up, and stores the result of the drill beside the backup. It compares the rows of
 * every table by their text, counters with the rows they count, every file of an image with its hash, and
 * every image that a row names with the list. Damaged images are moved aside, so that the next backup copies
 * them again. What is too large for that is read in parts (coverage.ts), then of all backups in the folder.
 * Throws only if it was stopped.
 */
export async function drill(backup: Backup, options: DrillOptions): Promise<DrillResult> {
  const { tables, pictures } = backup.manifest;
  const { reading = readAll, signal } = options;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const needed = databaseBytes(backup.manifest);
  const restores = reading.isRestoreDue("restored", needed);
  const result = await recordDrill(backup.folder, signal, async (addFault) => {
    const trial = { ...options, backup, addFault };
    if (restores) await verifyBackup(backup, () => {}, signal);
    if (reading.isInParts(needed)) await reading.read(needed, (isIn) => readBackups(trial, isIn));
    let damaged = 0;
    await reading.read(pictures.bytes, async (isIn) => {
      const { imageTables } = options.productData;
      const found = await setAside(
        imageFaults(backup, imageTables, () => {}, signal, isIn),
        addFault,
      );
      damaged += found;
      return found;
    });
    if (restores) await restoreAndCompare(trial, damaged === 0);
    return { rows, pictures: pictures.count, ...coverageNow(reading, "restored", restores) };
  });
  if (restores && result.faults.length === 0) reading.noteRestored("restored");
  return result;
}

type Trial = DrillOptions & { backup: Backup; addFault: AddFault };

/** Compares files of all backups in the folder with their hashes. Returns how many are damaged. */
async function readBackups({ backup, signal, addFault }: Trial, isIn: (path: string) => boolean) {
  let damaged = 0;
  for (const one of await listBackups(backup.directory)) {
    await verifyBackup(one, () => {}, signal, isIn).catch((error: Error) => {
      signal?.throwIfAborted();
      damaged += 1;
      addFault(error.message);
    });
  }
  return damaged;
}

async function restoreAndCompare(trial: Trial, withImages: boolean): Promise<void> {
  const { backup, dataDir, addFault } = trial;
  await inDrillFolder(dataDir, databaseBytes(backup.manifest), async (folder) => {
    if (withImages) await restoreSample(trial, folder);
    await onVolatilePostgres(folder, addFault, (connection) => compareDatabase(trial, connection));
  });
}

async function restoreSample({ backup, productData, log, addFault }: Trial, folder: string) {
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
  await compareCounters(productData, connection, addFault);
}

/** Whether every file that a row names is in the list, or listed there as missing. */
async function compareImages({ backup, productData, addFault }: Trial, client: pg.Client) {
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
