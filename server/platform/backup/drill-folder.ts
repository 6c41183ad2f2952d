import { mkdir, rm } from "node:fs/promises";
import type pg from "pg";
import { join, lengthOf, move, replace } from "#server/platform/backup/files.ts";
import type { Reading } from "#server/platform/backup/coverage.ts";
import type { DrillResult } from "#server/platform/backup/manifest.ts";
import type { ImageTables } from "#server/platform/backup/images.ts";
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

/**
 * Stores the result of a drill in the folder of what was drilled. Throws only if it was stopped, or another one is
 * under way.
 */
export async function recordDrill(
  folder: string,
  signal: AbortSignal | undefined,
  work: (addFault: AddFault) => Promise<Pick<DrillResult, "rows" | "pictures" | "coverage">>,
): Promise<DrillResult> {
  const began = Date.now();
  const faults: string[] = [];
  const addFault = (fault: string) => void (faults.length < mostFaults && faults.push(fault));
  let sums: Awaited<ReturnType<typeof work>> = { rows: 0, pictures: 0 };
  try {
    sums = await work(addFault);
  } catch (error) {
    signal?.throwIfAborted();
    if (isDrillBusy(error)) throw error;
    addFault((error as Error).message.split("\n", 1)[0] ?? "");
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  const result: DrillResult = { at: new Date().toISOString(), faults, ...sums, seconds };
  await replace(join(folder, "drill.json"), `${JSON.stringify(result, null, 1)}\n`);
  return result;
}

/** What a drill records of the parts that were read, itself included. */
export function coverageNow(
  reading: Reading,
  what: "restored" | "replayed",
  isWhole: boolean,
): Pick<DrillResult, "coverage"> {
  const coverage = reading.coverage(what);
  if (!coverage) return {};
  return { coverage: { ...coverage, ...(isWhole && { restoredAt: new Date().toISOString() }) } };
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
  try {
    await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Whether all counters are what they count. */
export async function compareCounters(
  { reconcile }: DrilledData,
  connection: pg.ClientConfig,
  addFault: AddFault,
): Promise<void> {
  const log = { warn: () => {}, error: () => {} };
  const db = createDatabase({ connection, log, bounds: patientBounds });
  try {
    const drift = await reconcile(db);
    const [first] = drift;
    if (!first) return;
    const { counter, id, stored, counted } = first;
    addFault(
      `${drift.length} counters are not what they count, as ${counter} of ${id}: ${stored}, not ${counted}`,
    );
  } finally {
    await db.close();
  }
}
