import { stat } from "node:fs/promises";
import type pg from "pg";
import type { Backup, Manifest } from "#server/platform/backup/manifest.ts";
import { isInBucket } from "#server/platform/backup/bucket-files.ts";
import { sumOfImages } from "#server/platform/backup/images.queries.ts";
import { sizeOfTables } from "#server/platform/db/dump.ts";
import type { ImageTables } from "#server/platform/backup/images.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

/** The size of rows as tables with their indexes, as a multiple of their text. */
const rowsOnDisk = 4;
const clusterBytes = 200_000_000;
/** Left free on another disk than DATA_DIR's: space for what is written between two checks. */
const spareBytes = 64 * 1024 * 1024;

/** The size of a backup's rows in a PostgreSQL of our own, bytes. */
export const databaseBytes = ({ tables }: Manifest): number =>
  rowsOnDisk * tables.reduce((sum, { text }) => sum + text.bytes, 0) + clusterBytes;

/** Throws the sentence at the beginning if there is no space for all of it, and later if it runs out. */
export async function requireSpace(given: {
  client: pg.Client;
  imageTables: ImageTables;
  dataDir: string;
  /** the folder of backups */
  directory: string;
  before: Backup[];
  freeBytes: ((folder: string) => Promise<number>) | undefined;
}): Promise<() => Promise<void>> {
  const { client, imageTables, dataDir, directory, before, freeBytes = freeBytesIn } = given;
  if (isInBucket(directory)) return () => refuseLow(dataDir, limits.uploads.reserve, freeBytes);
  const spare = await spareIn(directory, dataDir);
  const { bytes } = await sumOfImages(client, Object.keys(imageTables));
  // Variants take about as much again.
  const there = before.at(-1)?.manifest.pictures.bytes ?? 0;
  const needed = Math.max(0, 2 * bytes - there) + (await sizeOfTables(client));
  const free = await freeBytes(directory);
  if (free < needed + spare) {
    throw new Error(
      `${directory} has no room for a backup: it may need ${inMegabytes(needed)} beside the ` +
        `${inMegabytes(spare)} that stay free, and ${inMegabytes(free)} are free.`,
    );
  }
  return () => refuseLow(directory, spare, freeBytes);
}

/** What a backup leaves free in its folder, bytes. */
async function spareIn(directory: string, dataDir: string): Promise<number> {
  const isSameDisk = (await stat(directory)).dev === (await stat(dataDir)).dev;
  return isSameDisk ? limits.uploads.reserve : spareBytes;
}

async function refuseLow(directory: string, spare: number, freeBytes = freeBytesIn): Promise<void> {
  if ((await freeBytes(directory)) >= spare) return;
  throw Object.assign(new Error(`The disk of ${directory} is full.`), { code: "ENOSPC" });
}

/**
 * For a continuous backup, which never knows how much it will need: throws if the folder is full. A bucket has
 * room, but lists are written here first.
 */
export async function requireSomeSpace(directory: string, dataDir: string): Promise<void> {
  if (isInBucket(directory)) await refuseLow(dataDir, limits.uploads.reserve);
  else await refuseLow(directory, await spareIn(directory, dataDir));
}

export const inMegabytes = (bytes: number): string =>
  bytes >= 10_000_000_000
    ? `${(bytes / 1_000_000_000).toFixed(1)} GB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
