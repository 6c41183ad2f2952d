import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { namesIn } from "#server/adapters/image-store/durable-files.ts";
import type { Stores, ImageTables } from "#server/platform/backup/images.ts";
import { inMegabytes } from "#server/platform/backup/required-space.ts";
import type { Config } from "#server/config.ts";
import { unfinishedRestore } from "#server/platform/data-dir.ts";
import type { EmbeddedPostgres } from "#server/platform/db/embedded-postgres.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

/** Where a backup is restored. */
export type RestoreTarget = Pick<Config, "dataDir" | "databaseUrl" | "secretsFile" | "imageStore">;

export type RestoreProgress =
  | { step: "verify"; bytes: number; of: number }
  | { step: "log"; bytes: number }
  | { step: "unpack"; bytes: number; of: number }
  | { step: "replay" }
  | { step: "images"; done: number; of: number }
  | { step: "rows"; table: string };

export type RestoreOptions = {
  imageTables: ImageTables;
  /** deletes accounts that were deleted for good since the backup, by hashes of their ids; answers how many */
  deleteAgain: (accounts: ReadonlySet<string>) => Promise<number>;
  log: Pick<Logger, "info" | "warn" | "error">;
  onProgress?: (progress: RestoreProgress) => void;
  signal?: AbortSignal | undefined;
};

/** A backup to restore: one of rows, or a continuous one until a moment. */
export type RestoreSource = {
  /** its own folder, and the folder of backups */
  folder: string;
  directory: string;
  /** everything acknowledged until then is in it */
  until: string;
  publicUrl: string;
  /** what an operator should know about it, in sentences */
  notes: string[];
  /** what it is, for the same command after an interruption */
  mark: string;
  /** room in DATA_DIR, bytes */
  needed: { database: number; images: number };
  /** compares all of it with its hashes; throws one sentence */
  verify: () => Promise<void>;
  /** throws one sentence unless the database is empty, or an interrupted restore of this left it */
  refuseFilled: (connection: Connection, goesOn: boolean) => Promise<void>;
  /** makes the data folder of the embedded PostgreSQL, where the backup has it */
  prepare: (dataDir: string) => Promise<void>;
  /** restores images and rows */
  fill: (connection: Connection, stores: Stores, goesOn: boolean) => Promise<Filled>;
};

export type Connection = EmbeddedPostgres["connection"] | { connectionString: string };

export type Filled = {
  /** null if nobody counted them */
  rows: number | null;
  pictures: number;
  /** images whose original is not in the backup */
  skipped: string[];
  /** tables of another program */
  unknown: string[];
  /** the DATA_DIR that stores the images of this database */
  imageStoreId: string | null;
};

/** Whether an interrupted restore of the same backup continues here. */
export async function refuseUsed(dataDir: string, mark: string): Promise<boolean> {
  const names = await namesIn(dataDir);
  const marker = unfinishedRestore(dataDir);
  if (existsSync(marker)) {
    if ((await readFile(marker, "utf8")) === mark) return true;
    throw new Error(
      `DATA_DIR is ${dataDir}, which holds half of another backup: empty it, and its database, first.`,
    );
  }
  const used = names.filter((name) => !["owner.lock", "lost+found"].includes(name));
  if (used.length === 0) return false;
  throw new Error(`DATA_DIR is ${dataDir}, which is not empty: restore into an empty folder.`);
}

export function refuseOtherSecrets(file: string, wanted: Buffer): void {
  if (!existsSync(file) || readFileSync(file).equals(wanted)) return;
  throw new Error(`${file} holds other secrets than the backup: move it away first.`);
}

/** Throws one sentence if DATA_DIR lacks the room; what an interrupted restore left counts as room. */
export async function refuseFull(dataDir: string, needed: number): Promise<void> {
  const free = await freeBytesIn(dataDir);
  if (existsSync(join(dataDir, "images")) || free >= needed + limits.uploads.reserve) return;
  throw new Error(
    `${dataDir} has no room for the backup: it may need ${inMegabytes(needed)} beside the ` +
      `${inMegabytes(limits.uploads.reserve)} that stay free, and ${inMegabytes(free)} are free.`,
  );
}
