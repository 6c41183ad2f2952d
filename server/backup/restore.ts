import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import pLimit from "p-limit";
import type pg from "pg";
import type { Logger } from "pino";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { forgetFolders } from "#server/backup/folder.queries.ts";
import {
  fileOfTable,
  openBackup,
  verifyBackup,
  whyDamaged,
  type Backup,
} from "#server/backup/manifest.ts";
import {
  originalName,
  pathOfPicture,
  readPictures,
  storeOf,
  variantOf,
  type Picture,
  type PictureFile,
  type Stores,
} from "#server/backup/pictures.ts";
import { inMegabytes } from "#server/backup/take.ts";
import type { Config } from "#server/config.ts";
import { claimFreeDataDir, unfinishedRestore } from "#server/data-dir.ts";
import { identityOf, withSession } from "#server/db/dump.ts";
import { startEmbeddedPostgres } from "#server/db/embedded-postgres.ts";
import { faultOf } from "#server/db/faults.ts";
import {
  forgetLogPositions,
  forgetPlaces,
  isEmpty,
  loadDatabase,
  picturesIdOf,
} from "#server/db/load.ts";
import { freeBytesIn } from "#server/free-bytes.ts";
import { limits } from "#shared/limits.ts";

export type RestoreProgress =
  | { step: "verify"; bytes: number; of: number }
  | { step: "pictures"; done: number; of: number }
  | { step: "rows"; table: string };

type Options = {
  log: Pick<Logger, "info" | "warn" | "error">;
  onProgress?: (progress: RestoreProgress) => void;
  signal?: AbortSignal | undefined;
};

export type Restored = {
  backup: Backup;
  /** pictures whose original the store lacked when the backup was made: their files lie in it */
  skipped: string[];
  /** tables of somebody else's */
  unknown: string[];
};

const verifiedAtOnce = 4;
const restoredAtOnce = 4;
/** What rows take as tables with their indexes, as a multiple of their text. */
const rowsOnDisk = 4;
const clusterBytes = 200_000_000;

/**
 * Restores a backup, or the newest of a folder of backups, into an empty DATA_DIR and its database.
 * Everything is compared with its hash before anything is written. What was interrupted is done again by
 * the same command; until then no server starts on it. Throws an Error with one sentence.
 */
export async function restoreBackup(
  given: string,
  config: Pick<Config, "dataDir" | "databaseUrl" | "secretsFile" | "imageStore">,
  options: Options,
): Promise<Restored> {
  try {
    return await restore(given, config, options);
  } catch (error) {
    throw new Error(sentenceOf(error, config.dataDir, options.signal), { cause: error });
  }
}

async function restore(
  given: string,
  config: Pick<Config, "dataDir" | "databaseUrl" | "secretsFile" | "imageStore">,
  { log, onProgress, signal }: Options,
): Promise<Restored> {
  const { dataDir, databaseUrl, secretsFile, imageStore } = config;
  const backup = await openBackup(given);
  const { manifest, folder } = backup;
  await verifyAll(backup, (bytes, of) => onProgress?.({ step: "verify", bytes, of }), signal);
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
    const onTable = (table: string) => onProgress?.({ step: "rows", table });
    const told = (done: number) =>
      onProgress?.({ step: "pictures", done, of: manifest.pictures.count });
    const skipped = await restorePictures(backup, stores, { onPicture: told, signal });
    const loaded = await withSession(connection, async (client) => {
      const filled = await refuseFilled(client, backup, goesOn);
      const { unknown } = filled
        ? { unknown: [] }
        : await loadDatabase(client, rowsOf(backup), { onTable, ...(signal && { signal }) });
      await forgetLogPositions(client);
      await forgetFolders(client);
      await forgetPlaces(client);
      return { unknown, picturesId: await picturesIdOf(client) };
    });
    await writeFile(secretsFile, await readFile(join(folder, "secrets.json")), {
      mode: 0o600,
      flush: true,
    });
    if (loaded.picturesId !== null && imageStore.kind !== "s3") {
      await writeFile(join(dataDir, "pictures.id"), `${loaded.picturesId}\n`, { mode: 0o600 });
    }
    await syncToDisk(dirname(secretsFile));
    await rm(unfinishedRestore(dataDir));
    await syncToDisk(dataDir);
    return { backup, skipped, unknown: loaded.unknown };
  } finally {
    for (const step of undo.toReversed()) await step();
  }
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
  onBytes: (bytes: number, of: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { tables, pictures } = backup.manifest;
  const of = tables.reduce((sum, { file }) => sum + file.bytes, pictures.bytes);
  let read = 0;
  const onFile = (bytes: number) => onBytes((read += bytes), of);
  await verifyBackup(backup, onFile, signal);
  for await (const fault of pictureFaults(backup, onFile, signal)) {
    throw new Error(`The backup ${backup.folder} is damaged: ${fault.name} ${fault.why}.`);
  }
}

type PictureFault = { path: string; name: string; why: string };

/** Reads every file of every picture of a backup, and says which are not what was written. */
export async function* pictureFaults(
  { directory, folder, manifest }: Backup,
  onFile: (bytes: number) => void,
  signal?: AbortSignal,
): AsyncGenerator<PictureFault> {
  const limit = pLimit(verifiedAtOnce);
  const found = { count: 0, files: 0, bytes: 0 };
  for await (const { table, key, files } of readPictures(join(folder, "pictures.jsonl.gz"))) {
    signal?.throwIfAborted();
    const faults = await Promise.all(
      files.map(([name, bytes, sha256]) =>
        limit(async () => {
          const path = join("pictures", pathOfPicture(table, key, name));
          const why = await whyDamaged(directory, path, { bytes, sha256 }, signal);
          onFile(bytes);
          return why === null ? null : { path: join(directory, path), name: path, why };
        }),
      ),
    );
    found.count += 1;
    found.files += files.length;
    found.bytes += files.reduce((sum, file) => sum + file[1], 0);
    yield* faults.filter((fault) => fault !== null);
  }
  const { count, files, bytes } = manifest.pictures;
  if (found.count === count && found.files === files && found.bytes === bytes) return;
  const name = "pictures.jsonl.gz";
  yield { path: join(folder, name), name, why: "does not list what the manifest counts" };
}

/**
 * Puts pictures into stores, those aside that are there. Answers the keys of those without an original,
 * which no store takes.
 */
export async function restorePictures(
  { directory, folder }: Backup,
  stores: Stores,
  {
    onPicture,
    signal,
    most = Infinity,
  }: { onPicture?: (done: number) => void; signal?: AbortSignal | undefined; most?: number },
): Promise<string[]> {
  const skipped: string[] = [];
  const limit = pLimit(restoredAtOnce);
  let done = 0;
  const page: Promise<void>[] = [];
  const restoreOne = async (picture: Picture) => {
    if (!(await putPicture(join(directory, "pictures"), stores, picture)))
      skipped.push(picture.key);
    done += 1;
    onPicture?.(done);
  };
  const settle = async () => {
    const ends = await Promise.allSettled(page.splice(0));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
  };
  let taken = 0;
  for await (const picture of readPictures(join(folder, "pictures.jsonl.gz"))) {
    if (taken++ >= most) break;
    signal?.throwIfAborted();
    page.push(limit(restoreOne, picture));
    if (page.length >= 100) await settle();
  }
  await settle();
  return skipped;
}

/** False where there is no original to put. */
async function putPicture(pool: string, stores: Stores, picture: Picture): Promise<boolean> {
  const { table, key, files } = picture;
  const store = storeOf(stores, table);
  const pathOf = (name: string) => join(pool, pathOfPicture(table, key, name));
  const original = files.find(([name]) => name === originalName);
  if (!original) return false;
  const variants = files
    .filter(([name]) => name !== originalName)
    .map((file) => ({ file, ...variantOf(file[0]) }));
  const isThere = async ([name, bytes]: PictureFile) => {
    const { width, type } = variantOf(name);
    const found = await (name === originalName
      ? store.openOriginal(key)
      : store.open(key, width, type).catch(() => null));
    await found?.close();
    return found?.bytes === bytes;
  };
  const first = variants.filter(({ type }) => type === "webp");
  const there = await Promise.all([original, ...first.map(({ file }) => file)].map(isThere));
  if (there.includes(false)) {
    if (there.includes(true)) await store.remove([key]);
    const webp = await Promise.all(
      first.map(async ({ width, file }) => ({ width, bytes: await readFile(pathOf(file[0])) })),
    );
    await store.put(key, { variants: webp, original: pathOf(originalName) });
  }
  for (const { width, type, file } of variants) {
    if (type === "webp" || (await isThere(file))) continue;
    await store.add(key, { width, type, bytes: await readFile(pathOf(file[0])) });
  }
  return true;
}

/** Whether an interrupted restore of the same backup goes on here. */
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

/** Whether an interrupted restore had filled it already: all of it or nothing. */
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
  const text = manifest.tables.reduce((sum, table) => sum + table.text.bytes, 0);
  const rows = here.rows ? rowsOnDisk * text + clusterBytes : 0;
  const needed = rows + (here.files ? manifest.pictures.bytes : 0);
  const free = await freeBytesIn(dataDir);
  if (existsSync(join(dataDir, "images")) || free >= needed + limits.uploads.keptFree) return;
  throw new Error(
    `${dataDir} has no room for the backup: it may need ${inMegabytes(needed)} beside the ` +
      `${inMegabytes(limits.uploads.keptFree)} that stay free, and ${inMegabytes(free)} are free.`,
  );
}

function sentenceOf(error: unknown, dataDir: string, signal?: AbortSignal): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (signal?.aborted) return "The restore was stopped; the same command goes on from there.";
  if (code === "ENOSPC" || code === "EDQUOT" || faultOf(error) === "full") {
    return `The disk of ${dataDir} is full: make room and run the same command again.`;
  }
  if (faultOf(error) !== null) {
    return `The database cannot be reached (${code || message}): run the same command again.`;
  }
  return message.split("\n", 1)[0] ?? "";
}
