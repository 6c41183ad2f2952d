import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Transform, type TransformCallback } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** Text of one file, bytes. Fifty posts of the longest captions are a fifth of it. */
const mostText = 16 * 1024 * 1024;
/** All files together, unpacked: pictures do not shrink, so this is far above what is honest. */
const mostUnpacked = 3 * limits.archive.bytes;
/** Files that an import may want; the others of an archive are for people. */
const wanted = /^(postcard|profile)\.json$|^(posts|messages)\/[^/]+$|^pictures\/[^/]+$/;
/** Unix file types in the upper half of an entry's attributes (APPNOTE 4.4.15). */
const fileTypes = { mask: 0o170000, regular: 0o100000, folder: 0o040000, none: 0 };

export const invalid = (message: string, cause?: unknown) =>
  refuse("archive-invalid", { message, cause });

/**
 * Opens a zip that a stranger may have made. Nothing of it is ever written under a name of its own;
 * what it says about sizes is checked before and while it is unpacked. Refuses with archive-invalid
 * and a sentence that names what is wrong.
 */
export async function openZip(path: string, tmpDir: string) {
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch(
    (cause: unknown) => {
      throw invalid("This is no zip file, or not all of it.", cause);
    },
  );
  try {
    const entries = await readEntries(zip);
    return zipOf(zip, entries, tmpDir);
  } catch (error) {
    zip.close();
    throw isRefusal(error) ? error : invalid(sentenceOf(error), error);
  }
}

export type OpenZip = Awaited<ReturnType<typeof openZip>>;

async function readEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.archive.entries) {
    throw invalid(`This archive has more than ${limits.archive.entries} files.`);
  }
  const entries = new Map<string, Entry>();
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    checkEntry(entry);
    unpacked += uncompressedSize;
    if (unpacked > mostUnpacked) throw invalid("This archive unpacks to more than it may.");
    if (fileName.endsWith("/") || !wanted.test(fileName)) continue;
    if (entries.has(fileName)) throw invalid(`${shown(fileName)} is in this archive twice.`);
    entries.set(fileName, entry);
  }
  return entries;
}

function checkEntry(entry: Entry): void {
  const name = shown(entry.fileName);
  if (entry.isEncrypted()) throw invalid(`${name} in this archive is encrypted.`);
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    throw invalid(`${name} in this archive is packed in a way we do not know.`);
  }
  const type = (entry.externalFileAttributes >>> 16) & fileTypes.mask;
  const { regular, folder, none } = fileTypes;
  if (![regular, folder, none].includes(type)) {
    throw invalid(`${name} in this archive is a link or a device, not a file.`);
  }
}

function zipOf(zip: ZipFile, entries: Map<string, Entry>, tmpDir: string) {
  function find(name: string): Entry {
    const entry = entries.get(name);
    if (!entry) throw invalid(`${shown(name)} is missing in this archive.`);
    return entry;
  }

  async function readText(name: string): Promise<string> {
    const entry = find(name);
    if (entry.uncompressedSize > mostText) throw invalid(`${name} in this archive is too large.`);
    try {
      const bytes = await buffer(await zip.openReadStreamPromise(entry));
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (cause) {
      throw invalid(`${name} in this archive cannot be read: it is damaged.`, cause);
    }
  }

  /** Unpacks a picture into a file of its own; `remove` it afterwards. */
  async function extractPicture(name: string, sha256: string) {
    const entry = find(name);
    if (entry.uncompressedSize > limits.imageBytes) throw refuse("picture-too-heavy");
    await mkdir(tmpDir, { recursive: true, mode: 0o700 });
    const path = join(tmpDir, `${randomUUID()}.import`);
    const remove = () => rm(path, { force: true });
    const hash = createHash("sha256");
    const measured = new Transform({
      transform(chunk: Buffer, _encoding: string, done: TransformCallback) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    try {
      const source = await zip.openReadStreamPromise(entry);
      await pipeline(source, measured, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    } catch (error) {
      await remove();
      const { code } = error as NodeJS.ErrnoException;
      // a full disk is no fault of the archive's
      if (code?.startsWith("E")) throw error;
      throw invalid(`${name} in this archive is damaged.`, error);
    }
    if (hash.digest("hex") !== sha256) {
      await remove();
      throw invalid(`${name} in this archive is not the picture that was put there.`);
    }
    return { path, remove };
  }

  return {
    has: (name: string) => entries.has(name),
    /** refuses with archive-invalid where it is missing */
    check: (name: string) => void find(name),
    readText,
    extractPicture,
    close: () => zip.close(),
  };
}

/** What the library says of names and headers, in a sentence of ours. */
function sentenceOf(error: unknown): string {
  const { message = "" } = error as Partial<Error>;
  if (/relative path|absolute path|invalid characters/.test(message)) {
    return "A file in this archive has a name that leads out of it.";
  }
  return "This zip file is damaged.";
}

/** A name of somebody's choice, fit for a sentence. */
function shown(name: string): string {
  const plain = name.replace(/\p{Cc}|\p{Cf}/gu, "");
  return plain.length > 60 ? `${plain.slice(0, 60)}…` : plain;
}
