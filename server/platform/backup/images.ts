import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import {
  fileOf,
  isImageKey,
  type ImageStore,
  type OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import type { ImageRow } from "#server/platform/backup/images.queries.ts";
import { isRefusal } from "#shared/errors.ts";

/** The tables whose rows name files, in the order they are read. Private pictures lie apart. */
export type ImageTables = Readonly<Record<string, Area>>;
type Area = "public" | "private";

/** The stores of pictures that everybody may see, and of private ones. */
export type Stores = { store: ImageStore; privateStore: ImageStore };

/** A file of a picture as it stands in a backup: `original`, or a variant's name. */
export type ImageFile = [name: string, bytes: number, sha256: string];

/** A line of a backup's list. */
export type ListedImage = {
  table: string;
  area: Area;
  key: string;
  files: ImageFile[];
  /** files that the store lacked, or had cut */
  missing: string[];
};

export const originalName = "original";
const variantForm = /^([1-9]\d{0,4})\.(webp|avif|moving\.webp)$/;

export const storeOf = (stores: Stores, { area }: Pick<ListedImage, "area">): ImageStore =>
  area === "private" ? stores.privateStore : stores.store;

/** Where a file lies below DATA_DIR, and below a folder's `pictures`. */
export function pathOfImage(
  { area, key }: Pick<ListedImage, "area" | "key">,
  name: string,
): string {
  const folder = area === "private" ? "private" : "";
  const place = join(key.slice(0, 2), key);
  return name === originalName
    ? join(folder, "originals", place)
    : join(folder, "images", place, name);
}

/** The width and the kind of a variant by its name. */
export function variantOf(name: string): { width: number; type: "webp" | "avif" | "moving" } {
  const [, width = "", ending = ""] = variantForm.exec(name) ?? [];
  return { width: Number(width), type: ending === "moving.webp" ? "moving" : (ending as "webp") };
}

/** The lines of a list, compressed or not; throws one sentence at a line that is none of ours. */
export async function* readImageList(
  path: string,
  tables: ImageTables,
): AsyncGenerator<ListedImage> {
  const file = createReadStream(path);
  const text = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => text.destroy(error));
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    const picture = parseListLine(line, tables);
    if (!picture) throw new Error(`${path} has a line that names no picture.`);
    yield picture;
  }
}

const isName = (name: unknown) => name === originalName || variantForm.test(String(name));

function parseListLine(line: string, tables: ImageTables): ListedImage | null {
  let found: Partial<ListedImage>;
  try {
    found = JSON.parse(line) as Partial<ListedImage>;
  } catch {
    return null;
  }
  const { table = "", key = "", files = [], missing = [] } = found ?? {};
  const area = Object.hasOwn(tables, table) ? tables[table] : undefined;
  const isFile = (file: ImageFile) =>
    Array.isArray(file) &&
    isName(file[0]) &&
    Number.isInteger(file[1]) &&
    /^[0-9a-f]{64}$/.test(String(file[2]));
  const whole =
    area &&
    isImageKey(key) &&
    Array.isArray(files) &&
    files.every(isFile) &&
    Array.isArray(missing);
  return whole ? { table, area, key, files, missing: missing.filter(isName) } : null;
}

/**
 * What an earlier list says of pictures that are asked for in the list's own order, by table and key. A
 * list of a backup that was interrupted ends somewhere.
 */
export function openImageList(
  path: string,
  tables: ImageTables,
): {
  find: (table: string, key: string) => Promise<ListedImage | null>;
  close: () => Promise<void>;
} {
  const lines = readImageList(path, tables);
  const names = Object.keys(tables);
  let next: Promise<ListedImage | null> | undefined;
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
        const order = names.indexOf(picture.table) - names.indexOf(table);
        if (order > 0 || (order === 0 && picture.key > key)) return null;
        if (order === 0 && picture.key === key) return picture;
        next = read();
      }
    },
    close: async () => void (await lines.return(undefined)),
  };
}

/** The files that a row stands for; a copy in all of the original's pixels is made again when asked for. */
export function fileNamesOf({ widths, avif, moving }: ImageRow): string[] {
  return [
    originalName,
    ...widths.map((width) => fileOf(width, "webp")),
    ...avif.map((width) => fileOf(width, "avif")),
    ...(moving === null ? [] : [fileOf(moving, "moving")]),
  ];
}

/** Null for what is not there; what is cut counts as not there. */
export async function openFile(
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

/** Waits for all before it throws what the first threw: nothing goes on behind anybody's back. */
export async function allOrNothing<T>(work: Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<T>).value);
}
