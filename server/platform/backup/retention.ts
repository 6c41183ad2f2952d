import { rmdir } from "node:fs/promises";
import {
  continuousIn,
  listChains,
  segmentList,
  type Chain,
} from "#server/platform/backup/chain.ts";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { join, lengthOf, namesIn, remove, removeAll } from "#server/platform/backup/files.ts";
import { listedSince } from "#server/platform/backup/listed-images.ts";
import {
  fileOfTable,
  listBackups,
  type Backup,
  type KnownBackup,
} from "#server/platform/backup/manifest.ts";
import { backupNames, imageListName, newImagesName } from "#server/platform/backup/names.ts";
import {
  pathOfImage,
  imagesListedIn,
  originalName,
  type ImageTables,
  type ListedImage,
} from "#server/platform/backup/images.ts";

const dayMs = 24 * 60 * 60_000;

/** How many days, and how many weeks, keep the newest of their backups. */
export const retention = { daily: 7, weekly: 4 };

/**
 * The backups that stay: the newest of each of the last days and weeks that have one, and the newest that
 * passed its drill, however old it is.
 */
export function selectRetained<Known extends Pick<KnownBackup, "manifest" | "drill">>(
  backups: readonly Known[],
  { daily, weekly }: typeof retention = retention,
): Set<Known> {
  const newestFirst = backups.toSorted((one, other) =>
    other.manifest.takenAt.localeCompare(one.manifest.takenAt),
  );
  const newestOf = (period: (date: Date) => string, most: number) => {
    const found = new Map<string, Known>();
    for (const backup of newestFirst) {
      const name = period(new Date(backup.manifest.takenAt));
      if (!found.has(name) && found.size < most) found.set(name, backup);
    }
    return [...found.values()];
  };
  const passed = newestFirst.find(({ drill }) => drill?.faults.length === 0);
  return new Set([
    ...newestOf(dayOf, daily),
    ...newestOf(weekOf, weekly),
    ...(passed ? [passed] : []),
  ]);
}

/** By the clock of the server, as BACKUP_AT. */
const dayOf = (date: Date): string => `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;

/** Named after its Monday. */
function weekOf(date: Date): string {
  const monday = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7));
  return dayOf(monday);
}

/**
 * Removes expired backups and chains, and images that no other backup names. Call it only while no backup is
 * running; a continuous one may be. Touches nothing that this product did not make, and no image while there
 * is a backup that cannot be read. Returns the names of what was removed.
 */
export async function removeExpired(
  directory: string,
  tables: ImageTables,
  now = new Date(),
): Promise<string[]> {
  const backups = await listBackups(directory);
  const stay = selectRetained(backups);
  const leaving = backups.filter((backup) => !stay.has(backup));
  const oldest = [...stay].map(({ manifest }) => manifest.takenAt).toSorted()[0];
  const chains = expiredChains(await listChains(directory), oldest, now);
  for (const backup of leaving) await removeBackup(backup);
  for (const chain of chains) await removeChain(chain);
  const removed = [...leaving, ...chains.map(({ name }) => ({ name: join("continuous", name) }))];
  if (removed.length > 0) await removeUnusedImages(directory, tables, [...stay]);
  return removed.map(({ name }) => name);
}

/**
 * Chains that began before the oldest backup that stays, except the newest, and the one before it until the
 * newest is a day old.
 */
function expiredChains(chains: readonly Chain[], oldest: string | undefined, now: Date): Chain[] {
  const newest = chains.at(-1);
  if (oldest === undefined || !newest) return [];
  const isFresh = now.getTime() - Date.parse(newest.manifest.takenAt) < dayMs;
  const kept = isFresh ? 2 : 1;
  return chains.slice(0, -kept).filter(({ manifest }) => manifest.takenAt < oldest);
}

/** What a backup of rows and a chain have; the manifest, which makes them one, is removed first. */
const filesOfBoth = ["manifest.json", "manifest.json.sha256", "drill.json", "secrets.json"];

/** The manifest first: without it this is no chain any more. The folders are its own. */
async function removeChain({ folder }: Chain): Promise<void> {
  const files = [
    ...filesOfBoth,
    "backup_label",
    "tablespace_map",
    segmentList,
    imageListName,
    newImagesName,
  ];
  for (const file of files) await remove(join(folder, file));
  for (const own of ["files", "wal"]) await removeAll(join(folder, own));
  await removeEmpty(folder);
}

/** Removes its files by name, the manifest first: without it this is no backup any more. */
async function removeBackup({ folder, manifest }: Backup): Promise<void> {
  const tables = manifest.tables.map(({ table }) => fileOfTable(table));
  const files = [...filesOfBoth, imageListName, ...tables];
  for (const file of files) await remove(join(folder, file));
  for (const own of [join(folder, "database"), folder]) await removeEmpty(own);
}

/** Folders with other files in them stay. */
async function removeEmpty(folder: string): Promise<void> {
  if (!isInBucket(folder)) await rmdir(folder).catch(() => undefined);
}

async function removeUnusedImages(directory: string, tables: ImageTables, stay: readonly Backup[]) {
  // A damaged backup may name images that no other backup does.
  const readable = new Set(stay.map(({ name }) => name));
  for (const name of await backupNames(directory)) {
    const left = await namesIn(join(directory, name));
    if (!readable.has(name) && left.includes(imageListName)) return;
  }
  const named = new Set<string>();
  const note = (image: ListedImage) => void named.add(pathOfImage(image, originalName));
  for (const { folder } of stay) {
    for await (const image of imagesListedIn(folder, tables)) note(image);
  }
  const pool = join(directory, "pictures");
  const unused: { original: string; path: string }[] = [];
  for await (const found of imagesInPool(pool)) if (!named.has(found.original)) unused.push(found);
  // Last, because a continuous backup may go on meanwhile: it lists an image before it copies it.
  await noteImagesOfChains(directory, tables, note);
  for (const { original, path } of unused) {
    if (!named.has(original)) await removeAll(join(pool, path));
  }
  for (const name of await namesIn(join(pool, "tmp"))) await remove(join(pool, "tmp", name));
}

/** Whole chains, and the draft of one, which gets another name once it is whole. */
async function noteImagesOfChains(
  directory: string,
  tables: ImageTables,
  note: (image: ListedImage) => void,
): Promise<void> {
  const folder = continuousIn(directory);
  const names = await namesIn(folder);
  for (const name of names) {
    // The list of a base is there before the announced ones go.
    for await (const image of listedSince(join(folder, name), tables)) note(image);
    if ((await lengthOf(join(folder, name, imageListName))) === null) continue;
    for await (const image of imagesListedIn(join(folder, name), tables)) note(image);
  }
  const later = await namesIn(folder);
  if (later.join() !== names.join()) await noteImagesOfChains(directory, tables, note);
}

/** Each original, and each folder of variants, with the path that the original has. */
async function* imagesInPool(pool: string): AsyncGenerator<{ original: string; path: string }> {
  for (const area of ["", "private"]) {
    for (const kind of ["originals", "images"]) {
      for (const prefix of (await namesIn(join(pool, area, kind))).filter(isPrefix)) {
        for (const key of (await namesIn(join(pool, area, kind, prefix))).filter(isKey)) {
          const original = join(area, "originals", prefix, key);
          yield { original, path: join(area, kind, prefix, key) };
        }
      }
    }
  }
}

const isPrefix = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);
const isKey = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);
