import { whyDamaged } from "#server/platform/backup/damaged.ts";
import type pg from "pg";
import type { Logger } from "pino";
import { openStores } from "#server/adapters/image-store/open.ts";
import {
  compareCounters,
  compareImages,
  inDrillFolder,
  onVolatilePostgres,
  recordDrill,
  setAside,
  type AddFault,
  type DrilledData,
} from "#server/platform/backup/drill-folder.ts";
import { readAll, type Reading } from "#server/platform/backup/coverage.ts";
import {
  listBackups,
  verifyBackup,
  type Backup,
  type DrillResult,
} from "#server/platform/backup/manifest.ts";
import { imagesListedIn, pathOfImage } from "#server/platform/backup/images.ts";
import { imageFaults, putImages } from "#server/platform/backup/restore-images.ts";
import { rowsOf } from "#server/platform/backup/restore-rows.ts";
import { databaseBytes } from "#server/platform/backup/required-space.ts";
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
export function drill(backup: Backup, options: DrillOptions): Promise<DrillResult> {
  const { tables, pictures } = backup.manifest;
  const { reading = readAll, signal } = options;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = databaseBytes(backup.manifest);
  const drilled = { folder: backup.folder, what: "restored", bytes } as const;
  return recordDrill(drilled, options, async (addFault, isWhole) => {
    const trial = { ...options, backup, addFault };
    if (isWhole) await verifyBackup(backup, { signal });
    if (reading.isInParts(bytes)) await reading.read(bytes, (isIn) => readBackups(trial, isIn));
    let damaged = 0;
    await reading.read(pictures.bytes, async (isIn) => {
      const faults = imageFaults(backup, options.productData.imageTables, { isIn, signal });
      const found = await setAside(faults, addFault);
      damaged += found;
      return found;
    });
    if (isWhole) await restoreAndCompare(trial, damaged === 0);
    return { rows, pictures: pictures.count };
  });
}

type Trial = DrillOptions & { backup: Backup; addFault: AddFault };

/** Compares files of all backups in the folder with their hashes. Returns how many are damaged. */
async function readBackups({ backup, signal, addFault }: Trial, isIn: (path: string) => boolean) {
  let damaged = 0;
  for (const one of await listBackups(backup.directory)) {
    await verifyBackup(one, { isIn, signal }).catch((error: Error) => {
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
  const listed = () => imagesListedIn(backup.folder, imageTables);
  await putImages(backup.directory, listed(), stores, { most: sample });
  let looked = 0;
  for await (const image of listed()) {
    if (looked++ >= sample) return;
    const { files } = image;
    if (!files.some(([name]) => name === "original")) continue;
    for (const [name, bytes, sha256] of files) {
      const path = pathOfImage(image, name);
      const why = await whyDamaged(folder, { name: path, bytes, sha256 });
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
      signal,
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
    const lists = imagesListedIn(backup.folder, productData.imageTables);
    await compareImages(client, lists, trial);
  });
  await compareCounters(productData, connection, addFault);
}
