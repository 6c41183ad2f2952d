import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import {
  fileOf,
  isImageKey,
  type ImageStore,
  type OpenVariant,
} from "#server/adapters/image-store/image-store.ts";
import { join, parsed, readFrom } from "#server/platform/backup/files.ts";
import type { ImageRow } from "#server/platform/backup/images.queries.ts";
import { imageListName } from "#server/platform/backup/names.ts";
import { isRefusal } from "#shared/errors.ts";

/** The tables whose rows name files, in the order they are read. Private images are stored apart. */
export type ImageTables = Readonly<Record<string, Area>>;
type Area = "public" | "private";

/** The stores of public and of private images. */
export type Stores = { store: ImageStore; privateStore: ImageStore };

/** A file of an image in a backup: `original`, or a variant's name. */
export type ImageFile = [name: string, bytes: number, sha256: string];

/** A line in a backup's list of images. */
export type ListedImage = {
  table: string;
  area: Area;
  key: string;
  files: ImageFile[];
  /** files that were missing or truncated in the store */
  missing: string[];
};

export const originalName = "original";
const variantForm = /^([1-9]\d{0,4})\.(webp|avif|moving\.webp)$/;

export const storeOf = (stores: Stores, { area }: Pick<ListedImage, "area">): ImageStore =>
  area === "private" ? stores.privateStore : stores.store;

/** The path of a file below DATA_DIR, and below `pictures` in a folder of backups. */
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

/** The width and the type of a variant, from its name. */
export function variantOf(name: string): { width: number; type: "webp" | "avif" | "moving" } {
  const [, width = "", ending = ""] = variantForm.exec(name) ?? [];
  return { width: Number(width), type: ending === "moving.webp" ? "moving" : (ending as "webp") };
}

/** The bytes of all of them. */
export const bytesOfImage = ({ files }: Pick<ListedImage, "files">): number =>
  files.reduce((sum, [, bytes]) => sum + bytes, 0);

/** The images of a backup, or at the base of a chain. */
export const imagesListedIn = (folder: string, tables: ImageTables) =>
  readImageList(join(folder, imageListName), tables);

/** The lines of a list, compressed or not; throws one sentence at a line it does not understand. */
export async function* readImageList(
  path: string,
  tables: ImageTables,
): AsyncGenerator<ListedImage> {
  const file = readFrom(path);
  const text = path.endsWith(".gz") ? file.pipe(createGunzip()) : file;
  file.on("error", (error) => text.destroy(error));
  for await (const line of createInterface({ input: text, crlfDelay: Infinity })) {
    const image = parseListLine(line, tables);
    if (!image) throw new Error(`${path} has a line that names no picture.`);
    yield image;
  }
}

const isName = (name: string) => name === originalName || variantForm.test(name);

const lineSchema = z.object({
  table: z.string(),
  key: z.string().refine(isImageKey),
  files: z
    .array(z.tuple([z.string().refine(isName), z.int(), z.string().regex(/^[0-9a-f]{64}$/)]))
    .default([]),
  missing: z.array(z.string()).default([]),
});

/** A line of a list; null if it is none. */
export function parseListLine(line: string, tables: ImageTables): ListedImage | null {
  const found = parsed(lineSchema, line);
  const area = found && Object.hasOwn(tables, found.table) && tables[found.table];
  return area ? { ...found, area, missing: found.missing.filter(isName) } : null;
}

/**
 * Looks images up in an earlier list, in the list's own order, by table and key. The list of an interrupted
 * backup may end anywhere.
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
        const image = await next;
        if (image === null) return null;
        const order = names.indexOf(image.table) - names.indexOf(table);
        if (order > 0 || (order === 0 && image.key > key)) return null;
        if (order === 0 && image.key === key) return image;
        next = read();
      }
    },
    close: async () => void (await lines.return(undefined)),
  };
}

/** The files that a row names; a variant of the original's full size is made again on request. */
export function fileNamesOf({ widths, avif, moving }: ImageRow): string[] {
  return [
    originalName,
    ...widths.map((width) => fileOf(width, "webp")),
    ...avif.map((width) => fileOf(width, "avif")),
    ...(moving === null ? [] : [fileOf(moving, "moving")]),
  ];
}

/** Null if the file is missing or truncated. */
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

/** Whether a disk could not read a file that it has: a bad sector, which others need not share. */
export function isUnreadable(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code === "EIO" && ["open", "fstat", "read"].includes(syscall ?? "");
}

/** Waits for all before it throws the first error, so that nothing runs on unnoticed. */
export async function allOrNothing<T>(work: Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(work);
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return ends.map((end) => (end as PromiseFulfilledResult<T>).value);
}
