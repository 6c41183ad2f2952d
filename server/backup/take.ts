import {
  createReadStream,
  createWriteStream,
  existsSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import type { Stores } from "#server/backup/pictures.ts";
import { copyPictures, type Copied, type Picture } from "#server/backup/pictures.ts";
import {
  fileOfTable,
  listBackups,
  openBackup,
  type Backup,
  type Manifest,
} from "#server/backup/manifest.ts";
import { markFolder, othersIn, refuseUnmarked } from "#server/backup/mark.ts";
import { draftStart, nameOf } from "#server/backup/names.ts";
import { syncToDisk } from "#server/adapters/image-store/durable-files.ts";
import {
  beginSnapshot,
  claimBackup,
  dumpTable,
  endSnapshot,
  sizeOfTables,
  withSession,
  type Snapshot,
} from "#server/db/dump.ts";
import { faultOf } from "#server/db/faults.ts";
import { pictureTables } from "#server/features/administration/index.ts";
import { freeBytesIn } from "#server/free-bytes.ts";
import { stillNamed, sumOfPictures } from "#server/backup/pictures.queries.ts";
import { hashing, hashOfFile } from "#server/hashing.ts";
import { limits } from "#shared/limits.ts";

export type Source = {
  connection: pg.ClientConfig;
  stores: Stores;
  dataDir: string;
  secretsFile: string;
  settings: Manifest["settings"];
};

/** How far it is: pictures of so many, or the table that is copied. */
export type Progress = { pictures: number; of: number; copiedBytes: number } | { table: string };

type Options = {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
  freeBytes?: (folder: string) => Promise<number>;
  /** none is taken where the folder has one of since then */
  dueSince?: Date;
  /** the folder is another one than before, under the same name: it needs no mark yet */
  newFolder?: boolean;
  /** what is done while no other backup can be taken, once this one is there */
  afterwards?: (taken: Backup) => Promise<void>;
};

export type Taken = Backup & {
  /** pictures in it; files and bytes that were not there yet */
  pictures: Copied;
  /** pictures with files that the store lacks or that are cut: see check-pictures */
  faulty: Picture[];
};

/** Kept free on another disk than DATA_DIR's: room for what is written between two looks. */
const spareBytes = 64 * 1024 * 1024;
/** Snapshots after which a picture that goes at every one of them counts as missing. */
const mostSnapshots = 10;

/** The version of the product. */
const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as { version: string };

/**
 * Takes a backup into a folder of backups, beside whoever uses the installation. It is there whole, under
 * its own name, or not at all; pictures that were copied stay for the next one. Throws an Error with one
 * sentence.
 */
export async function takeBackup(
  source: Source,
  given: string,
  options: Options = {},
): Promise<Taken> {
  try {
    return await take(source, given, options);
  } catch (error) {
    throw new Error(sentenceOf(error, given, options.signal), { cause: error });
  }
}

async function take(source: Source, given: string, options: Options): Promise<Taken> {
  return withSession(source.connection, async (client) => {
    if (!(await claimBackup(client))) {
      throw takenCareOf("Another backup of this Postcard is under way: wait until it is done.");
    }
    const path = resolve(given);
    await refuseUnmarked(client, path, options.newFolder);
    return takeInto(client, source, path, options);
  });
}

async function takeInto(
  client: pg.Client,
  source: Source,
  path: string,
  options: Options,
): Promise<Taken> {
  await mkdir(path, { recursive: true, mode: 0o700 });
  const directory = realpathSync(path);
  const leftovers = (await readdir(directory)).filter((name) => name.startsWith(draftStart));
  const draft = await mkdtemp(join(directory, draftStart));
  const made = { copied: 0 };
  try {
    const secrets = readSecrets(source.secretsFile);
    const before = await listBackups(directory);
    const newest = before.at(-1);
    if (options.dueSince && newest && new Date(newest.manifest.takenAt) >= options.dueSince) {
      throw takenCareOf(`${directory} has a backup of this time already.`);
    }
    const known = [newest?.folder, ...leftovers.map((name) => join(directory, name))].flatMap(
      (folder) => (folder === undefined ? [] : listsIn(folder)),
    );
    const room = await roomFor({ client, source, directory, before, options });

    const { snapshot, pictures, faulty, list } = await picturesAndSnapshot({
      client,
      source,
      directory,
      draft,
      known: await present(known),
      room,
      options,
      made,
      refuse: ({ secretsHash }) => refuseOthers(before, secretsHash, directory),
    });
    const packed = join(draft, "pictures.jsonl.gz");
    const listed = hashing();
    await pipeline(
      createReadStream(list),
      createGzip(),
      listed.stream,
      createWriteStream(packed, { mode: 0o600, flush: true }),
    );

    await mkdir(join(draft, "database"), { mode: 0o700 });
    const tables: Manifest["tables"] = [];
    for (const shape of snapshot.tables) {
      options.onProgress?.({ table: shape.table });
      await room();
      const path = join(draft, fileOfTable(shape.table));
      tables.push({ ...shape, ...(await dumpTable(client, shape, path, options.signal)) });
    }
    await endSnapshot(client);

    await writeDurably(join(draft, "secrets.json"), secrets);
    const manifest: Manifest = {
      format: 1,
      product: "postcard",
      version,
      takenAt: snapshot.takenAt.toISOString(),
      installation: snapshot.secretsHash,
      settings: source.settings,
      postgres: snapshot.postgres,
      migrations: snapshot.migrations,
      tables,
      pictures: {
        list: listed.result(),
        count: pictures.pictures,
        files: pictures.files,
        bytes: pictures.bytes,
        missing: faulty.reduce((sum, { missing }) => sum + missing.length, 0),
      },
      secrets: await hashOfFile(join(draft, "secrets.json")),
    };
    await writeManifest(draft, manifest);
    for (const name of await readdir(draft)) {
      if (name.startsWith("seen-")) await rm(join(draft, name));
    }
    for (const folder of [join(draft, "database"), draft]) await syncToDisk(folder);
    const name = nameOf(snapshot.takenAt);
    await rename(draft, join(directory, name));
    await syncToDisk(directory);
    await markFolder(client, path, snapshot.secretsHash);
    // What they had copied is in this one now.
    for (const leftover of leftovers) {
      await rm(join(directory, leftover), { recursive: true, force: true });
    }
    const taken = { ...(await openBackup(join(directory, name))), pictures, faulty };
    await options.afterwards?.(taken);
    return taken;
  } catch (error) {
    await keepList(draft, made.copied > 0);
    throw error;
  }
}

const takenCareOf = (message: string) => Object.assign(new Error(message), { name: "TakenCareOf" });

/** Whether takeBackup threw because somebody else does it, or did. */
export const isTakenCareOf = ({ cause }: Error): boolean =>
  cause instanceof Error && cause.name === "TakenCareOf";

/** Of a backup that failed stays what its pictures' hashes are: they are not read again. */
async function keepList(draft: string, hasCopied: boolean): Promise<void> {
  if (!hasCopied) return rm(draft, { recursive: true, force: true }).catch(() => undefined);
  await rm(join(draft, "database"), { recursive: true, force: true }).catch(() => undefined);
  for (const name of [
    "secrets.json",
    "pictures.jsonl.gz",
    "manifest.json",
    "manifest.json.sha256",
  ]) {
    await rm(join(draft, name), { force: true }).catch(() => undefined);
  }
}

type Pictures = {
  client: pg.Client;
  source: Source;
  directory: string;
  draft: string;
  known: { path: string; trusted: boolean }[];
  room: () => Promise<void>;
  options: Options;
  /** told how many files were copied */
  made: { copied: number };
  refuse: (snapshot: Snapshot) => void;
};

/**
 * Pictures first, which takes long, then the snapshot, and then the few that came meanwhile: so whatever
 * the snapshot names is there, and nobody has to wait with deleting. Where a picture went just then, a
 * later snapshot, which does not name it, is taken instead.
 */
async function picturesAndSnapshot(work: Pictures) {
  const { client, source, directory, draft, known, room, options, made, refuse } = work;
  const { count: of } = await sumOfPictures(client, pictureTables);
  const onPage = async ({ pictures, copied, copiedBytes }: Copied) => {
    made.copied = Math.max(made.copied, copied);
    options.signal?.throwIfAborted();
    options.onProgress?.({ pictures, of, copiedBytes });
    await room();
  };
  const copy = async (number: number, lists: Pictures["known"]) => {
    const list = join(draft, `seen-${number}.jsonl`);
    const { stores } = source;
    return {
      list,
      ...(await copyPictures({ client, stores, directory, known: lists, list, onPage })),
    };
  };
  let { faulty, list, ...sum } = await copy(0, known);
  const lost = new Set<string>();
  for (let number = 1; ; number += 1) {
    const snapshot = await beginSnapshot(client);
    refuse(snapshot);
    if (existsSync(join(directory, nameOf(snapshot.takenAt)))) {
      // Of this very second there is one already.
      await endSnapshot(client);
      await sleep(1000);
      continue;
    }
    const found = await copy(number, [{ path: list, trusted: true }]);
    ({ faulty, list } = found);
    sum = {
      ...found,
      copied: sum.copied + found.copied,
      copiedBytes: sum.copiedBytes + found.copiedBytes,
    };
    const unsure = faulty.filter(({ key }) => !lost.has(key));
    if (unsure.length === 0 || number === mostSnapshots) {
      return { snapshot, pictures: sum, faulty, list };
    }
    await endSnapshot(client);
    for (const table of pictureTables) {
      const keys = unsure.filter((one) => one.table === table).map(({ key }) => key);
      for (const key of await stillNamed(client, table, keys)) lost.add(key);
    }
  }
}

/** The lists of pictures that a backup, or one that was interrupted, left behind. */
function listsIn(folder: string): string[] {
  return ["pictures.jsonl.gz", "seen-0.jsonl", "seen-1.jsonl"].map((name) => join(folder, name));
}

async function present(paths: readonly string[]): Promise<{ path: string; trusted: boolean }[]> {
  const found: { path: string; trusted: boolean }[] = [];
  for (const path of paths) {
    if (await stat(path).catch(() => null)) found.push({ path, trusted: false });
  }
  return found;
}

/** Nobody's backups are mixed with, or removed for, another installation's. */
function refuseOthers(before: Backup[], hash: string | null, directory: string): void {
  const other = before.find(
    ({ manifest }) => (manifest.installation ?? hash) !== (hash ?? manifest.installation),
  );
  if (other) throw othersIn(directory);
}

function readSecrets(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`${file} is missing, and no backup is whole without the secrets.`, { cause });
  }
}

/** Throws the sentence at the beginning when there is no room for all of it, and later when it runs out. */
async function roomFor(given: {
  client: pg.Client;
  source: Source;
  directory: string;
  before: Backup[];
  options: Options;
}): Promise<() => Promise<void>> {
  const { client, source, directory, before, options } = given;
  const { freeBytes = freeBytesIn } = options;
  const isSameDisk = (await stat(directory)).dev === (await stat(source.dataDir)).dev;
  const spare = isSameDisk ? limits.uploads.keptFree : spareBytes;
  const { bytes } = await sumOfPictures(client, pictureTables);
  // Variants take about as much again.
  const there = before.at(-1)?.manifest.pictures.bytes ?? 0;
  const needed = Math.max(0, 2 * bytes - there) + (await sizeOfTables(client));
  const free = await freeBytes(directory);
  if (free < needed + spare) {
    throw new Error(
      `${directory} has no room for a backup: it may need ${inMegabytes(needed)} beside the ` +
        `${inMegabytes(spare)} that stay free, and ${inMegabytes(free)} are free.`,
    );
  }
  return async () => {
    if ((await freeBytes(directory)) >= spare) return;
    throw Object.assign(new Error(), { code: "ENOSPC" });
  };
}

export const inMegabytes = (bytes: number): string =>
  bytes >= 10_000_000_000
    ? `${(bytes / 1_000_000_000).toFixed(1)} GB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;

async function writeManifest(draft: string, manifest: Manifest): Promise<void> {
  const path = join(draft, "manifest.json");
  await writeDurably(path, Buffer.from(`${JSON.stringify(manifest, null, 1)}\n`));
  const { sha256 } = await hashOfFile(path);
  await writeDurably(`${path}.sha256`, Buffer.from(`${sha256}  manifest.json\n`));
}

async function writeDurably(path: string, content: Buffer): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flag: "wx", flush: true });
}

/** What went wrong, for an operator. */
function sentenceOf(error: unknown, directory: string, signal?: AbortSignal): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (signal?.aborted) return "The backup was stopped; the next one goes on from there.";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk of ${directory} is full: make room and back up again; pictures that were copied stay.`;
  }
  const fault = faultOf(error);
  if (fault !== null) return `The database went away (${code || message}): back up again.`;
  const ofFolder = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST", "EIO"];
  if (ofFolder.includes(code)) return `${directory} cannot be written to (${code}).`;
  return message.split("\n", 1)[0] ?? "";
}
