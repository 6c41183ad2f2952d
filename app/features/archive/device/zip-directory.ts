import { crc32 } from "#app/features/archive/device/crc32.ts";
import { cp437 } from "#app/features/archive/device/cp437.ts";
import { invalid } from "#shared/exports/invalid.ts";
import { checkEntryCount, mostDirectory, type ListedEntry } from "#shared/exports/zip-entries.ts";

/** Signatures and lengths of APPNOTE 4.3.12 and 4.3.14 to 4.3.16. */
const end = { signature: 0x06054b50, length: 22, longestComment: 0xffff };
const locator = { signature: 0x07064b50, length: 20 };
const end64 = { signature: 0x06064b50, length: 56 };
const listed = { signature: 0x02014b50, length: 46 };
/** Extra fields (APPNOTE 4.5.3 and 4.6.9). */
const [zip64, unicodePath] = [0x0001, 0x7075];
const [isEncrypted, isUtf8] = [0x1, 0x800];
const full = 0xffff_ffff;

const noZip = () => invalid("This isn't a zip file, or part of it is missing.");
const damaged = () => invalid("This zip file is damaged.");

/** What a zip lists at its end, file by file. Refuses with archive-invalid what is no zip. */
export async function* listedEntries(file: Blob): AsyncGenerator<ListedEntry> {
  const { count, offset, until } = await findDirectory(file);
  checkEntryCount(count);
  if (until - offset > mostDirectory + count * listed.length)
    throw invalid("The list of files in this archive is too long.");
  const directory = await viewOf(file, offset, until);
  let at = 0;
  for (let nth = 0; nth < count; nth += 1) {
    if (at + listed.length > directory.byteLength) throw damaged();
    if (directory.getUint32(at, true) !== listed.signature) throw damaged();
    const entry = entryAt(directory, at);
    at += listed.length + entry.listed;
    yield entry;
  }
}

/** Where the list begins, and how many files it has: what is said last counts. */
async function findDirectory(file: Blob) {
  const from = Math.max(0, file.size - locator.length - end.length - end.longestComment);
  const tail = await viewOf(file, from, file.size);
  let at = tail.byteLength - end.length;
  while (at >= 0 && tail.getUint32(at, true) !== end.signature) at -= 1;
  if (at < 0 || tail.getUint16(at + 20, true) !== tail.byteLength - end.length - at) throw noZip();
  const before = at - locator.length;
  if (before >= 0 && tail.getUint32(before, true) === locator.signature)
    return findDirectory64(file, number64(tail, before + 8));
  if (tail.getUint16(at + 4, true) !== 0) throw noZip();
  const offset = tail.getUint32(at + 16, true);
  return checked({ count: tail.getUint16(at + 10, true), offset, until: from + at });
}

async function findDirectory64(file: Blob, start: number) {
  if (start + end64.length > file.size) throw noZip();
  const record = await viewOf(file, start, start + end64.length);
  if (record.getUint32(0, true) !== end64.signature || record.getUint32(16, true) !== 0)
    throw noZip();
  return checked({ count: number64(record, 32), offset: number64(record, 48), until: start });
}

function checked(directory: { count: number; offset: number; until: number }) {
  if (directory.offset > directory.until) throw noZip();
  return directory;
}

function entryAt(directory: DataView, at: number): ListedEntry {
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) =>
    directory.getUint16(at + field, true),
  ) as [number, number, number];
  const long = nameLength + extraLength + commentLength;
  const name = at + listed.length;
  if (name + long > directory.byteLength) throw damaged();
  const flags = directory.getUint16(at + 8, true);
  const rawName = bytesOf(directory, name, nameLength);
  const extra = extraFields(directory, name + nameLength, extraLength);
  const [compressedSize, uncompressedSize, relativeOffsetOfLocalHeader] = sizesOf(
    [20, 24, 42].map((field) => directory.getUint32(at + field, true)) as Sizes,
    extra.get(zip64),
  );
  const compressionMethod = directory.getUint16(at + 10, true);
  if (compressionMethod === 0 && compressedSize !== uncompressedSize) throw damaged();
  const fileName = nameOf(rawName, flags, extra.get(unicodePath));
  checkName(fileName);
  return {
    fileName,
    listed: long,
    encrypted: (flags & isEncrypted) !== 0,
    compressionMethod,
    externalFileAttributes: directory.getUint32(at + 38, true),
    crc32: directory.getUint32(at + 16, true),
    compressedSize,
    uncompressedSize,
    relativeOffsetOfLocalHeader,
  };
}

/** The first of each kind. */
function extraFields(directory: DataView, start: number, length: number): Map<number, DataView> {
  const fields = new Map<number, DataView>();
  for (let at = start; at + 3 < start + length;) {
    const id = directory.getUint16(at, true);
    const bytes = directory.getUint16(at + 2, true);
    if (at + 4 + bytes > start + length) throw damaged();
    const data = new DataView(directory.buffer, directory.byteOffset + at + 4, bytes);
    if (!fields.has(id)) fields.set(id, data);
    at += 4 + bytes;
  }
  return fields;
}

type Sizes = [compressed: number, uncompressed: number, offset: number];

/** Those of 64 bits, in the order in which the extra field has them, where those of 32 are full. */
function sizesOf([compressed, uncompressed, offset]: Sizes, data: DataView | undefined): Sizes {
  if (!data) return [compressed, uncompressed, offset];
  let at = 0;
  const wide = (size: number) => {
    if (size !== full) return size;
    if (at + 8 > data.byteLength) throw damaged();
    at += 8;
    return number64(data, at - 8);
  };
  const first = wide(uncompressed);
  return [wide(compressed), first, wide(offset)];
}

/** As the server reads it: in UTF-8 where the zip says so, else as zips of old. */
function nameOf(raw: Uint8Array, flags: number, path: DataView | undefined): string {
  if (path && path.byteLength >= 6 && path.getUint8(0) === 1) {
    if (path.getUint32(1, true) === crc32(raw)) return utf8(bytesOf(path, 5, path.byteLength - 5));
  }
  return flags & isUtf8 ? utf8(raw) : Array.from(raw, (byte) => cp437[byte]).join("");
}

function checkName(name: string): void {
  if (name.includes("\\") || /^(?:[a-z]:|\/)/i.test(name) || name.split("/").includes(".."))
    throw invalid("A file in this archive has a name that points outside it.");
}

const utf8 = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const viewOf = async (file: Blob, from: number, until: number) =>
  new DataView(await file.slice(from, until).arrayBuffer());

const bytesOf = ({ buffer, byteOffset }: DataView, at: number, length: number) =>
  new Uint8Array(buffer, byteOffset + at, length);

/** No size is nearly as large as what a number cannot hold exactly. */
const number64 = (view: DataView, at: number) => Number(view.getBigUint64(at, true));
