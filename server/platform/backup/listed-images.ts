import { existsSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { imageListsOfChain, type Chain } from "#server/platform/backup/chain.ts";
import {
  addListedImages,
  createListedImages,
  readListedImages,
} from "#server/platform/backup/listed-images.queries.ts";
import {
  readListLines,
  type ImageTables,
  type ListedImage,
} from "#server/platform/backup/images.ts";
import { imagePages, type ImageRow } from "#server/platform/backup/images.queries.ts";

const pageSize = 500;
const [listAtBase, listSince] = imageListsOfChain;

/**
 * The images that came since the base of a chain. Calls for each line that is damaged; one at the end may have been
 * cut by an interruption, or is being written, and is none.
 */
export async function* listedSince(
  { folder }: Pick<Chain, "folder">,
  tables: ImageTables,
  onDamaged: () => void = () => {},
): AsyncGenerator<ListedImage> {
  const path = join(folder, listSince);
  if (!existsSync(path)) return;
  let damaged = false;
  for await (const image of readListLines(path, tables)) {
    if (damaged) onDamaged();
    damaged = image === null;
    if (image) yield image;
  }
}

/**
 * Every image that a row names, with all that the lists of a chain say of it; no files if they do not name
 * it. The lists may name more: images that came after the moment, or went before it.
 */
export async function* imagesOfRows(
  client: pg.Client,
  chain: Pick<Chain, "folder">,
  tables: ImageTables,
): AsyncGenerator<{ row: ImageRow; listed: ListedImage }> {
  await createListedImages(client);
  for await (const page of inPages(allListed(chain, tables))) await addListedImages(client, page);
  for await (const { table, area, page } of imagePages(client, tables, pageSize)) {
    const keys = page.map(({ key }) => key);
    const lines = await readListedImages(client, table, keys);
    for (const row of page) {
      const said = lines.filter(({ key }) => key === row.key);
      const files = new Map(said.flatMap((line) => line.files).map((file) => [file[0], file]));
      const missing = said.flatMap((line) => line.missing).filter((name) => !files.has(name));
      yield { row, listed: { table, area, key: row.key, files: [...files.values()], missing } };
    }
  }
}

async function* allListed(chain: Pick<Chain, "folder">, tables: ImageTables) {
  for await (const image of readListLines(join(chain.folder, listAtBase), tables)) {
    if (image) yield image;
  }
  yield* listedSince(chain, tables);
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
