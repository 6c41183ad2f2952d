import { setPriority } from "node:os";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import {
  recordFailure,
  recordCorruptImages,
  recordTaken,
  type Run,
} from "#server/platform/admin/backup-record.ts";
import { openConnection } from "#server/platform/admin/open.ts";
import { printLine } from "#server/platform/admin/print.ts";
import type { ProductData } from "#server/platform/admin/product-data.ts";
import type { ParsedArguments } from "#server/platform/admin/command-line.ts";
import { isInBucket, useBucket } from "#server/platform/backup/bucket-files.ts";
import { listChains } from "#server/platform/backup/chain.ts";
import { whyUnusable } from "#server/platform/backup/check-chain.ts";
import { readAll, readInParts } from "#server/platform/backup/coverage.ts";
import { drill, type DrillOptions } from "#server/platform/backup/drill.ts";
import { isDrillBusy } from "#server/platform/backup/drill-folder.ts";
import { drillChain } from "#server/platform/backup/drill-chain.ts";
import { realPath } from "#server/platform/backup/files.ts";
import type { DrillResult } from "#server/platform/backup/manifest.ts";
import { removeExpired } from "#server/platform/backup/retention.ts";
import { lastDueTime } from "#server/platform/backup/schedule.ts";
import type { Progress } from "#server/platform/backup/take-images.ts";
import { inMegabytes } from "#server/platform/backup/required-space.ts";
import { isAlreadyHandled, takeBackup, type Taken } from "#server/platform/backup/take.ts";
import { readBackupPlace, type Config } from "#server/config.ts";
import { createLog } from "#server/platform/log.ts";
import { behindOthers, untilStopped } from "#server/platform/lifecycle.ts";

/** How often progress is printed, milliseconds. */
const progressMs = 2000;
/** How many image names the log lists. */
const mostNamed = 20;

/** backup: run by an operator, who reads sentences, or by the server, which logs. */
export async function runBackup(
  config: Config,
  { options, operands }: ParsedArguments,
  productData: ProductData,
): Promise<number> {
  const scheduled = options["scheduled"] === true;
  const newFolder = options["new-folder"] === true;
  const place = operands[0] === undefined ? config : readBackupPlace(operands[0]);
  const { backupDir: directory, backupBucket } = place;
  if (directory === null) throw new Error("Say which folder, or set BACKUP_DIR.");
  if (backupBucket) useBucket(backupBucket, config.dataDir);
  const signal = untilStopped();
  const log = createLog(scheduled ? config.logLevel : "silent");
  const run = { config, directory, log, imageTables: productData.imageTables };
  if (scheduled) setPriority(behindOthers);
  try {
    if (scheduled && !isInBucket(directory) && !existsSync(directory)) {
      throw new Error(`BACKUP_DIR is ${directory}, but nothing is there: is its disk mounted?`);
    }
    const taken = await take(run, { signal, scheduled, newFolder, asked: options["now"] === true });
    if (scheduled) logBackup(log, taken);
    else printBackup(taken);
    await recordTaken(run);
    if (!scheduled && !options["drill"]) return 0;
    const isRight = await tryBoth(run, taken, productData, { scheduled, signal });
    const rotten = await recordCorruptImages(run, taken, signal);
    if (rotten.length > 0) {
      log.error(
        { rotten: rotten.slice(0, mostNamed) },
        "pictures rotted where the server keeps them",
      );
      if (!scheduled) printCorruptImages(rotten);
    }
    // A backup that cannot be used is replaced by a new one, but not before the next is due.
    return isRight || scheduled ? 0 : 1;
  } catch (error) {
    if (!scheduled || signal.aborted) throw error;
    const reason = (error as Error).message;
    if (isDrillBusy(error)) {
      log.info({ reason }, "the backup was taken, and not restored for a drill");
      return 0;
    }
    if (isAlreadyHandled(error as Error)) log.info({ reason }, "another one takes the backup");
    else {
      log.error({ reason }, "no backup was taken");
      await recordFailure(run, reason);
    }
    return 1;
  }
}

/** Restores a backup for a drill and replays the continuous one; whether both are right. */
async function tryBoth(
  run: Run,
  taken: Taken,
  productData: ProductData,
  { scheduled, signal }: Pick<Take, "scheduled" | "signal">,
): Promise<boolean> {
  const { config, log } = run;
  // Who asks for a drill has everything tried.
  const reading = scheduled ? await readInParts(taken.directory) : readAll;
  const options = { productData, dataDir: config.dataDir, log, signal, reading };
  const restored = await drill(taken, options);
  logDrill(log, "the backup was restored for a drill", taken.name, restored);
  if (!scheduled) printDrill("Restored for a drill", restored);
  const replayed = await replay(run, options);
  await reading.save();
  if (!scheduled && replayed) printDrill("Replayed the continuous backup", replayed);
  return restored.faults.length === 0 && !replayed?.faults.length;
}

/** Replays the newest continuous backup in the folder, for a drill; null if there is none that can be. */
async function replay({ directory, log }: Run, options: DrillOptions) {
  const chain = (await listChains(realPath(directory))).at(-1);
  if (!chain || whyUnusable(chain)) return null;
  const result = await drillChain(chain, options);
  logDrill(log, "the continuous backup was replayed for a drill", chain.name, result);
  return result;
}

function logDrill(log: Logger, what: string, backup: string, { faults, seconds }: DrillResult) {
  if (faults.length === 0) log.info({ backup, seconds }, `${what}, and everything is right`);
  else log.error({ backup, seconds, faults }, `${what}, and is not right`);
}

type Take = {
  signal: AbortSignal;
  scheduled: boolean;
  newFolder: boolean;
  /** an operator wants one, whether or not it is due */
  asked: boolean;
};

async function take(run: Run, { signal, scheduled, newFolder, asked }: Take) {
  const { config, directory, log, imageTables } = run;
  const { dataDir, databaseUrl, secretsFile, publicUrl, imageStore } = config;
  const here = databaseUrl === null ? join(dataDir, "postgres", "data") : dataDir;
  if (!existsSync(here)) throw new Error(`DATA_DIR is ${dataDir}, but no Postcard is there.`);
  const stores = openImageStores({ config, log });
  await stores.check();
  const database = await openConnection(config, log);
  return takeBackup(
    {
      connection: database.connection,
      imageTables,
      stores,
      dataDir,
      secretsFile,
      settings: { publicUrl, imageStore: imageStore.kind },
    },
    directory,
    {
      signal,
      newFolder,
      ...(!scheduled && { onProgress: throttledProgress(backupProgress) }),
      ...(scheduled && {
        ...(!asked && { dueSince: lastDueTime(config.backupAt, new Date()) }),
        afterwards: async (taken: { directory: string }) => {
          const removing = removeExpired(taken.directory, imageTables);
          const removed = await removing.catch((error: unknown) => {
            log.error({ err: error }, "old backups could not be removed");
            return [];
          });
          if (removed.length > 0) log.info({ removed }, "old backups were removed");
        },
      }),
    },
  ).finally(database.close);
}

/** Prints progress from time to time, on stderr. */
export function throttledProgress<Step>(
  sentence: (progress: Step) => string,
): (progress: Step) => void {
  let last = 0;
  return (progress) => {
    if (Date.now() - last < progressMs) return;
    last = Date.now();
    process.stderr.write(`${sentence(progress)}\n`);
  };
}

function backupProgress(progress: Progress): string {
  if ("table" in progress) return `Rows of ${progress.table}`;
  return `Pictures: ${progress.images} of ${progress.of}, ${inMegabytes(progress.copiedBytes)} copied`;
}

function figuresOf({ manifest, images, faulty }: Taken) {
  return {
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    pictures: images.count,
    copiedFiles: images.copied,
    copiedBytes: images.copiedBytes,
    missingFiles: faulty.reduce((sum, { missing }) => sum + missing.length, 0),
  };
}

function logBackup(log: Logger, taken: Taken): void {
  const { missingFiles, ...figures } = figuresOf(taken);
  log.info({ backup: taken.name, ...figures }, "a backup was taken");
  if (missingFiles > 0) log.warn({ missingFiles }, "pictures are missing: see check-pictures");
}

function printBackup(taken: Taken): void {
  const { rows, pictures, copiedFiles, copiedBytes, missingFiles } = figuresOf(taken);
  printLine(`Backed up to ${taken.folder}: ${rows} rows, ${pictures} pictures.`);
  printLine(
    `Copied ${copiedFiles} files of pictures (${inMegabytes(copiedBytes)}); the rest was there.`,
  );
  if (missingFiles > 0) {
    printLine(
      `${missingFiles} files of pictures are missing or cut: "npm run admin -- check-pictures" names them.`,
    );
  }
  printLine(
    "It holds the keys of the installation (secrets.json) and everything people wrote: keep it as safe.",
  );
}

function printCorruptImages(rotten: readonly string[]): void {
  printLine("Pictures are damaged or missing where the server keeps them; the backup has them:");
  for (const name of rotten.slice(0, mostNamed)) printLine(`  ${name}`);
}

function printDrill(what: string, { faults, seconds }: DrillResult): void {
  if (faults.length === 0) printLine(`${what} in ${seconds} s: everything is right.`);
  else printLine(`${what}, and it is not right:`);
  for (const fault of faults) printLine(`  ${fault}`);
}
