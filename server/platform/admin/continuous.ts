import { existsSync } from "node:fs";
import { setPriority } from "node:os";
import type pg from "pg";
import type { Logger } from "pino";
import { openImageStores } from "#server/adapters/image-store/open.ts";
import { readServer } from "#server/platform/backup/base.queries.ts";
import { bucketSentence, isInBucket, useBucket } from "#server/platform/backup/bucket-files.ts";
import { continuousIn, openChain, type Chain } from "#server/platform/backup/chain.ts";
import { copyNewImages } from "#server/platform/backup/chain-images.ts";
import {
  isBaseDue,
  readState,
  writeState,
  type ContinuousState,
} from "#server/platform/backup/continuous-state.ts";
import { recordDeletions } from "#server/platform/backup/deletions.ts";
import { join, lengthOf, realPath } from "#server/platform/backup/files.ts";
import type { ImageTables } from "#server/platform/backup/images.ts";
import { refuseUnmarked } from "#server/platform/backup/mark.ts";
import { requireSomeSpace } from "#server/platform/backup/required-space.ts";
import { openTarget, shipSpool, type Target } from "#server/platform/backup/ship.ts";
import {
  isBusy,
  takeBase,
  type BaseWork,
  type TakenBase,
} from "#server/platform/backup/take-base.ts";
import type { Config } from "#server/config.ts";
import { claimShipping, withSession } from "#server/platform/db/dump.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { readOff, spoolOf, switchOff, switchOn } from "#server/platform/db/wal-spool.ts";
import { behindOthers, untilStopped } from "#server/platform/lifecycle.ts";
import { createLog } from "#server/platform/log.ts";

/** After a base that failed, milliseconds. */
const baseAgainMs = 5 * 60_000;

type Work = {
  client: pg.Client;
  source: BaseWork["source"];
  spool: string;
  /** BACKUP_DIR */
  path: string;
  log: Logger;
  signal: AbortSignal;
};

/** Run by the server, once a minute (server/ship.ts). */
export async function runContinuous(config: Config, imageTables: ImageTables): Promise<number> {
  setPriority(behindOthers);
  const log = createLog(config.logLevel);
  return shipOnce({ config, imageTables, log, signal: untilStopped() });
}

type Given = { config: Config; imageTables: ImageTables; log: Logger; signal: AbortSignal };

/**
 * Ships what PostgreSQL copied into its spool to BACKUP_DIR, and takes a new base if one is due. What it did is
 * in DATA_DIR (continuous-state.ts). Returns 1 if something failed.
 */
export async function shipOnce({ config, imageTables, log, signal }: Given): Promise<number> {
  const { backupDir: path, dataDir, databaseUrl, secretsFile, publicUrl, imageStore } = config;
  const connection = databaseUrl === null ? findRunningPostgres(dataDir) : null;
  if (path === null || connection === null) return 0;
  const settings = { publicUrl, imageStore: imageStore.kind };
  const stores = openImageStores({ config, log });
  const source = { imageTables, stores, dataDir, secretsFile, settings };
  const given = { source, spool: spoolOf(dataDir), path, log, signal };
  let state = await readState(dataDir);
  const before = state.failure;
  const save = async (change: Partial<ContinuousState>) => {
    state = { ...state, ...change };
    await writeState(dataDir, state);
  };
  try {
    if (config.backupBucket) useBucket(config.backupBucket, dataDir);
    else if (!existsSync(path)) {
      throw new Error(`BACKUP_DIR is ${path}, but nothing is there: is its disk mounted?`);
    }
    await withSession(connection, async (client) => {
      if (!(await claimShipping(client))) return;
      state = await readState(dataDir);
      await work({ ...given, client }, () => state, save);
      if (state.failure !== "") await save({ failure: "" });
    });
    return 0;
  } catch (error) {
    if (signal.aborted) return 1;
    const failure = sentenceOf(error, path);
    await save({ failure });
    if (failure !== before) log.error({ reason: failure }, "the continuous backup cannot go on");
    return 1;
  }
}

type Save = (change: Partial<ContinuousState>) => Promise<void>;

async function work(given: Work, state: () => ContinuousState, save: Save): Promise<void> {
  const { client, spool, path, log } = given;
  // It was given up: what comes now does not follow what is there.
  if ((await readOff(spool)) !== null) await save({ chain: null });
  const open = await openCurrent(given, state(), save);
  if (open) {
    const imagesSeen = await ship(given, [open], state().imagesSeen, state().failure !== "");
    await save({ imagesSeen, reachesUntil: open.reachesUntil ?? state().reachesUntil });
    await recordDeletions(client, realPath(path));
    if (open.end !== "") await endChain(given, open.end, save);
  }
  if (!isBaseDue(state(), new Date())) return;
  const old = open?.end === "" ? [open] : [];
  const taken = await tryBase(save, {
    client,
    source: given.source,
    cluster: join(given.source.dataDir, "postgres", "data"),
    path,
    signal: given.signal,
    onBegin: () => switchOn(spool),
    ship: (draft, seen) => ship(given, [...old, draft], seen),
  });
  if (!taken) return;
  await save({
    chain: taken.name,
    systemIdentifier: taken.manifest.systemIdentifier,
    takenAt: taken.manifest.takenAt,
    reachesUntil: taken.target.reachesUntil,
    imagesSeen: taken.imagesSeen,
    baseNotBefore: null,
  });
  log.info({ chain: taken.name }, "a continuous backup began");
}

/** Null while another backup is under way. */
async function tryBase(save: Save, base: BaseWork): Promise<TakenBase | null> {
  try {
    return await takeBase(base);
  } catch (error) {
    if (isBusy(error)) return null;
    await save({ baseNotBefore: new Date(Date.now() + baseAgainMs).toISOString() });
    throw error;
  }
}

/** The chain that goes on, if there is one. */
async function openCurrent(
  given: Work,
  { chain, systemIdentifier }: ContinuousState,
  save: Save,
): Promise<Target | null> {
  if (chain === null) return null;
  const found = await findChain(given, chain, systemIdentifier);
  if (typeof found !== "string") return openTarget(found.folder, found.manifest);
  await endChain(given, found, save);
  return null;
}

/** A chain, or why nothing can be added to it. Throws where a folder that is not ours keeps it waiting. */
async function findChain(
  { client, path }: Work,
  name: string,
  systemIdentifier: string,
): Promise<Chain | string> {
  const folder = join(continuousIn(path), name);
  if (!(await isThere(folder))) {
    // Another disk, or none, may be mounted: ours may come back.
    await refuseUnmarked(client, path);
    return `${folder} is gone.`;
  }
  const server = await readServer(client);
  const chain = await openChain(realPath(path), name).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== undefined) throw error;
    return error.message;
  });
  if (typeof chain === "string" || server.systemIdentifier === systemIdentifier) return chain;
  return "this database is not the one it was made of.";
}

/** A bucket has no folders: the manifest stands for one. */
const isThere = async (folder: string): Promise<boolean> =>
  isInBucket(folder)
    ? (await lengthOf(join(folder, "manifest.json"))) !== null
    : existsSync(folder);

/** Nothing can be added to the chain any more: until a new one begins, PostgreSQL's log is not needed. */
async function endChain({ spool, log }: Work, why: string, save: Save): Promise<void> {
  log.warn({ reason: why }, "the continuous backup ended, and a new one begins");
  await switchOff(spool, { at: new Date().toISOString(), why });
  await save({ chain: null, baseNotBefore: null });
}

/**
 * Ships what is in the spool; returns which images are copied. If they cannot be, the log is shipped all the same
 * before this throws: they are copied later, and what people wrote is not lost with them.
 */
async function ship(given: Work, targets: Target[], seen: string, isOwed = false): Promise<string> {
  const { client, source, spool, path, signal } = given;
  const directory = realPath(path);
  const onPage = async () => {
    signal.throwIfAborted();
    await requireSomeSpace(directory, source.dataDir);
  };
  let imagesSeen = seen;
  let hasCopied = false;
  let failed: Error | null = null;
  const copyImages = async () => {
    hasCopied = true;
    await onPage();
    const copying = copyNewImages({
      client,
      imageTables: source.imageTables,
      stores: source.stores,
      directory,
      folders: targets.map(({ folder }) => folder),
      seen,
      onPage,
    });
    await copying.then(
      (until) => (imagesSeen = until),
      (error: Error) => (failed = error),
    );
  };
  await shipSpool(spool, targets, copyImages, signal);
  // Those that could not be copied before may be named by nothing that waits any more.
  if (isOwed && !hasCopied) await copyImages();
  if (failed) throw failed;
  return imagesSeen;
}

function sentenceOf(error: unknown, path: string): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  const ofBucket = bucketSentence(error, path);
  if (ofBucket !== null) return ofBucket;
  if (code === "ENOSPC" || code === "EDQUOT") return `The disk of ${path} is full: make room.`;
  const ofFolder = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EIO"];
  if (ofFolder.includes(code)) return `${path} cannot be written to (${code}).`;
  return message.split("\n", 1)[0] ?? "";
}
