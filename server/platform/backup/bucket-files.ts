import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isMissing } from "#server/adapters/image-store/durable-files.ts";
import { isS3Failure } from "#server/adapters/image-store/s3-answers.ts";
import { sentenceOfS3 } from "#server/adapters/image-store/s3-check.ts";
import { createS3Client, type S3Client } from "#server/adapters/image-store/s3-client.ts";
import { openObject, type OpenObject } from "#server/adapters/image-store/s3-object.ts";
import type { S3Settings } from "#server/adapters/image-store/settings.ts";

/*
 * Backups in a bucket, under the names that they have in a folder. An object is there whole or not at all, so
 * there are no drafts: what has no manifest yet is unfinished. Lists that grow: bucket-lists.ts.
 */

/** Pieces of a long object, bytes: 10,000 of them are the most that S3 takes. */
const partBytes = 32 * 1024 * 1024;
const type = "application/octet-stream";
/** How often an object may break off while it is read. */
const mostFailures = 5;

export type Bucket = {
  settings: S3Settings;
  client: S3Client;
  /** a folder of this machine for lists that are being written, and single files on their way */
  scratch: string;
};

const start = "s3://";
const buckets = new Map<string, Bucket>();

/** From now on paths that begin with `s3://bucket` lead there. */
export function useBucket(settings: S3Settings, dataDir: string): void {
  const client = createS3Client({ ...settings, prefix: "" });
  buckets.set(settings.bucket, { settings, client, scratch: join(dataDir, "backup-drafts") });
}

export const isInBucket = (path: string): boolean => path.startsWith(start);

/** The bucket of a path; null for one in a folder. */
export function bucketOf(path: string): Bucket | null {
  if (!isInBucket(path)) return null;
  const [name = ""] = path.slice(start.length).split("/", 1);
  const found = buckets.get(name);
  if (!found) throw new Error(`${path} is in a bucket that no setting names.`);
  return found;
}

/** What the bucket of a path has refused, in a sentence; null for any other error, and for a folder. */
export function bucketSentence(error: unknown, path: string): string | null {
  if (!isS3Failure(error)) return null;
  const bucket = bucketOf(path);
  if (!bucket) return null;
  return sentenceOfS3(error, bucket.settings, {
    what: "The bucket of the backups",
    variable: "BACKUP_DIR",
    keys: "S3_BACKUP_ACCESS_KEY_ID and S3_BACKUP_SECRET_ACCESS_KEY, or those of S3",
  });
}

/** The name of an object, from its path. */
export const nameOf = (path: string, { settings }: Bucket): string =>
  path.slice(start.length + settings.bucket.length + 1);

/** The names directly below a folder, and whether any are. */
export async function objectNames(bucket: Bucket, folder: string): Promise<string[]> {
  const found: string[] = [];
  const name = nameOf(folder, bucket);
  for await (const page of bucket.client.names(name && `${name}/`)) found.push(...page);
  return found;
}

/** Null if there is none. */
export async function objectBytes(bucket: Bucket, path: string): Promise<number | null> {
  const name = nameOf(path, bucket);
  // The shortest name that begins so comes first.
  const { value: page } = await bucket.client.list(name, 1).next();
  const [first] = page ?? [];
  return first?.name === name ? first.bytes : null;
}

/** The lengths of the objects below a folder, by their paths. */
export async function objectLengths(bucket: Bucket, folder: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const root = `${start}${bucket.settings.bucket}/`;
  for await (const page of bucket.client.list(`${nameOf(folder, bucket)}/`)) {
    for (const { name, bytes } of page) found.set(root + name, bytes);
  }
  return found;
}

/** Fails with ENOENT if there is none. */
export const readObject = (bucket: Bucket, path: string): Readable =>
  Readable.from(piecesOf(bucket, nameOf(path, bucket)));

/** One that breaks off is read on from there; what a request itself fails with had its tries. */
export async function* piecesOf(bucket: Bucket, name: string): AsyncGenerator<Uint8Array> {
  let found: OpenObject | null = null;
  let start = 0;
  let isTheirs = false;
  for (let failures = 0; ; failures += 1) {
    try {
      const rest = found && { start, end: found.bytes - 1 };
      found ??= await openObject(bucket.client, name);
      if (!found) throw Object.assign(new Error(`${name} is missing.`), { code: "ENOENT" });
      for await (const piece of found.read(rest ?? undefined)) {
        start += piece.length;
        // What is thrown here is the reader's.
        isTheirs = true;
        yield piece;
        isTheirs = false;
      }
      return;
    } catch (error) {
      const isFinal = isTheirs || isS3Failure(error) || isMissing(error);
      if (isFinal || failures === mostFailures) throw error;
    }
  }
}

export function putObject(
  bucket: Bucket,
  name: string,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  return bucket.client.putStream(name, { source, type, partBytes });
}

/** Removes an object, and those below it. */
export async function removeObjects(bucket: Bucket, path: string): Promise<void> {
  const wanted = nameOf(path, bucket);
  for await (const page of bucket.client.list(wanted)) {
    const names = page
      .map(({ name }) => name)
      .filter((name) => name === wanted || name.startsWith(`${wanted}/`));
    if (names.length > 0) await bucket.client.remove(names);
  }
}

export async function removeObject(bucket: Bucket, path: string): Promise<void> {
  await bucket.client.remove([nameOf(path, bucket)]);
}

/** Works with a copy on this machine. */
export async function withCopy<T>(
  bucket: Bucket,
  path: string,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  await mkdir(bucket.scratch, { recursive: true, mode: 0o700 });
  const copy = join(bucket.scratch, randomUUID());
  try {
    await pipeline(readObject(bucket, path), createWriteStream(copy, { mode: 0o600, flags: "wx" }));
    return await work(copy);
  } finally {
    await rm(copy, { force: true });
  }
}
