import { rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { chooseSource } from "#server/platform/backup/choose-source.ts";
import { readDeletions } from "#server/platform/backup/deletions.ts";
import { bucketSentence } from "#server/platform/backup/bucket-files.ts";
import { join, readBytes } from "#server/platform/backup/files.ts";
import { deleteKnownFolders } from "#server/platform/backup/folder.queries.ts";
import {
  refuseFull,
  refuseOtherSecrets,
  refuseUsed,
  type Connection,
  type Filled,
  type RestoreOptions,
  type RestoreSource,
  type RestoreTarget,
} from "#server/platform/backup/restore-target.ts";
import { claimFreeDataDir, unfinishedRestore } from "#server/platform/data-dir.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { startEmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import { clearLogPositions, clearMachineState } from "#server/platform/db/load.ts";

export type Restored = Omit<RestoreSource, "verify" | "refuseFilled" | "prepare" | "fill"> &
  Filled & {
    /** how many accounts were deleted again, because they were deleted for good since the backup */
    deletedAgain: number;
  };

/**
 * Restores a backup into an empty DATA_DIR and its database: the one that is named, or what reaches furthest in
 * a folder of backups, or as it was at a moment (`to`). Everything is compared with its hash before anything is
 * written. After an interruption, the same command starts again; until it has finished no server starts on
 * it. Throws an Error with one sentence.
 */
export async function restoreBackup(
  given: string,
  config: RestoreTarget,
  options: RestoreOptions & { to?: Date | null },
): Promise<Restored> {
  try {
    return await restore(given, config, options);
  } catch (error) {
    const ofBucket = bucketSentence(error, given);
    const sentence = ofBucket ?? sentenceOf(error, config.dataDir, options.signal);
    throw new Error(sentence, { cause: error });
  }
}

async function restore(
  given: string,
  config: RestoreTarget,
  { to = null, ...options }: RestoreOptions & { to?: Date | null },
): Promise<Restored> {
  const { dataDir, databaseUrl, secretsFile, imageStore } = config;
  const source = await chooseSource(given, { to, isEmbedded: databaseUrl === null }, options);
  await source.verify();
  const goesOn = await refuseUsed(dataDir, source.mark);
  refuseOtherSecrets(secretsFile, await readBytes(join(source.folder, "secrets.json")));
  if (databaseUrl !== null) {
    await source.refuseFilled({ connectionString: databaseUrl }, goesOn);
  }
  const stores = openStores(dataDir, imageStore, options.log);
  await stores.check();

  const claim = claimFreeDataDir(dataDir);
  if (!claim) throw new Error(`DATA_DIR is ${dataDir}, but another Postcard is using that folder.`);
  await using undo = new AsyncDisposableStack();
  undo.defer(claim.release);
  const { database, images } = source.needed;
  const here = (databaseUrl === null ? database : 0) + (imageStore.kind === "s3" ? 0 : images);
  await refuseFull(dataDir, here);
  await writeFile(unfinishedRestore(dataDir), source.mark, { mode: 0o600, flush: true });
  let connection: Connection = { connectionString: databaseUrl ?? "" };
  if (databaseUrl === null) {
    await source.prepare(dataDir);
    const { log } = options;
    const onLost = (error: Error) => log.error({ err: error }, "PostgreSQL was lost");
    const postgres = await startEmbeddedPostgres({ dataDir, log, onLost });
    undo.defer(postgres.stop);
    ({ connection } = postgres);
  }
  const filled = await source.fill(connection, stores, goesOn);
  await clearMachine(connection);
  await writeSecrets(source, config, filled.imageStoreId);
  const deletedAgain = await applyDeletions(source, options);
  await allowStart(dataDir);
  return { ...source, ...filled, deletedAgain };
}

/** What belongs to the machine that was backed up. */
async function clearMachine(connection: Connection): Promise<void> {
  await withSession(connection, async (client) => {
    await clearLogPositions(client);
    await deleteKnownFolders(client);
    await clearMachineState(client);
  });
}

/** Restores the secrets, and claims the image store. */
async function writeSecrets(
  { folder }: RestoreSource,
  { dataDir, secretsFile, imageStore }: RestoreTarget,
  imageStoreId: string | null,
): Promise<void> {
  await writeFile(secretsFile, await readBytes(join(folder, "secrets.json")), {
    mode: 0o600,
    flush: true,
  });
  if (imageStoreId !== null && imageStore.kind !== "s3") {
    await writeFile(join(dataDir, "pictures.id"), `${imageStoreId}\n`, { mode: 0o600 });
  }
  await syncToDisk(dirname(secretsFile));
}

/** Accounts that were deleted for good do not come back, whenever that was. */
async function applyDeletions(
  { directory, notes }: RestoreSource,
  { deleteAgain }: RestoreOptions,
): Promise<number> {
  const { accounts, unreadable } = await readDeletions(directory);
  if (unreadable > 0) {
    notes.push(
      `${unreadable} lines of ${join(directory, "deletions.jsonl")} are damaged: as many accounts that were deleted may be back.`,
    );
  }
  return accounts.size > 0 ? deleteAgain(accounts) : 0;
}

/** Removes the mark that prevents servers from starting. */
async function allowStart(dataDir: string): Promise<void> {
  await rm(unfinishedRestore(dataDir));
  await syncToDisk(dataDir);
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
