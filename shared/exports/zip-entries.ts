import { invalid, shown } from "#shared/exports/invalid.ts";
import { limits } from "#shared/limits.ts";
import { pick } from "#shared/records.ts";

/** Which files of a zip may be read; the others in it are for people. */
export type Wanted = {
  names: RegExp;
  images: RegExp;
  /** no file that is asked for has a longer name */
  longestName: number;
  /** of one file, bytes */
  mostText: number;
};

/** What the list at the end of a zip says of a file (APPNOTE 4.3.12). */
export type ListedEntry = {
  fileName: string;
  /** bytes in the list */
  listed: number;
  encrypted: boolean;
  externalFileAttributes: number;
} & ZipEntry;

/** What is stored of a file: there may be 200,000 of them. */
export type ZipEntry = {
  relativeOffsetOfLocalHeader: number;
  compressedSize: number;
  uncompressedSize: number;
  compressionMethod: number;
  crc32: number;
};
const entryFields = [
  "relativeOffsetOfLocalHeader",
  "compressedSize",
  "uncompressedSize",
  "compressionMethod",
  "crc32",
] as const;

/** The list of files at the end of a zip, bytes: ten times what our own archives need for as many files. */
const mostDirectory = 128 * 1024 * 1024;
/** Bytes of a file's own header without its name (APPNOTE 4.3.7). */
const localHeader = 30;
/** Unix file types in the upper half of an entry's attributes (APPNOTE 4.4.15). */
const fileTypes = { mask: 0o170000, regular: 0o100000, folder: 0o040000, none: 0 };

export function checkEntryCount(count: number): void {
  if (count > limits.archive.entries)
    throw invalid(`This archive has more than ${limits.archive.entries} files.`);
}

/**
 * Collects those files of a zip that are wanted, with images of at most so many bytes together. Refuses with
 * archive-invalid a zip that is not read at all because of one of its files, wanted or not.
 */
export function collectEntries(wanted: Wanted, mostImages: number) {
  const entries = new Map<string, ZipEntry>();
  let directory = 0;
  let imageBytes = 0;

  function add(entry: ListedEntry): void {
    const { fileName, uncompressedSize, listed } = entry;
    const problem = entryProblem(entry);
    if (problem !== null) throw invalid(problem);
    directory += listed;
    if (directory > mostDirectory) throw invalid("The list of files in this archive is too long.");
    if (fileName.endsWith("/") || fileName.length > wanted.longestName) return;
    if (!wanted.names.test(fileName)) return;
    if (entries.has(fileName)) throw invalid(`${shown(fileName)} is in this archive twice.`);
    if (wanted.images.test(fileName)) imageBytes += uncompressedSize;
    if (imageBytes > mostImages) throw invalid("This archive is too large when unpacked.");
    entries.set(fileName, pick(entry, entryFields));
  }

  return { entries, add };
}

/** Files that share bytes would, all together, unpack to far more than was sent. */
export function checkOverlap(entries: ReadonlyMap<string, ZipEntry>): void {
  const inOrder = [...entries].sort(
    ([, one], [, other]) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader,
  );
  const encoder = new TextEncoder();
  let free = 0;
  for (const [name, { relativeOffsetOfLocalHeader: start, compressedSize }] of inOrder) {
    if (start < free) throw invalid(`${shown(name)} in this archive overlaps another file.`);
    free = start + localHeader + encoder.encode(name).length + compressedSize;
  }
}

/** Why no zip with this entry is read; null where it may be. */
function entryProblem(entry: ListedEntry): string | null {
  const name = shown(entry.fileName);
  if (entry.encrypted) return `${name} in this archive is encrypted.`;
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return `${name} in this archive is compressed in a way we don't support.`;
  }
  const type = (entry.externalFileAttributes >>> 16) & fileTypes.mask;
  const { regular, folder, none } = fileTypes;
  if (![regular, folder, none].includes(type)) {
    return `${name} in this archive is a link or a device, not a file.`;
  }
  return null;
}
