import { mkdtemp, readFile, rm } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import {
  continuousIn,
  listChains,
  packedFile,
  type ChainManifest,
} from "#server/platform/backup/chain.ts";
import { packIfThere } from "#server/platform/backup/chain-files.ts";
import { beginBase, endBase, readServer } from "#server/platform/backup/base.queries.ts";
import { announceImages, forgetAnnounced } from "#server/platform/backup/chain-images.ts";
import { copyImages } from "#server/platform/backup/copy-images.ts";
import { dataFilesIn } from "#server/platform/backup/data-files.ts";
import {
  join,
  makeFolder,
  move,
  realPath,
  removeAll,
  scratchOf,
  sync,
  writeBytes,
} from "#server/platform/backup/files.ts";
import { oldestUnfinished } from "#server/platform/backup/images.queries.ts";
import { listBackups, sealManifest } from "#server/platform/backup/manifest.ts";
import { markFolder, refuseUnmarked } from "#server/platform/backup/mark.ts";
import { draftNames, draftStart, imageListName, nameOf } from "#server/platform/backup/names.ts";
import { requireSomeSpace } from "#server/platform/backup/required-space.ts";
import { openTarget, type Target } from "#server/platform/backup/ship.ts";
import {
  existingLists,
  imageListsIn,
  packList,
  type Source,
} from "#server/platform/backup/take-images.ts";
import { claimBackup, identityOf, releaseBackup } from "#server/platform/db/dump.ts";
import { parsePosition, segmentAt } from "#server/platform/db/wal-segments.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { hashOfBytes, type Hashed } from "#server/platform/hashing.ts";
import { version } from "#server/platform/version.ts";
import { limits } from "#shared/limits.ts";

/** How often what PostgreSQL wrote meanwhile is shipped, milliseconds. */
const shipMs = 60_000;
/** How long the last segment of a base may take to reach the spool, milliseconds. */
const lastSegmentMs = 10 * 60_000;

export type BaseWork = {
  client: pg.Client;
  source: Omit<Source, "connection">;
  /** the data folder of PostgreSQL */
  cluster: string;
  path: string;
  signal: AbortSignal;
  /** runs before the base begins: from then on PostgreSQL copies its log */
  onBegin: () => Promise<void>;
  /** ships what is in the spool to the draft as well; called again and again */
  ship: (draft: Target, seen: string) => Promise<string>;
};

/** A chain; `imagesSeen` is for copyNewImages. */
export type TakenBase = {
  target: Target;
  manifest: ChainManifest;
  name: string;
  imagesSeen: string;
};

/**
 * Copies the data folder of a running PostgreSQL into a new chain, with the images and the log that it needs:
 * it is there whole, under its own name, or not at all. Throws one sentence.
 */
export async function takeBase(work: BaseWork): Promise<TakenBase> {
  const { client, path } = work;
  // Both would copy the same images. Later on neither disturbs the other.
  if (!(await claimBackup(client))) throw busy();
  await releaseBackup(client);
  await refuseUnmarked(client, path);
  const directory = realPath(path);
  await requireSomeSpace(directory, work.source.dataDir);
  await refuseFullDatabase(work.source.dataDir);
  const chains = continuousIn(directory);
  await makeFolder(chains);
  for (const name of await draftNames(chains)) await removeAll(join(chains, name));
  const draft = isInBucket(chains)
    ? join(chains, nameOf(new Date()))
    : await mkdtemp(join(chains, draftStart));
  try {
    for (const name of ["wal", "files"]) await makeFolder(join(draft, name));
    const seen = await oldestUnfinished(client);
    const pictures = await takeImages(work, directory, draft);
    return await copyData({ ...work, directory, draft, seen, pictures });
  } catch (error) {
    await removeAll(draft).catch(() => undefined);
    throw error;
  }
}

const busy = () =>
  Object.assign(new Error("Another backup is under way."), { name: "AnotherBackup" });

/** Whether takeBase threw because another backup is under way: it is worth another try soon. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && error.name === "AnotherBackup";

/** Without room for its log the base would be given up before it is whole. */
async function refuseFullDatabase(dataDir: string): Promise<void> {
  if ((await freeBytesIn(dataDir)) >= limits.uploads.reserve) return;
  throw new Error(`The disk of ${dataDir} is full: make room.`);
}

/** Copies the images that are not there yet, and lists all of them. */
async function takeImages(
  { client, source, signal }: BaseWork,
  directory: string,
  draft: string,
): Promise<ChainManifest["pictures"]> {
  const { imageTables: tables, stores, dataDir } = source;
  const newest = (await listBackups(directory, 1))[0]?.folder;
  const [chain] = (await listChains(directory)).slice(-1);
  const lists = [
    ...(newest ? imageListsIn(newest) : []),
    join(chain?.folder ?? draft, imageListName),
  ];
  const list = join(await scratchOf(draft), "seen-0.jsonl");
  await rm(list, { force: true });
  await announceImages(client, tables, draft);
  const found = await copyImages({
    client,
    tables,
    stores,
    directory,
    known: await existingLists(lists),
    list,
    onPage: async () => {
      signal.throwIfAborted();
      await requireSomeSpace(directory, dataDir);
    },
  });
  const pictures = await packList(list, join(draft, imageListName), found);
  await sync(draft);
  await rm(list);
  await forgetAnnounced(draft);
  return pictures;
}

type Data = BaseWork & {
  directory: string;
  draft: string;
  seen: string;
  pictures: ChainManifest["pictures"];
};

async function copyData(work: Data): Promise<TakenBase> {
  const { client, source, draft, signal } = work;
  await work.onBegin();
  const server = await readServer(client);
  const startLsn = await beginBase(client);
  const startSegment = segmentAt(parsePosition(startLsn), server);
  const target = await openTarget(draft, { ...server, startSegment });
  const copied = await copyFiles(work, target);
  const stop = await endBase(client);
  const stopSegment = segmentAt(parsePosition(stop.lsn) - 1n, server);
  let { seen } = copied;
  for (const until = Date.now() + lastSegmentMs; target.next <= stopSegment; await sleep(200)) {
    signal.throwIfAborted();
    seen = await work.ship(target, seen);
    if (target.end !== "") throw new Error(`The base is not whole: ${target.end}`);
    if (Date.now() > until) throw new Error("PostgreSQL did not copy the last piece of its log.");
  }
  const { secretsHash: installation, ...made } = await identityOf(client);
  const { takenAt: _, ...madeWith } = made;
  const manifest: ChainManifest = {
    format: 1,
    product: "postcard",
    version,
    takenAt: stop.at.toISOString(),
    installation,
    settings: source.settings,
    ...madeWith,
    ...server,
    startLsn,
    stopLsn: stop.lsn,
    startSegment,
    stopSegment,
    folders: copied.folders,
    files: copied.files,
    backupLabel: await write(join(draft, "backup_label"), stop.label),
    tablespaceMap: await write(join(draft, "tablespace_map"), stop.map),
    secrets: await write(join(draft, "secrets.json"), await readFile(source.secretsFile)),
    pictures: work.pictures,
  };
  return { target, manifest, imagesSeen: seen, name: await putInPlace(work, manifest) };
}

/** Copies the data folder, and ships meanwhile. */
async function copyFiles(work: Data, target: Target) {
  const { cluster, draft, directory, source, signal } = work;
  let { seen } = work;
  let shippedAt = Date.now();
  const folders: string[] = [];
  const files: ChainManifest["files"] = [];
  for await (const { path, isFolder } of dataFilesIn(cluster)) {
    signal.throwIfAborted();
    if (Date.now() - shippedAt > shipMs) {
      await requireSomeSpace(directory, source.dataDir);
      seen = await work.ship(target, seen);
      shippedAt = Date.now();
    }
    if (isFolder) {
      folders.push(path);
      await makeFolder(join(draft, "files", path));
    } else {
      const packed = await packIfThere(join(cluster, path), join(draft, packedFile(path)));
      if (packed) files.push({ path, ...packed });
    }
  }
  return { folders, files, seen };
}

async function write(path: string, content: string | Buffer): Promise<Hashed> {
  const bytes = Buffer.from(content);
  await writeBytes(path, bytes);
  return hashOfBytes(bytes);
}

/** Seals a complete draft, makes it durable, and returns its final name, which one in a bucket has before. */
async function putInPlace({ client, path, directory, draft }: Data, manifest: ChainManifest) {
  await sealManifest(draft, manifest);
  const { folders, files, installation, takenAt } = manifest;
  // All at the end: by then most of it is on the disk, and each takes a fraction.
  for (const file of files) await sync(join(draft, packedFile(file.path)));
  for (const folder of folders) await sync(join(draft, "files", folder));
  for (const folder of ["files", "wal", ""]) await sync(join(draft, folder));
  const chains = continuousIn(directory);
  const name = isInBucket(draft) ? basename(draft) : nameOf(new Date(takenAt));
  const place = join(chains, name);
  if (place !== draft) await move(draft, place);
  for (const folder of [chains, directory]) await sync(folder);
  await markFolder(client, path, installation);
  return name;
}
