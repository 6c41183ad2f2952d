import { createReadStream, createWriteStream, realpathSync } from "node:fs";
import { mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join as joinPath } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import {
  namesIn as namesInFolder,
  orMissing,
  syncToDisk,
  writeDurably,
} from "#server/adapters/image-store/durable-files.ts";
import {
  bucketOf,
  isInBucket,
  nameOf,
  objectBytes,
  objectLengths,
  objectNames,
  putObject,
  readObject,
  removeObject,
  removeObjects,
  withCopy,
} from "#server/platform/backup/bucket-files.ts";
import {
  addToList,
  endOfList,
  isList,
  listBytes,
  readList,
  removeList,
} from "#server/platform/backup/bucket-lists.ts";

/*
 * The files of backups, in a folder or in a bucket: a path that begins with s3:// is in a bucket
 * (bucket-files.ts). What is written here is durable afterwards, except where that is said.
 */

/** As that of node:path, and `s3://` stays. */
export const join = (...parts: string[]): string =>
  joinPath(...parts).replace(/^s3:\/(?!\/)/, "s3://");

export const realPath = (path: string): string => (isInBucket(path) ? path : realpathSync(path));

/** The names in a folder, in order; none if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  const bucket = bucketOf(folder);
  return (await (bucket ? objectNames(bucket, folder) : namesInFolder(folder))).toSorted();
}

/** The length of a file in bytes; null if there is none. */
export async function lengthOf(path: string): Promise<number | null> {
  const bucket = bucketOf(path);
  if (bucket) return (isList(path) ? listBytes : objectBytes)(bucket, path);
  const found = await orMissing(stat(path));
  return found?.isFile() ? found.size : null;
}

/** The folders whose lengths are known at the same time. */
const mostGroups = 4;

/**
 * Looks up the lengths of many images, whose paths come roughly in order; null for one that is missing. A
 * bucket is asked for all whose keys begin alike.
 */
export function createLengths(): (path: string) => Promise<number | null> {
  const groups = new Map<string, Promise<Map<string, number>>>();
  return async (path) => {
    const bucket = bucketOf(path);
    const group = /^.*\/[0-9a-f]{2}(?=\/)/.exec(path)?.[0];
    if (!bucket || group === undefined) return lengthOf(path).catch(() => null);
    const known = groups.get(group) ?? objectLengths(bucket, group);
    groups.set(group, known);
    const [oldest] = groups.keys();
    if (groups.size > mostGroups && oldest !== undefined) groups.delete(oldest);
    return (await known).get(path) ?? null;
  };
}

/** Fails with ENOENT for a missing file. */
export function readFrom(path: string): Readable {
  const bucket = bucketOf(path);
  if (bucket) return (isList(path) ? readList : readObject)(bucket, path);
  return createReadStream(path, { highWaterMark: 1 << 20 });
}

export const readBytes = (path: string): Promise<Buffer> =>
  isInBucket(path) ? buffer(readFrom(path)) : readFile(path);

/** Null if it is missing. */
export const readText = (path: string): Promise<string | null> => orMissing(text(readFrom(path)));

/** What is in a text of JSON, of this form; null if it is something else, or nothing. */
export function parsed<Form extends z.ZodType>(
  form: Form,
  json: string | null,
): z.output<Form> | null {
  try {
    return form.parse(JSON.parse(json ?? ""));
  } catch {
    return null;
  }
}

/** The last bytes of a list as text, or more; empty if it is missing. */
export async function readEnd(path: string, most: number): Promise<string> {
  const bucket = bucketOf(path);
  if (bucket) return endOfList(bucket, path, most);
  await using handle = await orMissing(open(path, "r"));
  if (!handle) return "";
  const { size } = await handle.stat();
  const from = Math.max(0, size - most);
  const bytes = Buffer.alloc(size - from);
  await handle.read(bytes, 0, bytes.length, from);
  return bytes.toString();
}

/** The end of a pipeline that writes a file (0600), a new one unless said otherwise. */
export const writeTo =
  (path: string, { flags = "wx", flush = true } = {}) =>
  (source: AsyncIterable<Uint8Array>): Promise<void> => {
    const bucket = bucketOf(path);
    if (bucket) return putObject(bucket, nameOf(path, bucket), source);
    return pipeline(source, createWriteStream(path, { mode: 0o600, flags, flush }));
  };

/** Writes a new file. */
export async function writeBytes(path: string, bytes: Buffer): Promise<void> {
  if (isInBucket(path)) await writeTo(path)(Readable.from([bytes]));
  else await writeDurably(path, bytes);
}

/** Writes a file in place of one that may be there: whole, or not at all. */
export async function replace(path: string, content: string): Promise<void> {
  if (isInBucket(path)) return writeBytes(path, Buffer.from(content));
  await writeFile(`${path}.new`, content, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
  await syncToDisk(dirname(path));
}

/** Adds to a list, or begins it. */
export async function append(path: string, added: string): Promise<void> {
  const bucket = bucketOf(path);
  if (bucket) return addToList(bucket, path, added);
  await using handle = await open(path, "a", 0o600);
  const { size } = await handle.stat();
  await handle.appendFile(added);
  await handle.sync();
  if (size === 0) await syncToDisk(dirname(path));
}

/** A missing file counts as removed. */
export async function remove(path: string): Promise<void> {
  const bucket = bucketOf(path);
  if (bucket) await (isList(path) ? removeList : removeObject)(bucket, path);
  else await rm(path, { force: true });
}

/** Removes a file, or a folder with all that is in it. */
export async function removeAll(path: string): Promise<void> {
  const bucket = bucketOf(path);
  if (bucket) await removeObjects(bucket, path);
  else await rm(path, { recursive: true, force: true });
}

/** Gives a file another name, durable once its folder is (sync). */
export async function move(from: string, to: string): Promise<void> {
  if (!isInBucket(from)) return rename(from, to);
  await writeTo(to)(readFrom(from));
  await remove(from);
}

/** Writes a file that is there whole or not at all: through a draft, which a bucket does not need. */
export async function writeWhole<T>(
  path: string,
  draft: string,
  write: (path: string) => Promise<T>,
): Promise<T> {
  if (isInBucket(path)) return write(path);
  try {
    const written = await write(draft);
    await move(draft, path);
    return written;
  } catch (error) {
    await remove(draft);
    throw error;
  }
}

/** A bucket has no folders. */
export async function makeFolder(path: string): Promise<void> {
  if (!isInBucket(path)) await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Makes a folder's entries, or one file's bytes, survive a power cut; an object does from the beginning. */
export async function sync(path: string): Promise<void> {
  if (!isInBucket(path)) await syncToDisk(path);
}

/** Where lists of backups are written line by line: the folder itself, or one of this machine for a bucket. */
export async function scratchOf(folder: string): Promise<string> {
  const scratch = bucketOf(folder)?.scratch;
  // A folder is never made here: its disk may be away.
  if (scratch === undefined) return folder;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  return scratch;
}

/** Works with a file of this machine: that at the path, or a copy of what is in a bucket. */
export function withLocal<T>(path: string, work: (local: string) => Promise<T>): Promise<T> {
  const bucket = bucketOf(path);
  return bucket ? withCopy(bucket, path, work) : work(path);
}
