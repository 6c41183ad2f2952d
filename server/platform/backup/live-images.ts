import { randomInt } from "node:crypto";
import type { Backup } from "#server/platform/backup/manifest.ts";
import {
  imagesListedIn,
  isUnreadable,
  openFile,
  pathOfImage,
  storeOf,
  type ImageTables,
  type ListedImage,
  type ImageFile,
  type Stores,
} from "#server/platform/backup/images.ts";
import { isImageNamed } from "#server/platform/backup/images.queries.ts";
import type { Database } from "#server/platform/db/database.ts";
import { hashOf } from "#server/platform/hashing.ts";

/** How many images are read in the server's store, with every file of each. */
const sample = 100;

type Options = {
  imageTables: ImageTables;
  stores: Stores;
  db: Database;
  /** files that were found before, which are checked again */
  before?: readonly string[];
  most?: number;
  signal?: AbortSignal | undefined;
};

/**
 * Files in the server's store that are missing, unreadable or differ from the backup, of images chosen at random; named
 * as in DATA_DIR. A file never changes under its key, so one that differs is corrupt.
 */
export async function findCorruptImages(
  { folder, manifest }: Backup,
  { imageTables, stores, db, before = [], most = sample, signal }: Options,
): Promise<string[]> {
  const { count } = manifest.pictures;
  const chosen = new Set<number>();
  while (chosen.size < Math.min(most, count)) chosen.add(randomInt(count));
  // The key is the last part but one of a variant's name, and the last of an original's.
  const known = new Set(before.flatMap((path) => path.split("/").slice(-2)));
  const rotten: string[] = [];
  let index = 0;
  for await (const image of imagesListedIn(folder, imageTables)) {
    const looks = chosen.has(index++) || known.has(image.key);
    if (!looks) continue;
    signal?.throwIfAborted();
    const found = await corruptFiles(image, stores);
    // A file that was deleted meanwhile is not missing.
    if (found.length > 0 && (await isImageNamed(db, image))) rotten.push(...found);
  }
  return rotten;
}

async function corruptFiles(image: ListedImage, stores: Stores): Promise<string[]> {
  const rotten: string[] = [];
  for (const file of image.files) {
    if (!(await isIntact(file, image, stores))) rotten.push(pathOfImage(image, file[0]));
  }
  return rotten;
}

async function isIntact(
  [name, , sha256]: ImageFile,
  image: ListedImage,
  stores: Stores,
): Promise<boolean> {
  try {
    const found = await openFile(storeOf(stores, image), image.key, name);
    return found !== null && (await hashOf(found.read())).sha256 === sha256;
  } catch (error) {
    if (isUnreadable(error)) return false;
    throw error;
  }
}
