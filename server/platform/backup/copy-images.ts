import { randomUUID } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import pLimit from "p-limit";
import type pg from "pg";
import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";
import {
  createLengths,
  join,
  makeFolder,
  writeTo,
  writeWhole,
} from "#server/platform/backup/files.ts";
import { imagePages, type ImageRow } from "#server/platform/backup/images.queries.ts";
import {
  allOrNothing,
  bytesOfImage,
  isUnreadable,
  openImageList,
  fileNamesOf,
  openFile,
  originalName,
  pathOfImage,
  storeOf,
  type ImageTables,
  type ListedImage,
  type ImageFile,
  type Stores,
} from "#server/platform/backup/images.ts";
import { hashing } from "#server/platform/hashing.ts";

export const pageSize = 500;
const imagesAtOnce = 4;
/** Files that a disk cannot read before it counts as dying, and the backup fails. */
const mostUnreadable = 20;

export type ImagePage = {
  table: string;
  area: ListedImage["area"];
  page: ImageRow[];
};

type Copy = {
  client: pg.Client;
  tables: ImageTables;
  stores: Stores;
  /** the folder of backups */
  directory: string;
  /** lists of images that are there already; files in a trusted list are not checked again */
  known: { path: string; trusted: boolean }[];
  /** where the list is written */
  list: string;
  /** the images to copy: all, unless given */
  pages?: AsyncIterable<ImagePage>;
  /** called before each page is copied; may throw */
  onPage: (copied: CopyTotals) => Promise<void>;
};

/** How many images, files and bytes are in the backup; `copied` files are new. */
export type CopyTotals = {
  count: number;
  files: number;
  bytes: number;
  copied: number;
  copiedBytes: number;
};

/**
 * Copies every image that the database names, now or in the current snapshot, and writes a list of them.
 * Files that were copied before are not copied again. Returns the images with files that the store does not
 * have, or its disk cannot read.
 */
export async function copyImages({
  client,
  tables,
  stores,
  directory,
  known,
  list,
  pages = imagePages(client, tables, pageSize),
  onPage,
}: Copy): Promise<CopyTotals & { faulty: ListedImage[] }> {
  const sum: CopyTotals = { count: 0, files: 0, bytes: 0, copied: 0, copiedBytes: 0 };
  const faulty: ListedImage[] = [];
  const unreadable = { count: 0 };
  const sources = known.map(({ path, trusted }) => ({ ...openImageList(path, tables), trusted }));
  const limit = pLimit(imagesAtOnce);
  const pool = join(directory, "pictures");
  await makeFolder(join(pool, "tmp"));
  const lengthOf = createLengths();
  await using closing = new AsyncDisposableStack();
  for (const { close } of sources) closing.defer(close);
  await using output = await open(list, "wx", 0o600);
  for await (const { table, area, page } of pages) {
    await onPage(sum);
    const before: Map<string, KnownFile>[] = [];
    // One after the other, because the lists are read in the same order.
    for (const row of page) before.push(await knownFiles(sources, table, row.key));
    const given = { pool, lengthOf, stores, table, area, sum, unreadable };
    const lines = await allOrNothing(
      page.map((row, index) => limit(() => copyOne({ ...given, row, known: before[index] }))),
    );
    for (const line of lines) {
      if (line.missing.length > 0) faulty.push(line);
      sum.count += 1;
      sum.files += line.files.length;
      sum.bytes += bytesOfImage(line);
    }
    await output.appendFile(lines.map(lineOf).join(""));
  }
  // Nothing was read: the whole disk may be away, and what it has must be copied once it is back.
  if (unreadable.count > 0 && known.length === 0 && sum.copied === 0) throw unreadableError();
  return { ...sum, faulty };
}

const lineOf = ({ table, key, files, missing }: ListedImage) =>
  `${JSON.stringify({ table, key, files, missing })}\n`;

type KnownFile = { file: ImageFile; trusted: boolean };

async function knownFiles(
  sources: (ReturnType<typeof openImageList> & { trusted: boolean })[],
  table: string,
  key: string,
): Promise<Map<string, KnownFile>> {
  const files = new Map<string, KnownFile>();
  for (const { find, trusted } of sources) {
    const found = await find(table, key);
    for (const file of found?.files ?? []) {
      if (!files.has(file[0])) files.set(file[0], { file, trusted });
    }
  }
  return files;
}

type One = Pick<ListedImage, "table" | "area"> & {
  pool: string;
  lengthOf: ReturnType<typeof createLengths>;
  stores: Stores;
  row: ImageRow;
  known: Map<string, KnownFile> | undefined;
  sum: CopyTotals;
  unreadable: { count: number };
};

async function copyOne(one: One): Promise<ListedImage> {
  const { pool, lengthOf, stores, table, area, row, known, sum } = one;
  const { key } = row;
  const image = { table, area, key };
  const files: ImageFile[] = [];
  const missing: string[] = [];
  for (const name of fileNamesOf(row)) {
    const path = join(pool, pathOfImage(image, name));
    const before = known?.get(name);
    if (before && (before.trusted || (await lengthOf(path)) === before.file[1])) {
      files.push(before.file);
      continue;
    }
    const file = await unlessUnreadable(one, async () => {
      const found = await openFile(storeOf(stores, image), key, name);
      if (found && name === originalName && found.bytes !== row.bytes) return found.close();
      return found && copyFile(found, name, pool, path);
    });
    if (!file) {
      missing.push(name);
      continue;
    }
    files.push(file);
    sum.copied += 1;
    sum.copiedBytes += file[1];
  }
  return { ...image, files, missing };
}

/** Null for a file that its disk cannot read, which counts as missing: the others are copied all the same. */
async function unlessUnreadable<T>(
  { pool, unreadable }: Pick<One, "pool" | "unreadable">,
  copy: () => Promise<T>,
): Promise<T | null> {
  try {
    return await copy();
  } catch (error) {
    const ofBackup = (error as NodeJS.ErrnoException).path?.startsWith(pool) === true;
    if (!isUnreadable(error) || ofBackup) throw error;
    unreadable.count += 1;
    if (unreadable.count > mostUnreadable) throw unreadableError();
    return null;
  }
}

const unreadableError = () =>
  new Error("The disk of the images cannot read them: look at it before it dies.");

async function copyFile(
  found: OpenVariant,
  name: string,
  pool: string,
  path: string,
): Promise<ImageFile> {
  const hash = hashing();
  await writeWhole(path, join(pool, "tmp", randomUUID()), async (to) => {
    await pipeline(found.read(), hash.stream, writeTo(to));
    await makeFolder(dirname(path));
  });
  const { bytes, sha256 } = hash.result();
  return [name, bytes, sha256];
}
