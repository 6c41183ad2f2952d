import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { createGzip } from "node:zlib";
import type pg from "pg";
import { copyImages, type CopyTotals } from "#server/platform/backup/copy-images.ts";
import { join, lengthOf, namesIn, writeTo } from "#server/platform/backup/files.ts";
import type { Manifest } from "#server/platform/backup/manifest.ts";
import { imageListName, nameOf } from "#server/platform/backup/names.ts";
import { stillReferenced, sumOfImages } from "#server/platform/backup/images.queries.ts";
import type { ImageTables, ListedImage, Stores } from "#server/platform/backup/images.ts";
import { beginSnapshot, endSnapshot, type Snapshot } from "#server/platform/db/dump.ts";
import { hashing } from "#server/platform/hashing.ts";

/** An image that is gone at each of so many snapshots counts as missing. */
const mostSnapshots = 10;

/** Progress: images of a total, or the table that is being copied. */
export type Progress = { images: number; of: number; copiedBytes: number } | { table: string };

/** Whose backup is taken. */
export type Source = {
  connection: pg.ClientConfig;
  imageTables: ImageTables;
  stores: Stores;
  dataDir: string;
  secretsFile: string;
  settings: Manifest["settings"];
};

/** A backup that is being taken. */
export type Taking = {
  client: pg.Client;
  source: Source;
  /** the folder of backups */
  directory: string;
  /** where lists are written meanwhile, and what is in a folder */
  draft: string;
  /** throws once there is no room for more */
  room: () => Promise<void>;
  onProgress: ((progress: Progress) => void) | undefined;
  signal: AbortSignal | undefined;
};

type Images = {
  known: { path: string; trusted: boolean }[];
  /** `copied` counts the files that were copied */
  made: { copied: number };
  refuse: (snapshot: Snapshot) => void;
};

/**
 * Copies the images first, which takes long, then takes the snapshot, and then copies the few that were added
 * meanwhile: so everything the snapshot names is there, and deleting does not have to wait. If an image was
 * deleted in between, a later snapshot is taken, which does not name it.
 */
export async function copyImagesAndSnapshot(taking: Taking, { known, made, refuse }: Images) {
  const { client, source, directory, draft, room, onProgress, signal } = taking;
  const { imageTables, stores } = source;
  const tables = Object.keys(imageTables);
  const { count: of } = await sumOfImages(client, tables);
  const onPage = async ({ count, copied, copiedBytes }: CopyTotals) => {
    made.copied = Math.max(made.copied, copied);
    signal?.throwIfAborted();
    onProgress?.({ images: count, of, copiedBytes });
    await room();
  };
  const copy = async (number: number, lists: Images["known"]) => {
    const list = join(draft, `seen-${number}.jsonl`);
    const given = { client, tables: imageTables, stores, directory, known: lists, list, onPage };
    return { list, ...(await copyImages(given)) };
  };
  let { faulty, list, ...sum } = await copy(0, known);
  const lost = new Set<string>();
  for (let number = 1; ; number += 1) {
    const snapshot = await beginSnapshot(client);
    refuse(snapshot);
    if ((await namesIn(directory)).includes(nameOf(snapshot.takenAt))) {
      // There already is a backup of this very second.
      await endSnapshot(client);
      await sleep(1000);
      continue;
    }
    const found = await copy(number, [{ path: list, trusted: true }]);
    ({ faulty, list } = found);
    sum = {
      ...found,
      copied: sum.copied + found.copied,
      copiedBytes: sum.copiedBytes + found.copiedBytes,
    };
    const unsure = faulty.filter(({ key }) => !lost.has(key));
    if (unsure.length === 0 || number === mostSnapshots) {
      return { snapshot, images: sum, faulty, list };
    }
    await endSnapshot(client);
    for (const table of tables) {
      const keys = unsure.filter((one) => one.table === table).map(({ key }) => key);
      for (const key of await stillReferenced(client, table, keys)) lost.add(key);
    }
  }
}

/** Packs the list of what was copied into a backup; returns what the manifest says of the images. */
export async function packList(
  list: string,
  path: string,
  {
    count,
    files,
    bytes,
    faulty,
  }: Omit<CopyTotals, "copied" | "copiedBytes"> & { faulty: ListedImage[] },
): Promise<Manifest["pictures"]> {
  const listed = hashing();
  await pipeline(createReadStream(list), createGzip(), listed.stream, writeTo(path));
  const missing = faulty.reduce((sum, image) => sum + image.missing.length, 0);
  return { list: listed.result(), count, files, bytes, missing };
}

/** The lists of images in a backup, finished or interrupted. */
export function imageListsIn(folder: string): string[] {
  return [imageListName, "seen-0.jsonl", "seen-1.jsonl"].map((name) => join(folder, name));
}

export async function existingLists(
  paths: readonly string[],
): Promise<{ path: string; trusted: boolean }[]> {
  const found: { path: string; trusted: boolean }[] = [];
  for (const path of paths) {
    if ((await lengthOf(path).catch(() => null)) !== null) found.push({ path, trusted: false });
  }
  return found;
}
