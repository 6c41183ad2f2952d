import { createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { openPromise, type Entry, type ZipFile } from "yauzl";
import { hashing } from "#server/platform/hashing.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { fingerprintOf } from "#shared/exports/export-zip.ts";
import { invalid, shown } from "#shared/exports/invalid.ts";
import {
  checkEntryCount,
  checkOverlap,
  collectEntries,
  type Wanted,
  type ZipEntry,
} from "#shared/exports/zip-entries.ts";
import { limits } from "#shared/limits.ts";

/** Those of our own archives. Fifty posts of the longest captions and descriptions are 11 MB. */
const ofOurs: Wanted = {
  names: /^(postcard|profile)\.json$|^(posts|messages|albums)\/[^/]+$|^pictures\/[^/]+$/,
  images: /^pictures\//,
  longestName: 100,
  mostText: 16 * 1024 * 1024,
};

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
  checkEntryCount(zip.entryCount);
  // images do not compress, so together they cannot have more bytes than an archive may have
  const { entries, add } = collectEntries(wanted, limits.archive.bytes);
  for await (const entry of zip.eachEntry()) {
    const { fileNameLength, extraFieldLength, fileCommentLength } = entry;
    const listed = fileNameLength + extraFieldLength + fileCommentLength;
    add({ ...entry, listed, encrypted: entry.isEncrypted() });
  }
  return entries;
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
    async fingerprint(name: string): Promise<string> {
      const { crc32, uncompressedSize } = find(name);
      return fingerprintOf(crc32, uncompressedSize);
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
  const { stream, result } = hashing();
  try {
    const target = createWriteStream(path, { flags: "wx", mode: 0o600 });
    await pipeline(await unpack(zip, entry), stream, target);
  } catch (error) {
    await rm(path, { force: true });
    // a full disk is not the archive's fault
    if (isDisk(error)) throw error;
    throw invalid(`${name} in this archive is damaged.`, error);
  }
  if (sha256 !== null && result().sha256 !== sha256) {
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
