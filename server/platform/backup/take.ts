import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type pg from "pg";
import type { ListedImage } from "#server/platform/backup/images.ts";
import type { CopyTotals } from "#server/platform/backup/copy-images.ts";
import {
  imageListsIn,
  copyImagesAndSnapshot,
  existingLists,
  type Progress,
  type Source,
} from "#server/platform/backup/take-images.ts";
import { listBackups, openBackup, type Backup } from "#server/platform/backup/manifest.ts";
import { recordDeletions } from "#server/platform/backup/deletions.ts";
import { markFolder, foreignBackupsError, refuseUnmarked } from "#server/platform/backup/mark.ts";
import { draftStart, imageListName, nameOf } from "#server/platform/backup/names.ts";
import { bucketSentence, isInBucket } from "#server/platform/backup/bucket-files.ts";
import { join, makeFolder, realPath, scratchOf } from "#server/platform/backup/files.ts";
import { putAll, putInPlace } from "#server/platform/backup/take-rows.ts";
import { claimBackup, withSession } from "#server/platform/db/dump.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import { requireSpace } from "#server/platform/backup/required-space.ts";

type Options = {
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal | undefined;
  freeBytes?: (folder: string) => Promise<number>;
  /** none is taken if the folder has one since then */
  dueSince?: Date;
  /** the folder is a new one under the same name: it needs no mark yet */
  newFolder?: boolean;
  /** runs after the backup is done, while no other backup can be taken */
  afterwards?: (taken: Backup) => Promise<void>;
};

export type Taken = Backup & {
  /** its images; `copied` are the files and bytes that are new */
  images: CopyTotals;
  /** images with files that are missing or truncated in the store: see check-pictures */
  faulty: ListedImage[];
};

/**
 * Takes a backup into a folder of backups while the installation is in use. It is there complete, under its
 * own name, or not at all; images that were copied stay for the next one. Throws an Error with one sentence.
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
      throw alreadyHandled("Another backup of this Postcard is under way: wait until it is done.");
    }
    const path = isInBucket(given) ? given : resolve(given);
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
  await makeFolder(path);
  const directory = realPath(path);
  const scratch = await scratchOf(directory);
  const leftovers = (await readdir(scratch)).filter((name) => name.startsWith(draftStart));
  const draft = await mkdtemp(join(scratch, draftStart));
  const made = { copied: 0 };
  try {
    const secrets = readSecrets(source.secretsFile);
    const before = await listBackups(directory);
    const newest = before.at(-1);
    if (options.dueSince && newest && new Date(newest.manifest.takenAt) >= options.dueSince) {
      throw alreadyHandled(`${directory} has a backup of this time already.`);
    }
    const { onProgress, signal, freeBytes } = options;
    const room = await requireSpace({ client, ...source, directory, before, freeBytes });
    const taking = { client, source, directory, draft, room, onProgress, signal };
    const folders = leftovers.map((name) => join(scratch, name));
    if (newest) folders.unshift(newest.folder);
    const found = await copyImagesAndSnapshot(taking, {
      known: await existingLists(folders.flatMap(imageListsIn)),
      made,
      refuse: ({ secretsHash }) => refuseOthers(before, secretsHash, directory),
    });
    const { snapshot, images, faulty } = found;
    const name = nameOf(snapshot.takenAt);
    const put = isInBucket(directory) ? putAll : putInPlace;
    await put(taking, name, { found, secrets });
    await markFolder(client, path, snapshot.secretsHash);
    await recordDeletions(client, directory);
    // The images they had copied are in this one now.
    for (const leftover of leftovers) {
      await rm(join(scratch, leftover), { recursive: true, force: true });
    }
    const taken = { ...(await openBackup(join(directory, name))), images, faulty };
    await options.afterwards?.(taken);
    return taken;
  } catch (error) {
    await retainImageList(draft, made.copied > 0);
    throw error;
  }
}

const alreadyHandled = (message: string) =>
  Object.assign(new Error(message), { name: "TakenCareOf" });

/** Whether takeBackup threw because another process takes the backup, or took it. */
export const isAlreadyHandled = ({ cause }: Error): boolean =>
  cause instanceof Error && cause.name === "TakenCareOf";

/** A failed backup leaves the hashes of its images: they do not have to be read again. */
async function retainImageList(draft: string, hasCopied: boolean): Promise<void> {
  if (!hasCopied) return rm(draft, { recursive: true, force: true }).catch(() => undefined);
  await rm(join(draft, "database"), { recursive: true, force: true }).catch(() => undefined);
  const written = ["secrets.json", imageListName, "manifest.json", "manifest.json.sha256"];
  for (const name of written) {
    await rm(join(draft, name), { force: true }).catch(() => undefined);
  }
}

/** Backups of several installations must not be in one folder: one would remove the other's images. */
function refuseOthers(before: Backup[], hash: string | null, directory: string): void {
  const other = before.find(
    ({ manifest }) => (manifest.installation ?? hash) !== (hash ?? manifest.installation),
  );
  if (other) throw foreignBackupsError(directory);
}

function readSecrets(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new Error(`${file} is missing, and no backup is whole without the secrets.`, { cause });
  }
}

/** The error as a sentence for an operator. */
function sentenceOf(error: unknown, directory: string, signal?: AbortSignal): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (signal?.aborted) return "The backup was stopped; the next one goes on from there.";
  if (code === "ENOSPC" || code === "EDQUOT") {
    return `The disk of ${directory} is full: make room and back up again; pictures that were copied stay.`;
  }
  const ofBucket = bucketSentence(error, directory);
  if (ofBucket !== null) return ofBucket;
  const fault = databaseFaultOf(error);
  if (fault !== null) return `The database went away (${code || message}): back up again.`;
  const ofFolder = ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EEXIST", "EIO"];
  if (ofFolder.includes(code)) return `${directory} cannot be written to (${code}).`;
  return message.split("\n", 1)[0] ?? "";
}
