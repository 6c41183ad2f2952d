import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { createChecksumStream } from "#server/features/archive/checksum-stream.ts";
import { entryProblem, shown } from "#server/features/archive/zip-entry.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { pick } from "#shared/records.ts";

/** The list of files at the end of a zip, bytes: ten times what our own archives need for as many files. */
const mostDirectory = 128 * 1024 * 1024;
/** Which files of a zip may be read; the others in it are for people. */
export type Wanted = {
  names: RegExp;
  images: RegExp;
  /** no file that is asked for has a longer name */
  longestName: number;
  /** of one file, bytes */
  mostText: number;
};

/** Those of our own archives. Fifty posts of the longest captions and descriptions are 11 MB. */
const ofOurs: Wanted = {
  names: /^(postcard|profile)\.json$|^(posts|messages|albums)\/[^/]+$|^pictures\/[^/]+$/,
  images: /^pictures\//,
  longestName: 100,
  mostText: 16 * 1024 * 1024,
};
/** Bytes of a file's own header without its name (APPNOTE 4.3.7). */
const localHeader = 30;

/** What is stored of a file's entry: there may be 200,000 of them. */
const entryFields = [
  "relativeOffsetOfLocalHeader",
  "compressedSize",
  "uncompressedSize",
  "compressionMethod",
  "crc32",
] as const;
type ZipEntry = Pick<Entry, (typeof entryFields)[number]>;

export const invalid = (message: string, cause?: unknown) =>
  refuse("archive-invalid", { message, cause });

/**
 * Opens a zip that a stranger may have made. Nothing in it is ever written under a name from the zip; the
 * sizes it declares are checked before and during unpacking. Refuses with archive-invalid and a sentence
 * that names what is wrong.
 */
export async function openZip(path: string, wanted = ofOurs) {
  const zip = await openPromise(path, { strictFileNames: true, autoClose: false }).catch(
    (cause: unknown) => {
      if (isDisk(cause)) throw cause;
      throw invalid("This isn't a zip file, or part of it is missing.", cause);
    },
  );
  try {
    const entries = await readEntries(zip, wanted);
    checkOverlap(entries);
    return zipOf(zip, entries, wanted);
  } catch (error) {
    zip.close();
    throw isRefusal(error) || isDisk(error) ? error : invalid(sentenceOf(error), error);
  }
}

async function readEntries(zip: ZipFile, wanted: Wanted): Promise<Map<string, ZipEntry>> {
  const isWanted = (name: string) =>
    !name.endsWith("/") && name.length <= wanted.longestName && wanted.names.test(name);
  if (zip.entryCount > limits.archive.entries) {
    throw invalid(`This archive has more than ${limits.archive.entries} files.`);
  }
  const entries = new Map<string, ZipEntry>();
  let directory = 0;
  let imageBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    const problem = entryProblem(entry);
    if (problem !== null) throw invalid(problem);
    directory += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength;
    if (directory > mostDirectory) throw invalid("The list of files in this archive is too long.");
    if (!isWanted(fileName)) continue;
    if (entries.has(fileName)) throw invalid(`${shown(fileName)} is in this archive twice.`);
    if (wanted.images.test(fileName)) imageBytes += uncompressedSize;
    // images do not compress, so together they cannot have more bytes than an archive may have
    if (imageBytes > limits.archive.bytes)
      throw invalid("This archive is too large when unpacked.");
    entries.set(fileName, pick(entry, entryFields));
  }
  return entries;
}

/** Files that share bytes would, all together, unpack to far more than was sent. */
function checkOverlap(entries: ReadonlyMap<string, ZipEntry>): void {
  const inOrder = [...entries].sort(
    ([, one], [, other]) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  );
  let free = 0;
  for (const [name, { relativeOffsetOfLocalHeader: start, compressedSize }] of inOrder) {
    if (start < free) throw invalid(`${shown(name)} in this archive overlaps another file.`);
    free = start + localHeader + Buffer.byteLength(name) + compressedSize;
  }
}

function zipOf(
  zip: ZipFile,
  entries: ReadonlyMap<string, ZipEntry>,
  { mostText }: Pick<Wanted, "mostText">,
) {
  function find(name: string): ZipEntry {
    const entry = entries.get(name);
    if (!entry) throw invalid(`${shown(name)} is missing from this archive.`);
    return entry;
  }

  /** All texts go through the same buffer, which grows by what arrives, not by the declared size. */
  let space = Buffer.allocUnsafeSlow(256 * 1024);

  /** The bytes of a text, valid until the next one is read. */
  async function readText(name: string): Promise<Buffer> {
    const entry = find(name);
    const tooLarge = () => invalid(`${name} in this archive is too large.`);
    if (entry.uncompressedSize > mostText) throw tooLarge();
    let bytes = 0;
    try {
      for await (const chunk of (await unpack(zip, entry)) as AsyncIterable<Buffer>) {
        if (bytes + chunk.length > mostText) throw tooLarge();
        if (bytes + chunk.length > space.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(2 * (bytes + chunk.length), mostText));
          space.copy(larger, 0, 0, bytes);
          space = larger;
        }
        chunk.copy(space, bytes);
        bytes += chunk.length;
      }
    } catch (cause) {
      if (isRefusal(cause) || isDisk(cause)) throw cause;
      throw invalid(`${name} in this archive is damaged and can't be read.`, cause);
    }
    return space.subarray(0, bytes);
  }

  return {
    /** of the zip file */
    bytes: zip.fileSize,
    has: (name: string) => entries.has(name),
    names: () => entries.keys(),
    /** What its bytes are told apart by, without reading them: their size and what the zip says of them. */
    fingerprint(name: string): string {
      const { crc32, uncompressedSize } = find(name);
      return `${crc32}-${uncompressedSize}`;
    },
    /** refuses with archive-invalid where it is missing */
    check: (name: string) => void find(name),
    readText,
    /** The first bytes of a file, at most so many. */
    head: (name: string, most: number) => readHead(zip, { name, entry: find(name) }, most),
    /** Unpacks an image into a new file of ours, `path`; without a `sha256` it may have any bytes. */
    extractImage: async (name: string, sha256: string | null, path: string): Promise<void> =>
      extract(zip, { name, entry: find(name) }, sha256, path),
    close: () => zip.close(),
  };
}

export type OpenZip = ReturnType<typeof zipOf>;

async function unpack(zip: ZipFile, entry: ZipEntry): Promise<Readable> {
  const { compressedSize: size, compressionMethod, uncompressedSize } = entry;
  // the library asks for a whole entry and reads where it begins
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry as Entry, {
    minimal: true,
  });
  const packed = compressionMethod !== 0;
  // the promise version of the same name (yauzl 3.4) calls another function
  const { promise, resolve, reject } = Promise.withResolvers<Readable>();
  zip.openReadStreamLowLevel(start, size, 0, size, packed, uncompressedSize, (error, stream) =>
    error ? reject(error) : resolve(stream),
  );
  return promise;
}

async function readHead(
  zip: ZipFile,
  { name, entry }: { name: string; entry: ZipEntry },
  most: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (await unpack(zip, entry)) as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most) break;
    }
  } catch (cause) {
    if (isDisk(cause)) throw cause;
    throw invalid(`${shown(name)} in this archive is damaged.`, cause);
  }
  return Buffer.concat(chunks).subarray(0, most);
}

async function extract(
  zip: ZipFile,
  { name, entry }: { name: string; entry: ZipEntry },
  sha256: string | null,
  path: string,
): Promise<void> {
  if (entry.uncompressedSize > limits.imageBytes) throw refuse("picture-too-heavy");
  const { stream, checksum } = createChecksumStream();
  try {
    const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
    await pipeline(await unpack(zip, entry), stream, target);
  } catch (error) {
    await rm(path, { force: true });
    // a full disk is not the archive's fault
    if (isDisk(error)) throw error;
    throw invalid(`${name} in this archive is damaged.`, error);
  }
  if (sha256 !== null && checksum().sha256 !== sha256) {
    await rm(path, { force: true });
    throw invalid(`${name} in this archive isn't the original picture.`);
  }
}

/** Whether the operating system refused; zlib's codes begin with a Z. */
function isDisk(error: unknown): boolean {
  const { code, syscall } = error as Partial<NodeJS.ErrnoException>;
  return syscall !== undefined && code !== undefined;
}

/** What the library says about names and headers, in our own words. */
function sentenceOf(error: unknown): string {
  const { message = "" } = error as Partial<Error>;
  if (/relative path|absolute path|invalid characters/.test(message)) {
    return "A file in this archive has a name that points outside it.";
  }
  return "This zip file is damaged.";
}
