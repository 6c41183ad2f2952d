import { open, type FileHandle } from "node:fs/promises";
import { crc32 } from "node:zlib";

/** A file of the zip: its bytes, then zeros up to its size, which are a hole in the archive. */
type Entry = { name: string; start: Buffer; size: number; crc: number };

const listName = "your_instagram_activity/media/posts_1.json";
const names = { version: 45, utf8: 0x800 };
/** The largest number of 32 bits says that the true one is among the extra fields (APPNOTE 4.5.3). */
const elsewhere = 0xffffffff;

/**
 * Writes an export of Instagram of a photo a day, together larger than 4 GiB. Nearly all of it are holes behind
 * the pixels of the photos, so that it takes little of the disk.
 */
export async function writeSparseExport(
  path: string,
  { photo, photos, size, first }: { photo: Buffer; photos: number; size: number; first: number },
): Promise<void> {
  const posts = Array.from({ length: photos }, (_, at) => ({
    title: `Number ${at}`,
    creation_timestamp: first / 1000 + at * 86_400,
    media: [{ uri: `media/posts/${at}.jpg`, creation_timestamp: first / 1000, title: "" }],
  }));
  const list = Buffer.from(JSON.stringify(posts));
  // The same for all: their posts differ in their days.
  const crc = crc32(Buffer.alloc(size - photo.length), crc32(photo));
  const file = await open(path, "w");
  try {
    await writeZip(file, [
      { name: listName, start: list, size: list.length, crc: crc32(list) },
      ...posts.map(({ media }) => ({ name: media[0]?.uri ?? "", start: photo, size, crc })),
    ]);
  } finally {
    await file.close();
  }
}

async function writeZip(file: FileHandle, entries: readonly Entry[]): Promise<void> {
  let at = 0;
  const directory: Buffer[] = [];
  for (const entry of entries) {
    const name = Buffer.from(entry.name);
    const header = Buffer.concat([
      numbers("PK\x03\x04", [2, names.version], [2, names.utf8], ...described(entry), [2, 0]),
      name,
      entry.start,
    ]);
    await file.write(header, 0, header.length, at);
    directory.push(listed(entry, at));
    at += header.length - entry.start.length + entry.size;
  }
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end64 = numbers(
    "PK\x06\x06",
    [8, 44],
    [2, names.version],
    [2, names.version],
    [4, 0],
    [4, 0],
    [8, entries.length],
    [8, entries.length],
    [8, bytes],
    [8, at],
  );
  const locator = numbers("PK\x06\x07", [4, 0], [8, at + bytes], [4, 1]);
  const end = numbers(
    "PK\x05\x06",
    [4, 0],
    [2, 0xffff],
    [2, 0xffff],
    [4, elsewhere],
    [4, elsewhere],
    [2, 0],
  );
  const tail = Buffer.concat([...directory, end64, locator, end]);
  await file.write(tail, 0, tail.length, at);
}

/** Stored as it is: method, time, checksum, both sizes, length of the name. */
const described = ({ name, size, crc }: Entry): [number, number][] => [
  [2, 0],
  [4, 0],
  [4, crc],
  [4, size],
  [4, size],
  [2, Buffer.byteLength(name)],
];

/** Its line in the list at the end, with the place of its own header in 64 bits. */
function listed(entry: Entry, at: number): Buffer {
  return Buffer.concat([
    numbers(
      "PK\x01\x02",
      [2, names.version],
      [2, names.version],
      [2, names.utf8],
      ...described(entry),
      [2, 12],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, 0],
      [4, elsewhere],
    ),
    Buffer.from(entry.name),
    numbers("", [2, 1], [2, 8], [8, at]),
  ]);
}

/** Numbers as zips have them, the smallest byte first, behind a signature. */
function numbers(signature: string, ...fields: readonly [bytes: number, value: number][]): Buffer {
  const parts = fields.map(([bytes, value]) => {
    const part = Buffer.alloc(bytes);
    if (bytes === 8) part.writeBigUInt64LE(BigInt(value));
    else part.writeUIntLE(value, 0, bytes);
    return part;
  });
  return Buffer.concat([Buffer.from(signature, "latin1"), ...parts]);
}
