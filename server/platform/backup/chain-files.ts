import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { append, readFrom, remove, writeTo } from "#server/platform/backup/files.ts";
import { hashing, type Hashed } from "#server/platform/hashing.ts";

/* The files of a continuous backup (chain.ts): packed ones, and lists that grow. */

/** Unpacks a file to a new one (0600); throws unless it is what was written. */
export async function unpack(from: string, to: string, wanted: Hashed): Promise<void> {
  const hash = hashing();
  const target = createWriteStream(to, { mode: 0o600, flags: "wx" });
  await pipeline(readFrom(from), createGunzip(), hash.stream, target);
  if (hash.result().sha256 !== wanted.sha256) throw new Error(`${from} is not what was written.`);
}

/** Levels of gzip. The layout of pages shrinks at any; a segment is mostly zeros where little is written. */
export const packing = { base: 1, segment: 6 } as const;

/** Packs a file into a new one (0600). The caller makes it durable. */
export async function pack(from: string, to: string, level: number): Promise<Hashed> {
  const hash = hashing();
  const target = writeTo(to, { flags: "w", flush: false });
  await pipeline(createReadStream(from), hash.stream, createGzip({ level }), target);
  return hash.result();
}

/** Null for a file that is gone meanwhile: the log says so as well. */
export async function packIfThere(from: string, to: string): Promise<Hashed | null> {
  try {
    return await pack(from, to, packing.base);
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" || path !== from) throw error;
    await remove(to);
    return null;
  }
}

/** Appends whole lines to a list of a chain and makes them durable; first removes a line that was cut. */
export async function appendLines(path: string, lines: readonly object[]): Promise<void> {
  if (!isInBucket(path)) await removeCutLine(path);
  await append(path, linesOf(lines));
}

/** As a list has them. */
export const linesOf = (lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

async function removeCutLine(path: string): Promise<void> {
  await using handle = await open(path, "a+", 0o600);
  const { size } = await handle.stat();
  const end = await lastLineEnd(handle, size);
  if (end < size) await handle.truncate(end);
}

/** Where the last whole line ends. */
async function lastLineEnd(handle: Awaited<ReturnType<typeof open>>, size: number) {
  const piece = Buffer.alloc(65_536);
  for (let end = size; end > 0;) {
    const begin = Math.max(0, end - piece.length);
    const { bytesRead } = await handle.read(piece, 0, end - begin, begin);
    const found = piece.subarray(0, bytesRead).lastIndexOf(10);
    if (found >= 0) return begin + found + 1;
    end = begin;
  }
  return 0;
}
