import {
  BlobReader,
  BlobWriter,
  ERR_BAD_FORMAT as badFormat,
  ERR_EOCDR_LOCATOR_ZIP64_NOT_FOUND as noEnd64,
  ERR_EOCDR_NOT_FOUND as noEnd,
  ERR_SPLIT_ZIP_FILE as splitZip,
  ERR_UNSAFE_FILENAME as unsafeName,
  ZipReader,
  configure,
  type FileEntry,
} from "@zip.js/zip.js/lib/zip-core-custom.js";
import type { Part } from "#app/features/archive/device/parts.ts";
import { isRefusal } from "#shared/errors.ts";
import { fingerprintOf, wantedInExports } from "#shared/exports/export-zip.ts";
import { invalid, shown } from "#shared/exports/invalid.ts";
import { checkEntryCount, checkOverlap, collectEntries } from "#shared/exports/zip-entries.ts";

// Readers ask for the first 64 KB of each photo: pieces of the library's size would read four times as much.
configure({ chunkSize: 64 * 1024 });

/** As on the server: only the list says what is in a zip, and names are UTF-8 where it says so. */
const options = {
  filenameEncoding: "cp437",
  checkLocalDirectory: false,
  checkCrc32: true,
};

/** What the library says of a file that is no zip, or a part of one. */
const noZip = new Set([badFormat, noEnd, noEnd64, splitZip]);

/** The wanted files of a zip, by its list; none of them is read. Refuses as the server refuses it. */
export async function zipPart(zip: Blob): Promise<Part | "postcard"> {
  const files = await listFiles(zip).catch((error: unknown) => {
    throw isRefusal(error) ? error : invalid(sentenceOf(error), error);
  });
  if (files.has("postcard.json")) return "postcard";
  return {
    names: [...files.keys()],
    file(name) {
      const file = files.get(name);
      if (!file) throw new Error(`${name} is not in this part`);
      const { crc32 = 0, uncompressedSize: bytes } = file;
      return {
        bytes,
        fingerprint: () => Promise.resolve(fingerprintOf(crc32, bytes)),
        head: (most) => orDamaged(name, headOf(file, most)),
        whole: () => orDamaged(name, file.getData(new BlobWriter())),
      };
    },
  };
}

async function listFiles(zip: Blob): Promise<Map<string, FileEntry>> {
  // Photos are unpacked one by one, when somebody wants them: together they may have any size.
  const { entries, add } = collectEntries(wantedInExports, Number.POSITIVE_INFINITY);
  const files = new Map<string, FileEntry>();
  let count = 0;
  for await (const entry of new ZipReader(new BlobReader(zip), options).getEntriesGenerator()) {
    checkEntryCount((count += 1));
    const { filename, rawFilename, rawExtraField, rawComment, offset, crc32 = 0 } = entry;
    add({
      ...entry,
      fileName: filename,
      listed: rawFilename.length + rawExtraField.length + rawComment.length,
      relativeOffsetOfLocalHeader: offset,
      crc32,
    });
    if (!entry.directory && entries.has(filename)) files.set(filename, entry);
  }
  checkOverlap(entries);
  return files;
}

function sentenceOf(error: unknown): string {
  const { message } = error as Error;
  if (noZip.has(message)) return "This isn't a zip file, or part of it is missing.";
  if (message === unsafeName) return "A file in this archive has a name that points outside it.";
  return "This zip file is damaged.";
}

/** The first bytes of a file: the rest is not unpacked. */
async function headOf(file: FileEntry, most: number): Promise<Uint8Array> {
  const enough = new AbortController();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const first = new WritableStream<Uint8Array<ArrayBuffer>>({
    write(chunk) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= most) enough.abort();
    },
  });
  await file.getData(first, { signal: enough.signal }).catch((error: unknown) => {
    if (!enough.signal.aborted) throw error;
  });
  return new Uint8Array(await new Blob(chunks).slice(0, most).arrayBuffer());
}

async function orDamaged<Result>(name: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (cause) {
    throw invalid(`${shown(name)} in this archive is damaged and can't be read.`, cause);
  }
}
