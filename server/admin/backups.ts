import { setPriority } from "node:os";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { recordFailure, recordPictures, recordTaken } from "#server/admin/backup-record.ts";
import { line } from "#server/admin/print.ts";
import { wrongUsage, type Given } from "#server/admin/words.ts";
import { drill } from "#server/backup/drill.ts";
import { removeOld } from "#server/backup/keep.ts";
import { restoreBackup, type RestoreProgress } from "#server/backup/restore.ts";
import { lastTime } from "#server/backup/schedule.ts";
import type { Progress } from "#server/backup/take-pictures.ts";
import { inMegabytes } from "#server/backup/room.ts";
import { isTakenCareOf, takeBackup, type Taken } from "#server/backup/take.ts";
import type { Config } from "#server/config.ts";
import { openConnection } from "#server/installation.ts";
import { createLog } from "#server/log.ts";

/** How often it says how far it is, milliseconds. */
const tellMs = 2000;
/** Names of pictures that are said. */
const mostNamed = 20;
/** Whoever asks for a page goes first. */
const behindOthers = 10;

/** backup: by an operator, who reads sentences, or by the server, which logs. */
export async function takeOne(config: Config, { options, operands }: Given): Promise<number> {
  const scheduled = options["scheduled"] === true;
  const newFolder = options["new-folder"] === true;
  const directory = operands[0] ?? config.backupDir;
  if (directory === null) throw new Error("Say which folder, or set BACKUP_DIR.");
  const signal = untilStopped();
  const log = createLog(scheduled ? config.logLevel : "silent");
  const run = { config, directory, log };
  if (scheduled) setPriority(behindOthers);
  try {
    if (scheduled && !existsSync(directory)) {
      throw new Error(`BACKUP_DIR is ${directory}, but nothing is there: is its disk mounted?`);
    }
    const taken = await take(config, directory, { log, signal, scheduled, newFolder });
    if (scheduled) logTaken(log, taken);
    else tellTaken(taken);
    await recordTaken(run);
    if (!scheduled && !options["drill"]) return 0;
    const verdict = await drill(taken, { dataDir: config.dataDir, log, signal });
    const { faults, seconds } = verdict;
    const details = { backup: taken.name, seconds, ...(faults.length > 0 && { faults }) };
    if (faults.length > 0)
      log.error(details, "the backup was restored for a drill, and is not right");
    else log.info(details, "the backup was restored for a drill, and everything is right");
    if (!scheduled) tellVerdict(faults, seconds);
    const rotten = await recordPictures(run, taken, signal);
    if (rotten.length > 0) {
      log.error(
        { rotten: rotten.slice(0, mostNamed) },
        "pictures rotted where the server keeps them",
      );
      if (!scheduled) tellRotten(rotten);
    }
    // A backup that cannot be used is taken again, but not before its time.
    return faults.length === 0 || scheduled ? 0 : 1;
  } catch (error) {
    if (!scheduled || signal.aborted) throw error;
    const reason = (error as Error).message;
    if (isTakenCareOf(error as Error)) log.info({ reason }, "another one takes the backup");
    else {
      log.error({ reason }, "no backup was taken");
      await recordFailure(run, reason);
    }
    return 1;
  }
}

type Take = { log: Logger; signal: AbortSignal; scheduled: boolean; newFolder: boolean };

async function take(config: Config, directory: string, how: Take) {
  const { log, signal, scheduled, newFolder } = how;
  const { dataDir, databaseUrl, secretsFile, publicUrl, imageStore } = config;
  const here = databaseUrl === null ? join(dataDir, "postgres", "data") : dataDir;
  if (!existsSync(here)) throw new Error(`DATA_DIR is ${dataDir}, but no Postcard is there.`);
  const stores = openImageStores({ config, log });
  await stores.check();
  const database = await openConnection(config, log);
  try {
    return await takeBackup(
      {
        connection: database.connection,
        stores,
        dataDir,
        secretsFile,
        settings: { publicUrl, imageStore: imageStore.kind },
      },
      directory,
      {
        signal,
        newFolder,
        ...(!scheduled && { onProgress: teller(howFar) }),
        ...(scheduled && {
          dueSince: lastTime(config.backupAt, new Date()),
          afterwards: async (taken: { directory: string }) => {
            const removed = await removeOld(taken.directory).catch((error: unknown) => {
              log.error({ err: error }, "old backups could not be removed");
              return [];
            });
            if (removed.length > 0) log.info({ removed }, "old backups were removed");
          },
        }),
      },
    );
  } finally {
    await database.close();
  }
}

/** restore: into an empty DATA_DIR, and the database of DATABASE_URL where that is set. */
export async function restoreOne(config: Config, { operands }: Given): Promise<number> {
  const [from = ""] = operands;
  if (config.imageStoreFrom) throw wrongUsage("IMAGE_STORE_FROM is for moving pictures: unset it.");
  // A pooler has no sessions for what loads rows.
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const { backup, skipped, unknown } = await restoreBackup(
    from,
    { ...config, databaseUrl },
    {
      log: createLog("silent"),
      onProgress: teller(howFarRestored),
      signal: untilStopped(),
    },
  );
  const { takenAt, tables, pictures, settings } = backup.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  line(`Restored ${backup.folder}, of ${takenAt}: ${rows} rows and ${pictures.count} pictures.`);
  for (const key of skipped) line(`  without its original, so not restored: picture ${key}`);
  for (const table of unknown) line(`  no table of Postcard's, so not restored: ${table}`);
  line(`It was served at ${settings.publicUrl}. Start it with npm start.`);
  return 0;
}

function untilStopped(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    process.on(signal, () => stop.abort());
  }
  return stop.signal;
}

/** Says how far it is, from time to time, beside the answer. */
function teller<Told>(sentence: (told: Told) => string): (told: Told) => void {
  let last = 0;
  return (told) => {
    if (Date.now() - last < tellMs) return;
    last = Date.now();
    process.stderr.write(`${sentence(told)}\n`);
  };
}

function howFar(told: Progress): string {
  if ("table" in told) return `Rows of ${told.table}`;
  return `Pictures: ${told.pictures} of ${told.of}, ${inMegabytes(told.copiedBytes)} copied`;
}

function howFarRestored(told: RestoreProgress): string {
  if (told.step === "rows") return `Rows of ${told.table}`;
  if (told.step === "pictures") return `Pictures: ${told.done} of ${told.of}`;
  return `Comparing the backup with its hashes: ${inMegabytes(told.bytes)} of ${inMegabytes(told.of)}`;
}

function figuresOf({ manifest, pictures, faulty }: Taken) {
  return {
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    pictures: pictures.pictures,
    copiedFiles: pictures.copied,
    copiedBytes: pictures.copiedBytes,
    missingFiles: faulty.reduce((sum, { missing }) => sum + missing.length, 0),
  };
}

function logTaken(log: Logger, taken: Taken): void {
  const { missingFiles, ...figures } = figuresOf(taken);
  log.info({ backup: taken.name, ...figures }, "a backup was taken");
  if (missingFiles > 0) log.warn({ missingFiles }, "pictures are missing: see check-pictures");
}

function tellTaken(taken: Taken): void {
  const { rows, pictures, copiedFiles, copiedBytes, missingFiles } = figuresOf(taken);
  line(`Backed up to ${taken.folder}: ${rows} rows, ${pictures} pictures.`);
  line(
    `Copied ${copiedFiles} files of pictures (${inMegabytes(copiedBytes)}); the rest was there.`,
  );
  if (missingFiles > 0) {
    line(
      `${missingFiles} files of pictures are missing or cut: "npm run admin -- check-pictures" names them.`,
    );
  }
  line(
    "It holds the keys of the installation (secrets.json) and everything people wrote: keep it as safe.",
  );
}

function tellRotten(rotten: readonly string[]): void {
  line("Pictures are damaged or missing where the server keeps them; the backup has them:");
  for (const name of rotten.slice(0, mostNamed)) line(`  ${name}`);
}

function tellVerdict(faults: readonly string[], seconds: number): void {
  if (faults.length === 0) line(`Restored for a drill in ${seconds} s: everything is right.`);
  else line("Restored for a drill, and it is not right:");
  for (const fault of faults) line(`  ${fault}`);
}
