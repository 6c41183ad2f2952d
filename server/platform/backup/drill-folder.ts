import { mkdir, rm } from "node:fs/promises";
import type pg from "pg";
import { join, lengthOf, move, replace } from "#server/platform/backup/files.ts";
import { readAll, type Reading, type Whole } from "#server/platform/backup/coverage.ts";
import type { DrillResult } from "#server/platform/backup/manifest.ts";
import {
  fileNamesOf,
  pathOfImage,
  type ImageTables,
  type ListedImage,
} from "#server/platform/backup/images.ts";
import { imagesOfRows } from "#server/platform/backup/listed-images.ts";
import { inMegabytes } from "#server/platform/backup/required-space.ts";
import type { ImageFault } from "#server/platform/backup/restore-images.ts";
import { claimFreeDataDir } from "#server/platform/data-dir.ts";
import type { Difference } from "#server/platform/db/counters.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from "#server/platform/db/embedded-postgres.ts";
import { killIn } from "#server/platform/db/postgres-cluster.ts";
import { patientBounds } from "#server/platform/db/time-limits.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

/** Nothing in it has to last: it may be lost. */
export const volatileSettings = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
};
const mostFaults = 20;

/** The product's data: its tables of images, and how its counters are compared with the rows they count. */
export type DrilledData = {
  imageTables: ImageTables;
  reconcile: (db: Database) => Promise<Difference[]>;
};

export type AddFault = (fault: string) => void;
type Connection = EmbeddedPostgres["connection"];

const busy = "AnotherDrill";

/** Whether a drill did not begin because another one is under way: that says nothing about the backup. */
export const isDrillBusy = (error: unknown): boolean =>
  error instanceof Error && error.name === busy;

/** What is drilled, by its folder, and how many bytes it takes to restore it. */
type Drilled = { folder: string; what: Whole; bytes: number };

/**
 * Stores the result of a drill in the folder of what was drilled; `work` is told whether all of it is to be
 * restored this time. Throws only if it was stopped, or another one is under way.
 */
export async function recordDrill(
  { folder, what, bytes }: Drilled,
  { reading = readAll, signal }: { reading?: Reading; signal?: AbortSignal | undefined },
  work: (addFault: AddFault, isWhole: boolean) => Promise<Pick<DrillResult, "rows" | "pictures">>,
): Promise<DrillResult> {
  const began = Date.now();
  const isWhole = reading.isRestoreDue(what, bytes);
  const faults: string[] = [];
  const addFault = (fault: string) => {
    if (faults.length < mostFaults && !faults.includes(fault)) faults.push(fault);
  };
  let sums: Awaited<ReturnType<typeof work>> = { rows: 0, pictures: 0 };
  try {
    sums = await work(addFault, isWhole);
  } catch (error) {
    signal?.throwIfAborted();
    if (isDrillBusy(error)) throw error;
    addFault((error as Error).message.split("\n", 1)[0] ?? "");
  }
  if (isWhole && faults.length === 0) reading.noteRestored(what);
  const coverage = reading.coverage(what);
  const seconds = Math.round((Date.now() - began) / 1000);
  const at = new Date().toISOString();
  const result = { at, faults, ...sums, ...(coverage && { coverage }), seconds };
  await replace(join(folder, "drill.json"), `${JSON.stringify(result, null, 1)}\n`);
  return result;
}

/** Moves damaged images aside, so that the next backup copies them again. Returns how many there were. */
export async function setAside(
  faults: AsyncIterable<ImageFault>,
  addFault: AddFault,
): Promise<number> {
  let damaged = 0;
  for await (const { path, name, why } of faults) {
    damaged += 1;
    addFault(`${name} ${why}`);
    if (name.startsWith("pictures/") && (await lengthOf(path)) !== null) {
      await move(path, `${path}.damaged`);
    }
  }
  return damaged;
}

/** Works in a temporary folder of DATA_DIR. Throws one sentence without the room for `needed` bytes there. */
export async function inDrillFolder(
  dataDir: string,
  needed: number,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(dataDir, "drill");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const claim = claimFreeDataDir(folder);
  if (!claim) throw Object.assign(new Error("Another drill is under way."), { name: busy });
  try {
    await empty(folder);
    await refuseFull(folder, needed);
    await work(folder);
  } finally {
    await empty(folder);
    claim.release();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what a drill that was killed left behind, and ends its PostgreSQL. */
async function empty(folder: string): Promise<void> {
  await killIn(join(folder, "postgres", "data"));
  for (const name of ["postgres", "images", "originals", "private", "tmp"]) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

async function refuseFull(folder: string, needed: number): Promise<void> {
  const free = await freeBytesIn(folder);
  if (free >= needed + limits.uploads.reserve) return;
  throw new Error(
    `There was no room to try it: ${folder} may need ${inMegabytes(needed)}, and ${inMegabytes(free)} are free.`,
  );
}

/** Works with a PostgreSQL in that folder. */
export async function onVolatilePostgres(
  folder: string,
  addFault: AddFault,
  work: (connection: Connection) => Promise<void>,
): Promise<void> {
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    onLost: (error) => addFault(error.message),
    overrides: volatileSettings,
  });
  await work(postgres.connection).finally(postgres.stop);
}

/**
 * Whether every file that a row names is listed, or listed as missing; `onImage` is called for each image. Counts
 * the rows.
 */
export async function compareImages(
  client: pg.Client,
  lists: AsyncIterable<ListedImage>,
  { productData, addFault }: { productData: DrilledData; addFault: AddFault },
  onImage: (image: ListedImage) => Promise<void> = async () => {},
): Promise<number> {
  let count = 0;
  for await (const { row, listed } of imagesOfRows(client, lists, productData.imageTables)) {
    count += 1;
    const names = new Set([...listed.files.map(([name]) => name), ...listed.missing]);
    const lacking = fileNamesOf(row).find((name) => !names.has(name));
    if (lacking) addFault(`${pathOfImage(listed, lacking)} is not in the backup`);
    await onImage(listed);
  }
  return count;
}

/** Whether all counters are what they count. */
export async function compareCounters(
  { reconcile }: DrilledData,
  connection: pg.ClientConfig,
  addFault: AddFault,
): Promise<void> {
  const log = { warn: () => {}, error: () => {} };
  const db = createDatabase({ connection, log, bounds: patientBounds });
  const drift = await reconcile(db).finally(db.close);
  const [first] = drift;
  if (!first) return;
  const { counter, id, stored, counted } = first;
  addFault(
    `${drift.length} counters are not what they count, as ${counter} of ${id}: ${stored}, not ${counted}`,
  );
}
