import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { nameOf, piecesOf, putObject, type Bucket } from "#server/platform/backup/bucket-files.ts";
import type { S3Object } from "#server/adapters/image-store/s3-client.ts";

/*
 * A list that grows, in a bucket. Nothing can be added to an object, so a list is several: `wal.jsonl`, then
 * `wal.jsonl.000001` and so on. What is added goes into the last one, which is written anew, until that is long.
 */

/** A part that is longer stays as it is, bytes. */
const longPart = 256 * 1024;

/** Whether the file is a list that grows: those that are written once are compressed. */
export const isList = (path: string): boolean => path.endsWith(".jsonl");

/** The parts of a list, in order. */
async function partsOf(bucket: Bucket, path: string): Promise<S3Object[]> {
  const list = nameOf(path, bucket);
  const parts: S3Object[] = [];
  for await (const page of bucket.client.list(list)) {
    parts.push(...page.filter(({ name }) => /^(\.\d{6})?$/.test(name.slice(list.length))));
  }
  return parts.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The length of a list in bytes; null if there is none. */
export async function listBytes(bucket: Bucket, path: string): Promise<number | null> {
  const parts = await partsOf(bucket, path);
  return parts.length === 0 ? null : parts.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Fails with ENOENT if there is none. */
export const readList = (bucket: Bucket, path: string): Readable =>
  Readable.from(piecesOfList(bucket, path));

async function* piecesOfList(bucket: Bucket, path: string): AsyncGenerator<Uint8Array> {
  const parts = await partsOf(bucket, path);
  if (parts.length === 0) throw Object.assign(new Error(`${path} is missing.`), { code: "ENOENT" });
  for (const { name } of parts) yield* piecesOf(bucket, name);
}

/** The end of a list as text, at least so many bytes of it where it has them; empty if it is missing. */
export async function endOfList(bucket: Bucket, path: string, bytes: number): Promise<string> {
  const parts = (await partsOf(bucket, path)).toReversed();
  let end = "";
  for (const { name } of parts) {
    end = (await textOf(bucket, name)) + end;
    if (end.length >= bytes) break;
  }
  return end;
}

/** Adds to a list, or begins it. */
export async function addToList(bucket: Bucket, path: string, added: string): Promise<void> {
  const parts = await partsOf(bucket, path);
  const last = parts.at(-1);
  const isNew = !last || last.bytes > longPart;
  const number = parts.length === 0 ? "" : `.${String(parts.length).padStart(6, "0")}`;
  const name = isNew ? nameOf(path, bucket) + number : last.name;
  const before = isNew ? "" : await textOf(bucket, name);
  await putObject(bucket, name, Readable.from([Buffer.from(before + added)]));
}

export async function removeList(bucket: Bucket, path: string): Promise<void> {
  const names = (await partsOf(bucket, path)).map(({ name }) => name);
  // The last first: what is left of a removal that was interrupted is the beginning of the list.
  for (const name of names.toReversed()) await bucket.client.remove([name]);
}

const textOf = (bucket: Bucket, name: string): Promise<string> =>
  text(Readable.from(piecesOf(bucket, name)));
