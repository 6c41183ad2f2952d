import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import type pg from "pg";
import { appendLines, linesOf } from "#server/platform/backup/chain-files.ts";
import { copyImages, pageSize, type ImagePage } from "#server/platform/backup/copy-images.ts";
import { join, readEnd, remove, scratchOf, sync, writeTo } from "#server/platform/backup/files.ts";
import {
  imagePages,
  imagesSince,
  oldestUnfinished,
} from "#server/platform/backup/images.queries.ts";
import {
  fileNamesOf,
  parseListLine,
  readImageList,
  type ImageTables,
  type ListedImage,
  type Stores,
} from "#server/platform/backup/images.ts";
import { newImagesName } from "#server/platform/backup/names.ts";

/** How much of a list is read again to find images whose rows changed shortly after they came, bytes. */
const recentBytes = 512 * 1024;

type Work = {
  client: pg.Client;
  imageTables: ImageTables;
  stores: Stores;
  /** the folder of backups */
  directory: string;
  /** the folders of the chains that list them, the youngest last */
  folders: readonly string[];
  /** images changed by earlier transactions were copied */
  seen: string;
  onPage: () => Promise<void>;
};

/**
 * Copies the images that came since the last call, and lists them. They are listed without files first: an
 * image that no list names may be removed at any moment. Returns `seen` for the next call.
 */
export async function copyNewImages(work: Work): Promise<string> {
  const { client, imageTables: tables, stores, directory, folders, onPage } = work;
  const seen = await oldestUnfinished(client);
  const recent = await recentlyListed(folders.at(-1) ?? directory, tables);
  const pages: ImagePage[] = [];
  for await (const found of imagesSince(client, tables, work.seen, pageSize)) {
    const page = found.page.filter((row) => {
      const names = recent.get(idOf({ table: found.table, key: row.key }));
      return !names || fileNamesOf(row).some((name) => !names.has(name));
    });
    if (page.length > 0) pages.push({ ...found, page });
  }
  if (pages.length === 0) return seen;
  const announced = pages.flatMap(announcementOf);
  for (const folder of folders) await appendLines(join(folder, newImagesName), announced);
  const list = join(await scratchOf(folders[0] ?? directory), "seen-new.jsonl");
  await rm(list, { force: true });
  await copyImages({
    client,
    tables,
    stores,
    directory,
    known: [],
    list,
    pages: Readable.from(pages),
    onPage,
  });
  const lines: object[] = [];
  for await (const { table, key, files, missing } of readImageList(list, tables)) {
    lines.push({ table, key, files, missing });
  }
  for (const folder of folders) await appendLines(join(folder, newImagesName), lines);
  await rm(list);
  return seen;
}

const announcementOf = ({ table, page }: ImagePage) =>
  page.map(({ key }) => ({ table, key, files: [], missing: [] }));

/** Lists all images without files in the draft of a chain: none of them may be removed from now on. */
export async function announceImages(
  client: pg.Client,
  tables: ImageTables,
  draft: string,
): Promise<void> {
  const lines = async function* () {
    for await (const found of imagePages(client, tables, pageSize)) {
      yield Buffer.from(linesOf(announcementOf(found)));
    }
  };
  await writeTo(join(draft, newImagesName))(lines());
  await sync(draft);
}

/** Once they are in the list of the base. */
export async function forgetAnnounced(draft: string): Promise<void> {
  await remove(join(draft, newImagesName));
}

/** The files of the images at the end of a list, by table and key. */
async function recentlyListed(
  folder: string,
  tables: ImageTables,
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const line of (await readEnd(join(folder, newImagesName), recentBytes)).split("\n")) {
    const image = parseListLine(line, tables);
    if (image) found.set(idOf(image), new Set(image.files.map(([name]) => name)));
  }
  return found;
}

const idOf = ({ table, key }: Pick<ListedImage, "table" | "key">): string => `${table} ${key}`;
