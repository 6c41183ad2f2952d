import { lstat, realpath } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import { orMissing } from "#server/adapters/image-store/durable-files.ts";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { join, lengthOf, readFrom } from "#server/platform/backup/files.ts";
import { hashOf, type Hashed } from "#server/platform/hashing.ts";

/** A file of a backup, and what it has to be: once it is unpacked, where it is packed. */
export type WantedFile = Hashed & { name: string; isPacked?: boolean };

/** Which files of a backup are compared with their hashes, and who is told of each. */
export type Check = {
  /** by their paths from the folder of backups; all unless given */
  isIn?: ((path: string) => boolean) | undefined;
  onFile?: ((bytes: number) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/**
 * What is wrong with a file, as an end of the sentence "pictures.jsonl.gz …"; null if it is unchanged and really
 * at its path: a link could lead anywhere.
 */
export async function whyDamaged(
  folder: string,
  { name, bytes, sha256, isPacked = false }: WantedFile,
  signal?: AbortSignal,
): Promise<string | null> {
  const why = await whyNotPlain(folder, name);
  if (why !== null) return why;
  const path = join(folder, name);
  // The length of a damaged file often says it at once; one in a bucket is a request for itself.
  const length = isPacked || isInBucket(path) ? bytes : await lengthOf(path);
  if (length !== bytes) return `has ${length} bytes instead of ${bytes}`;
  try {
    const through = isPacked ? [createGunzip()] : [];
    const found = await orMissing(hashOf(readFrom(path), signal, through));
    if (found === null) return "is missing";
    if (found.sha256 === sha256) return null;
    const isCut = !isPacked && found.bytes !== bytes;
    return isCut ? `has ${found.bytes} bytes instead of ${bytes}` : "is not what was written";
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error as NodeJS.ErrnoException).code?.startsWith("Z_")) throw error;
    return "is not what was written";
  }
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
