import { lstat, realpath } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { join, lengthOf, orMissing, readFrom } from "#server/platform/backup/files.ts";
import { hashing, hashOf, type Hashed } from "#server/platform/hashing.ts";

/* What is wrong with a file of a backup, as an end of the sentence "pictures.jsonl.gz …". */

/** Null if a file is unchanged and really at its path: a link could lead anywhere. */
export async function whyDamaged(
  folder: string,
  name: string,
  wanted: Hashed,
  signal?: AbortSignal,
): Promise<string | null> {
  const why = await whyNotPlain(folder, name);
  if (why !== null) return why;
  const path = join(folder, name);
  // The length of a damaged file often says it at once; one in a bucket is a request for itself.
  const length = isInBucket(path) ? wanted.bytes : await lengthOf(path);
  if (length !== wanted.bytes) return `has ${length} bytes instead of ${wanted.bytes}`;
  const found = await orMissing(hashOf(readFrom(path), signal));
  if (found === null) return "is missing";
  if (found.bytes !== wanted.bytes) return `has ${found.bytes} bytes instead of ${wanted.bytes}`;
  return found.sha256 === wanted.sha256 ? null : "is not what was written";
}

/** What is wrong with a file before it is read: it is missing, a link, behind one, or not a file. */
export async function whyNotPlain(folder: string, name: string): Promise<string | null> {
  if (isInBucket(folder)) return null;
  const path = join(folder, name);
  const found = await orMissing(lstat(path));
  if (!found) return "is missing";
  const isPlain = found.isFile() && (await realpath(path)) === join(await realpath(folder), name);
  return isPlain ? null : "is not an ordinary file";
}

/** Null if a compressed file unpacks to what was written, otherwise what is wrong. */
export async function whyPackedDamaged(
  folder: string,
  name: string,
  wanted: Hashed,
  signal?: AbortSignal,
): Promise<string | null> {
  const why = await whyNotPlain(folder, name);
  if (why !== null) return why;
  const hash = hashing();
  try {
    hash.stream.resume();
    const read = pipeline([readFrom(join(folder, name)), createGunzip(), hash.stream], { signal });
    if ((await orMissing(read.then(() => true))) === null) return "is missing";
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    return "is not what was written";
  }
  const { bytes, sha256 } = hash.result();
  return bytes === wanted.bytes && sha256 === wanted.sha256 ? null : "is not what was written";
}
