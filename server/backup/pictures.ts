import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import pLimit from "p-limit";
import type pg from "pg";
import {
  fileOf,
  isImageKey,
  type ImageStore,
  type OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import { picturesOf, type PictureRow } from "#server/backup/pictures.queries.ts";
import { pictureTables, type PictureTable } from "#server/features/administration/index.ts";
import { hashing } from "#server/hashing.ts";
import { isRefusal } from "#shared/errors.ts";

/** The stores of pictures of posts and people, and of messages. */
export type Stores = { store: ImageStore; privateStore: ImageStore };

/** A file of a picture as it stands in a backup: `original`, or a variant's name. */
export type PictureFile = [name: string, bytes: number, sha256: string];

/** A line of a backup's list. */
export type Picture = {
  table: PictureTable;
  key: string;
  files: PictureFile[];
  /** files that the store lacked, or had cut */
  missing: string[];
};

const pageSize = 500;
const picturesAtOnce = 4;

export const originalName = "original";
const variantForm = /^([1-9]\d{0,4})\.(webp|avif|moving\.webp)$/;

/** Pictures of messages lie apart. */
const isPrivate = (table: PictureTable) =>
  table === "message_pictures" || table === "imported_pictures";
export const storeOf = (stores: Stores, table: PictureTable): ImageStore =>
  isPrivate(table) ? stores.privateStore : stores.store;

/** Where a file lies below DATA_DIR, and below a folder's `pictures`. */
export function pathOfPicture(table: PictureTable, key: string, name: string): string {
  const area = isPrivate(table) ? "private" : "";
  const place = join(key.slice(0, 2), key);
  return name === originalName ? join(area, "originals", place) : join(area, "images", place, name);
}

/** The width and the kind of a variant by its name. */
export function variantOf(name: string): { width: number; type: "webp" | "avif" | "moving" } {
  const [, width = "", ending = ""] = variantForm.exec(name) ?? [];
  return { width: Number(width), type: ending === "moving.webp" ? "moving" : (ending as "webp") };
}

/** The lines of a list, compressed or not; throws one sentence at a line that is none of ours. */
export async function* readPictures(path: string): AsyncGenerator<Picture> {
  const file = createReadStream(path);
  const text = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => text.destroy(error));
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    const picture = pictureOf(line);
    if (!picture) throw new Error(`${path} has a line that names no picture.`);
    yield picture;
  }
}

const isName = (name: unknown) => name === originalName || variantForm.test(String(name));

function pictureOf(line: string): Picture | null {
  let found: Partial<Picture>;
  try {
    found = JSON.parse(line) as Partial<Picture>;
  } catch {
    return null;
  }
  const { table, key = "", files = [], missing = [] } = found ?? {};
  const known = pictureTables.find((name) => name === table);
  const isFile = (file: PictureFile) =>
    Array.isArray(file) &&
    isName(file[0]) &&
    Number.isInteger(file[1]) &&
    /^[0-9a-f]{64}$/.test(String(file[2]));
  const whole =
    known &&
    isImageKey(key) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    Array.isArray(missing);
  return whole ? { table: known, key, files, missing: missing.filter(isName) } : null;
}

/**
 * What an earlier list says of pictures that are asked for in the list's own order, by table and key. A
 * list of a backup that was interrupted ends somewhere.
 */
export function askInOrder(path: string): {
  find: (table: PictureTable, key: string) => Promise<Picture | null>;
  close: () => Promise<void>;
} {
  const lines = readPictures(path);
  let next: Promise<Picture | null> | undefined;
  const read = async () => {
    try {
      const { value, done } = await lines.next();
      return done ? null : value;
    } catch {
      return null;
    }
  };
  return {
    find: async (table, key) => {
      for (;;) {
        next ??= read();
        const picture = await next;
        if (picture === null) return null;
        const order = pictureTables.indexOf(picture.table) - pictureTables.indexOf(table);
        if (order > 0 || (order === 0 && picture.key > key)) return null;
        if (order === 0 && picture.key === key) return picture;
        next = read();
      }
    },
    close: async () => void (await lines.return(undefined)),
  };
}

type Copy = {
  client: pg.Client;
  stores: Stores;
  /** the folder of backups */
  directory: string;
  /** lists of what lies there already; of a trusted one nothing is looked at again */
  known: { path: string; trusted: boolean }[];
  /** where the list is written */
  list: string;
  /** asked before every page, and may throw */
  onPage: (copied: Copied) => Promise<void>;
};

/** Files, and bytes of those that were copied. */
export type Copied = {
  pictures: number;
  files: number;
  bytes: number;
  copied: number;
  copiedBytes: number;
};

/**
 * Copies every picture that the database names, as of now or of the snapshot that runs, and writes a
 * list of them. What lies there already is not copied again. Answers those with files that the store
 * does not have.
 */
export async function copyPictures({
  client,
  stores,
  directory,
  known,
  list,
  onPage,
}: Copy): Promise<Copied & { faulty: Picture[] }> {
  const sum: Copied = { pictures: 0, files: 0, bytes: 0, copied: 0, copiedBytes: 0 };
  const faulty: Picture[] = [];
  const sources = known.map(({ path, trusted }) => ({ ...askInOrder(path), trusted }));
  const limit = pLimit(picturesAtOnce);
  const pool = join(directory, "pictures");
  await mkdir(join(pool, "tmp"), { recursive: true, mode: 0o700 });
  const output = createWriteStream(list, { mode: 0o600, flags: "wx" });
  const written = new Promise<void>((resolve, reject) => {
    output.once("close", resolve);
    output.once("error", reject);
  });
  written.catch(() => undefined);
  try {
    for (const table of pictureTables) {
      let key = "";
      for (;;) {
        await onPage(sum);
        const page = await picturesOf(client, table, key, pageSize);
        const before: Map<string, KnownFile>[] = [];
        // In their order, one after the other: the lists are read along.
        for (const row of page) before.push(await knownFiles(sources, table, row.key));
        const lines = await allOrNothing(
          page.map((row, index) =>
            limit(() => copyOne({ pool, stores, table, row, known: before[index], sum })),
          ),
        );
        for (const line of lines) {
          if (line.missing.length > 0) faulty.push(line);
          sum.pictures += 1;
          sum.files += line.files.length;
          sum.bytes += line.files.reduce((bytes, file) => bytes + file[1], 0);
        }
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
        if (text && !output.write(text)) await drained(output);
        key = page.at(-1)?.key ?? key;
        if (page.length < pageSize) break;
      }
    }
  } finally {
    output.end();
    await written.catch(() => undefined);
    for (const source of sources) await source.close();
  }
  await written;
  return { ...sum, faulty };
}

function drained(output: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error);
    output.once("error", fail);
    output.once("drain", () => {
      output.off("error", fail);
      resolve();
    });
  });
}

/** Waits for all before it throws what the first threw: nothing goes on behind anybody's back. */
async function allOrNothing<T>(work: Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<T>).value);
}

type KnownFile = { file: PictureFile; trusted: boolean };

async function knownFiles(
  sources: (ReturnType<typeof askInOrder> & { trusted: boolean })[],
  table: PictureTable,
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

/** The files that a row stands for; a copy in all of the original's pixels is made again when asked for. */
export function namesOf({ widths, avif, moving }: PictureRow): string[] {
  return [
    originalName,
    ...widths.map((width) => fileOf(width, "webp")),
    ...avif.map((width) => fileOf(width, "avif")),
    ...(moving === null ? [] : [fileOf(moving, "moving")]),
  ];
}

type One = {
  pool: string;
  stores: Stores;
  table: PictureTable;
  row: PictureRow;
  known: Map<string, KnownFile> | undefined;
  sum: Copied;
};

async function copyOne({ pool, stores, table, row, known, sum }: One): Promise<Picture> {
  const { key } = row;
  const files: PictureFile[] = [];
  const missing: string[] = [];
  for (const name of namesOf(row)) {
    const path = join(pool, pathOfPicture(table, key, name));
    const before = known?.get(name);
    if (before && (before.trusted || (await hasLength(path, before.file[1])))) {
      files.push(before.file);
      continue;
    }
    const found = await openedIn(storeOf(stores, table), key, name);
    if (found && name === originalName && found.bytes !== row.bytes) {
      await found.close();
      missing.push(name);
    } else if (found) {
      const file = await copyFile(found, name, pool, path);
      files.push(file);
      sum.copied += 1;
      sum.copiedBytes += file[1];
    } else missing.push(name);
  }
  return { table, key, files, missing };
}

/** Null for what is not there; what is cut counts as not there. */
export async function openedIn(
  store: ImageStore,
  key: string,
  name: string,
): Promise<OpenVariant | null> {
  if (name === originalName) return store.openOriginal(key);
  const { width, type } = variantOf(name);
  try {
    return await store.open(key, width, type);
  } catch (error) {
    if (isRefusal(error) && error.code === "picture-damaged") return null;
    throw error;
  }
}

/** Whole under its name, or not at all. */
async function copyFile(
  found: OpenVariant,
  name: string,
  pool: string,
  path: string,
): Promise<PictureFile> {
  const draft = join(pool, "tmp", randomUUID());
  const hash = hashing();
  try {
    const target = createWriteStream(draft, { mode: 0o600, flags: "wx", flush: true });
    await pipeline(found.read(), hash.stream, target);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  const { bytes, sha256 } = hash.result();
  return [name, bytes, sha256];
}

async function hasLength(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.isFile() && found.size === bytes;
}
