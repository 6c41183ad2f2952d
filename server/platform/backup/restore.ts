import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import type { Logger } from "pino";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { deleteKnownFolders } from "#server/platform/backup/folder.queries.ts";
import {
  fileOfTable,
  openBackup,
  verifyBackup,
  type Backup,
} from "#server/platform/backup/manifest.ts";
import type { ImageTables } from "#server/platform/backup/images.ts";
import { imageFaults, restoreImages } from "#server/platform/backup/restore-images.ts";
import { databaseBytes, inMegabytes } from "#server/platform/backup/required-space.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, unfinishedRestore } from "#server/platform/data-dir.ts";
import { identityOf, withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import {
  clearLogPositions,
  clearMachineState,
  isEmpty,
  loadDatabase,
  imageStoreIdOf,
} from "#server/platform/db/load.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

export type RestoreProgress =
  | { step: "verify"; bytes: number; of: number }
  | { step: "images"; done: number; of: number }
  | { step: "rows"; table: string };

type Options = {
  imageTables: ImageTables;
  log: Pick<Logger, "info" | "warn" | "error">;
  onProgress?: (progress: RestoreProgress) => void;
  signal?: AbortSignal | undefined;
};

export type Restored = {
  backup: Backup;
  /** images whose original the store lacked when the backup was made: their files are in the backup */
  skipped: string[];
  /** tables of another program */
  unknown: string[];
};

/**
 * Restores a backup, or the newest in a folder of backups, into an empty DATA_DIR and its database.
 * Everything is compared with its hash before anything is written. After an interruption, the same command
 * starts again; until it has finished no server starts on it. Throws an Error with one sentence.
 */
export async function restoreBackup(
  given: string,
  config: RestoreTarget,
  options: Options,
): Promise<Restored> {
  try {
    return await restore(given, config, options);
  } catch (error) {
    throw new Error(sentenceOf(error, config.dataDir, options.signal), { cause: error });
  }
}

type RestoreTarget = Pick<Config, "dataDir" | "databaseUrl" | "secretsFile" | "imageStore">;

async function restore(given: string, config: RestoreTarget, options: Options): Promise<Restored> {
  const { dataDir, databaseUrl, secretsFile, imageStore } = config;
  const { imageTables, log, onProgress, signal } = options;
  const backup = await openBackup(given);
  const { manifest, folder } = backup;
  await verifyAll(backup, options);
  const mark = `${folder} ${manifest.takenAt}\n`;
  const goesOn = await refuseUsed(dataDir, mark);
  refuseOtherSecrets(secretsFile, readFileSync(join(folder, "secrets.json")));
  if (databaseUrl !== null) {
    await withSession({ connectionString: databaseUrl }, (client) =>
      refuseFilled(client, backup, goesOn),
    );
  }
  const stores = openStores(dataDir, imageStore, log);
  await stores.check();

  const claim = claimFreeDataDir(dataDir);
  if (!claim) throw new Error(`DATA_DIR is ${dataDir}, but another Postcard is using that folder.`);
  const undo: (() => Promise<void> | void)[] = [claim.release];
  try {
    await refuseFull(dataDir, backup, {
      rows: databaseUrl === null,
      files: imageStore.kind !== "s3",
    });
    await writeFile(unfinishedRestore(dataDir), mark, { mode: 0o600, flush: true });
    let connection: pg.ClientConfig = { connectionString: databaseUrl ?? "" };
    if (databaseUrl === null) {
      const onLost = (error: Error) => log.error({ err: error }, "PostgreSQL was lost");
      const postgres = await startEmbeddedPostgres({ dataDir, log, onLost });
      undo.push(postgres.stop);
      ({ connection } = postgres);
    }
    const reportDone = (done: number) =>
      onProgress?.({ step: "images", done, of: manifest.pictures.count });
    const skipped = await restoreImages(backup, imageTables, stores, {
      onImage: reportDone,
      signal,
    });
    const { unknown, imageStoreId } = await restoreRows(backup, connection, goesOn, options);
    await finish(backup, config, imageStoreId);
    return { backup, skipped, unknown };
  } finally {
    for (const step of undo.toReversed()) await step();
  }
}

function restoreRows(
  backup: Backup,
  connection: pg.ClientConfig,
  goesOn: boolean,
  { onProgress, signal }: Options,
): Promise<{ unknown: string[]; imageStoreId: string | null }> {
  const onTable = (table: string) => onProgress?.({ step: "rows", table });
  return withSession(connection, async (client) => {
    const filled = await refuseFilled(client, backup, goesOn);
    const { unknown } = filled
      ? { unknown: [] }
      : await loadDatabase(client, rowsOf(backup), { onTable, ...(signal && { signal }) });
    await clearLogPositions(client);
    await deleteKnownFolders(client);
    await clearMachineState(client);
    return { unknown, imageStoreId: await imageStoreIdOf(client) };
  });
}

/**
 * Restores the secrets and claims the image store; then removes the mark that prevents servers from starting.
 */
async function finish(
  { folder }: Backup,
  { dataDir, secretsFile, imageStore }: RestoreTarget,
  imageStoreId: string | null,
): Promise<void> {
  await writeFile(secretsFile, await readFile(join(folder, "secrets.json")), {
    mode: 0o600,
    flush: true,
  });
  if (imageStoreId !== null && imageStore.kind !== "s3") {
    await writeFile(join(dataDir, "pictures.id"), `${imageStoreId}\n`, { mode: 0o600 });
  }
  await syncToDisk(dirname(secretsFile));
  await rm(unfinishedRestore(dataDir));
  await syncToDisk(dataDir);
}

/** The tables of a backup with their files, for loadDatabase. */
export function rowsOf({ folder, manifest }: Backup) {
  const tables = manifest.tables.map((table) => ({
    ...table,
    path: join(folder, fileOfTable(table.table)),
  }));
  return { migrations: manifest.migrations, tables };
}

async function verifyAll(
  backup: Backup,
  { imageTables, onProgress, signal }: Options,
): Promise<void> {
  const { tables, pictures } = backup.manifest;
  const of = tables.reduce((sum, { file }) => sum + file.bytes, pictures.bytes);
  let read = 0;
  const onFile = (bytes: number) => onProgress?.({ step: "verify", bytes: (read += bytes), of });
  await verifyBackup(backup, onFile, signal);
  for await (const fault of imageFaults(backup, imageTables, onFile, signal)) {
    throw new Error(`The backup ${backup.folder} is damaged: ${fault.name} ${fault.why}.`);
  }
}

/** Whether an interrupted restore of the same backup continues here. */
async function refuseUsed(dataDir: string, mark: string): Promise<boolean> {
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  const marker = unfinishedRestore(dataDir);
  if (existsSync(marker)) {
    if ((await readFile(marker, "utf8")) === mark) return true;
    throw new Error(
      `DATA_DIR is ${dataDir}, which holds half of another backup: empty it, and its database, first.`,
    );
  }
  const used = names.filter((name) => !["owner.lock", "lost+found"].includes(name));
  if (used.length === 0) return false;
  throw new Error(`DATA_DIR is ${dataDir}, which is not empty: restore into an empty folder.`);
}

function refuseOtherSecrets(file: string, wanted: Buffer): void {
  if (!existsSync(file) || readFileSync(file).equals(wanted)) return;
  throw new Error(`${file} holds other secrets than the backup: move it away first.`);
}

/** Whether an interrupted restore had already filled the database: it loads all of it or nothing. */
async function refuseFilled(client: pg.Client, { manifest }: Backup, goesOn: boolean) {
  if (await isEmpty(client)) return false;
  const { secretsHash, migrations } = goesOn
    ? await identityOf(client)
    : { secretsHash: null, migrations: [] };
  const same = JSON.stringify(migrations) === JSON.stringify(manifest.migrations);
  if (goesOn && same && secretsHash === manifest.installation) return true;
  throw new Error("The database is not empty: restore into one without any tables.");
}

async function refuseFull(
  dataDir: string,
  { manifest }: Backup,
  here: { rows: boolean; files: boolean },
): Promise<void> {
  const needed =
    (here.rows ? databaseBytes(manifest) : 0) + (here.files ? manifest.pictures.bytes : 0);
  const free = await freeBytesIn(dataDir);
  if (existsSync(join(dataDir, "images")) || free >= needed + limits.uploads.reserve) return;
  throw new Error(
    `${dataDir} has no room for the backup: it may need ${inMegabytes(needed)} beside the ` +
      `${inMegabytes(limits.uploads.reserve)} that stay free, and ${inMegabytes(free)} are free.`,
  );
}

function sentenceOf(error: unknown, dataDir: string, signal?: AbortSignal): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (signal?.aborted) return "The restore was stopped; the same command goes on from there.";
  if (code === "ENOSPC" || code === "EDQUOT" || databaseFaultOf(error) === "full") {
    return `The disk of ${dataDir} is full: make room and run the same command again.`;
  }
  if (databaseFaultOf(error) !== null) {
    return `The database cannot be reached (${code || message}): run the same command again.`;
  }
  return message.split("\n", 1)[0] ?? "";
}
