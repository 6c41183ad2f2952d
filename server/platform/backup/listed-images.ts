import { createInterface } from "node:readline";
import type pg from "pg";
import { join, lengthOf, readFrom } from "#server/platform/backup/files.ts";
import {
  addListedImages,
  createListedImages,
  readListedImages,
} from "#server/platform/backup/listed-images.queries.ts";
import {
  imagesListedIn,
  parseListLine,
  type ImageTables,
  type ListedImage,
} from "#server/platform/backup/images.ts";
import { imagePages, type ImageRow } from "#server/platform/backup/images.queries.ts";
import { newImagesName } from "#server/platform/backup/names.ts";

const pageSize = 500;

/**
 * The images that came since the base of a chain; one may be listed again, with more files. Calls for each line
 * that is damaged; one that an interruption cut, or that is being written, is none.
 */
export async function* listedSince(
  folder: string,
  tables: ImageTables,
  onDamaged: (path: string) => void = refuseLine,
): AsyncGenerator<ListedImage> {
  const path = join(folder, newImagesName);
  const size = await lengthOf(path);
  if (!size) return;
  let read = 0;
  const lines = createInterface({ input: readFrom(path), crlfDelay: Infinity });
  for await (const line of lines) {
    read += Buffer.byteLength(line) + 1;
    const image = parseListLine(line, tables);
    if (image) yield image;
    else if (read <= size) onDamaged(path);
  }
}

function refuseLine(path: string): never {
  throw new Error(`${path} has a line that names no picture.`);
}

/**
 * Every image that a row names, with all that the lists of a backup say of it; no files if they do not name
 * it. Those of a chain may name more: images that came after the moment, or went before it.
 */
export async function* imagesOfRows(
  client: pg.Client,
  lists: AsyncIterable<ListedImage>,
  tables: ImageTables,
): AsyncGenerator<{ row: ImageRow; listed: ListedImage }> {
  await createListedImages(client);
  for await (const page of inPages(lists)) await addListedImages(client, page);
  for await (const { table, area, page } of imagePages(client, tables, pageSize)) {
    const keys = page.map(({ key }) => key);
    const lines = await readListedImages(client, table, keys);
    for (const row of page) {
      const said = together(lines.filter(({ key }) => key === row.key));
      yield { row, listed: { table, area, key: row.key, ...said } };
    }
  }
}

/** What all lines about one image say. */
export function together(lines: readonly Pick<ListedImage, "files" | "missing">[]) {
  const files = new Map(lines.flatMap((line) => line.files).map((file) => [file[0], file]));
  const missing = lines.flatMap((line) => line.missing).filter((name) => !files.has(name));
  return { files: [...files.values()], missing };
}

/** All lines of the lists of a chain. */
export async function* listedImages(
  folder: string,
  tables: ImageTables,
): AsyncGenerator<ListedImage> {
  yield* imagesListedIn(folder, tables);
  yield* listedSince(folder, tables, () => {});
}

async function* inPages(images: AsyncIterable<ListedImage>): AsyncGenerator<ListedImage[]> {
  let page: ListedImage[] = [];
  for await (const image of images) {
    page.push(image);
    if (page.length < pageSize) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}
