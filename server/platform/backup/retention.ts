import { readdir, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  fileOfTable,
  listBackups,
  type Backup,
  type KnownBackup,
} from "#server/platform/backup/manifest.ts";
import { backupNames } from "#server/platform/backup/names.ts";
import {
  pathOfImage,
  readImageList,
  originalName,
  type ImageTables,
} from "#server/platform/backup/images.ts";
import { namesIn } from "#server/adapters/image-store/durable-files.ts";

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
 * Removes expired backups, and images that no other backup names. Call it only while no backup is running.
 * Touches nothing that this product did not make, and no image while there is a backup that cannot be read.
 * Returns the names of the removed backups.
 */
export async function removeExpired(directory: string, tables: ImageTables): Promise<string[]> {
  const backups = await listBackups(directory);
  const stay = selectRetained(backups);
  const leaving = backups.filter((backup) => !stay.has(backup));
  for (const backup of leaving) await removeBackup(backup);
  if (leaving.length > 0) await removeUnusedImages(directory, tables, [...stay]);
  return leaving.map(({ name }) => name);
}

/** Removes its files by name, the manifest first: without it this is no backup any more. */
async function removeBackup({ folder, manifest }: Backup): Promise<void> {
  const files = [
    "manifest.json",
    "manifest.json.sha256",
    "drill.json",
    "secrets.json",
    "pictures.jsonl.gz",
    ...manifest.tables.map(({ table }) => fileOfTable(table)),
  ];
  for (const file of files) await rm(join(folder, file), { force: true });
  // Folders with other files in them stay.
  await rmdir(join(folder, "database")).catch(() => undefined);
  await rmdir(folder).catch(() => undefined);
}

async function removeUnusedImages(
  directory: string,
  tables: ImageTables,
  stay: readonly Backup[],
): Promise<void> {
  // A damaged backup may name images that no other backup does.
  const readable = new Set(stay.map(({ name }) => name));
  for (const name of backupNames(directory)) {
    const left = await namesIn(join(directory, name));
    if (!readable.has(name) && left.includes("pictures.jsonl.gz")) return;
  }
  const pool = join(directory, "pictures");
  const named = new Set<string>();
  for (const { folder } of stay) {
    for await (const image of readImageList(join(folder, "pictures.jsonl.gz"), tables)) {
      named.add(pathOfImage(image, originalName));
    }
  }
  for (const area of ["", "private"]) {
    const originals = join(area, "originals");
    for (const prefix of (await namesIn(join(pool, originals))).filter(isPrefix)) {
      for (const key of await namesIn(join(pool, originals, prefix))) {
        if (isKey(key) && !named.has(join(originals, prefix, key))) {
          await unlink(join(pool, originals, prefix, key));
        }
      }
    }
    for (const prefix of (await namesIn(join(pool, area, "images"))).filter(isPrefix)) {
      for (const key of await namesIn(join(pool, area, "images", prefix))) {
        if (!isKey(key) || named.has(join(originals, prefix, key))) continue;
        await rm(join(pool, area, "images", prefix, key), { recursive: true, force: true });
      }
    }
  }
  for (const name of await readdir(join(pool, "tmp")).catch(() => [])) {
    await rm(join(pool, "tmp", name), { force: true });
  }
}

const isPrefix = (name: string): boolean => /^[0-9a-f]{2}$/.test(name);
const isKey = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);
