import { existsSync, mkdirSync, realpathSync, renameSync } from "node:fs";
import { join } from "node:path";
import { syncDir } from "#server/adapters/image-store/durable-files.ts";
import { findStoredPrograms, storePrograms } from "#server/platform/db/stored-programs.ts";
import { findBinaries, type Binaries } from "#server/platform/db/postgres-binaries.ts";
import {
  majorOf,
  oldClusterOf,
  readyName,
  removeDrafts,
  tooNew,
} from "#server/platform/db/postgres-cluster.ts";
import type { Log } from "#server/platform/db/postgres-server.ts";
import { copyIn, copyOut } from "#server/platform/db/upgrade-copy.ts";
import { diskUsage, freeBytesIn } from "#server/platform/disk-space.ts";
import { limits } from "#shared/limits.ts";

export type UpgradeOptions = {
  dataDir: string;
  log: Log;
  /** other programs than those this Postcard ships, for tests */
  binaries?: Binaries;
  /** aborted once everything is being stopped */
  stopping?: AbortSignal;
  freeBytes?: (folder: string) => Promise<number>;
};

/** A new data directory, its first log and the catalogue of an empty database, bytes. */
const clusterBytes = 200_000_000;
const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1_000_000)} MB`;

/**
 * Takes over the data of an older major version of PostgreSQL (docs/decisions/0199): the old programs,
 * stored next to the data, start it once more, every table is copied the way a backup copies it, the new
 * version loads the rows, which are compared, and only then does the new data take the place of the old,
 * which stays next to it. If it is killed at any moment, the next call finishes the exchange or begins
 * again. Does nothing if the data is of this version or there is none. The caller must own the data
 * directory. Throws an Error with one sentence.
 */
export async function upgradePostgres(options: UpgradeOptions): Promise<void> {
  const { dataDir, log, binaries = findBinaries() } = options;
  if (!existsSync(join(dataDir, "postgres"))) return;
  const home = realpathSync(join(dataDir, "postgres"));
  const cluster = join(home, "data");
  finishExchange(home, log);
  if (!existsSync(cluster)) return;
  const from = majorOf(cluster);
  const to = binaries.major;
  if (from === to) return;
  if (from > to) throw new Error(tooNew(cluster, from, to));
  const old = findStoredPrograms(dataDir, from);
  if (!old) throw new Error(noPrograms(dataDir, from, to));
  const kept = oldClusterOf(home, from);
  if (existsSync(kept)) {
    throw new Error(
      `${kept} is in the way, the database of before another upgrade: remove or rename it, and start again.`,
    );
  }
  await removeDrafts(home);
  await refuseFull(home, cluster, { from, to }, options.freeBytes ?? freeBytesIn);

  const versions = `PostgreSQL ${from} to ${to}`;
  log.warn({ from: old.version, to: binaries.version }, `${versions}: the upgrade begins`);
  const draft = join(home, "draft-upgrade");
  mkdirSync(draft, { mode: 0o700 });
  const report = (details: object, what: string) => log.info(details, `${versions}: ${what}`);
  try {
    const copied = await copyOut({ ...options, binaries: old }, home, cluster, draft, report);
    const made = await copyIn({ ...options, binaries }, home, draft, copied, report);
    await storePrograms(dataDir, binaries, log);
    options.stopping?.throwIfAborted();
    exchange(home, made, from);
  } catch (error) {
    await removeDrafts(home);
    if (options.stopping?.aborted) throw new Error("The upgrade was stopped.", { cause: error });
    const { message } = error as Error;
    throw new Error(
      `The upgrade of ${versions} was not done, and nothing was changed: ${message.split("\n", 1)[0]}`,
      { cause: error },
    );
  }
  await removeDrafts(home);
  const remove = "npm run admin -- old-database --remove";
  log.warn(
    { kept, remove },
    `${versions}: done; the database of before is kept until you remove it`,
  );
}

/**
 * Two names change, so there is a moment without data: before that the new data gets a name of its own,
 * which tells the next start that it is complete. An earlier Postcard would create an empty database at
 * that moment; this one does not (refuseLostCluster).
 */
function exchange(home: string, made: string, from: number): void {
  const cluster = join(home, "data");
  const ready = join(home, readyName);
  renameSync(made, ready);
  syncDir(home);
  renameSync(cluster, oldClusterOf(home, from));
  syncDir(home);
  renameSync(ready, cluster);
  syncDir(home);
}

/** Completes an interrupted exchange if the old data was already moved away; otherwise discards it. */
function finishExchange(home: string, log: Log): void {
  const cluster = join(home, "data");
  const ready = join(home, readyName);
  if (!existsSync(ready)) return;
  if (existsSync(cluster)) {
    // The old version may have been started since, and written to.
    renameSync(ready, join(home, "draft-forgotten"));
    return;
  }
  renameSync(ready, cluster);
  syncDir(home);
  log.warn({ cluster }, "the upgrade of PostgreSQL that was interrupted is finished");
}

/** Both copies must fit next to the old data, before anything is written: its log is not counted. */
async function refuseFull(
  home: string,
  cluster: string,
  { from, to }: { from: number; to: number },
  freeBytes: (folder: string) => Promise<number>,
): Promise<void> {
  const data = (await diskUsage(cluster)) - (await diskUsage(join(cluster, "pg_wal")));
  const needed = 2 * data + clusterBytes;
  const free = await freeBytes(home);
  if (free >= needed + limits.uploads.reserve) return;
  throw new Error(
    `PostgreSQL ${from}'s data in ${cluster} is to be taken over by ${to}, for which ${megabytes(needed)} ` +
      `beside the ${megabytes(limits.uploads.reserve)} that stay free are needed, and ${megabytes(free)} are ` +
      "free: make room and start again; nothing was changed.",
  );
}

const noPrograms = (dataDir: string, from: number, to: number): string =>
  `The data in ${join(dataDir, "postgres", "data")} was made by PostgreSQL ${from}, whose programs are not kept in ` +
  `${join(dataDir, "postgres-programs")}, and this Postcard brings ${to}: put them there, or back up with the ` +
  "Postcard that made it and restore with this one, as docs/operations.md says under Upgrade.";
