import { closeSync, existsSync, openSync, readFileSync, readdirSync } from "node:fs";
import { renameSync, rmSync } from "node:fs";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { syncDir } from "#server/adapters/image-store/durable-files.ts";
import type { Binaries } from "#server/platform/db/postgres-binaries.ts";
import { logSize, logTail } from "#server/platform/db/postgres-log.ts";
import { processesIn, signal } from "#server/platform/db/postgres-processes.ts";
import { own, run, type Runner } from "#server/platform/db/postgres-runner.ts";

/** The first of these that the machine supports decides which characters count as letters in text search. */
const ctypes = process.platform === "darwin" ? ["UTF-8", "C"] : ["C.UTF-8", "C"];

const initdbMs = 120_000;
/** How long killed processes may take to disappear. */
const killMs = 10_000;

/** The folder that has a data directory, and the programs that make it. */
type Making = { home: string; runner: Runner; binaries: Binaries };

/**
 * Returns the data directory in `home`, creating it if missing: under another name first, so that an
 * interrupted one is never taken for a complete one. Throws one sentence.
 */
export async function ensureCluster(making: Making): Promise<string> {
  const { home, binaries } = making;
  const cluster = join(home, "data");
  await removeDrafts(home);
  if (existsSync(cluster)) {
    refuseOtherVersion(cluster, binaries.major);
    return cluster;
  }
  refuseLostCluster(home);
  return makeCluster(making, cluster);
}

/** Creates a data directory named `cluster`, which is in `home` or below it. Throws one sentence. */
export async function makeCluster(making: Making, cluster: string): Promise<string> {
  const { home } = making;
  const logFile = join(home, "postgres.log");
  const from = logSize(logFile);
  for (const ctype of ctypes) {
    const draft = join(home, `draft-${process.pid}-${ctype}`);
    if (await initdb(making, draft, ctype, logFile)) {
      renameSync(draft, cluster);
      syncDir(dirname(cluster));
      return cluster;
    }
    rmSync(draft, { recursive: true, force: true, maxRetries: 3 });
  }
  throw new Error(`PostgreSQL's data could not be made in ${home}: ${logTail(logFile, from)}`);
}

async function initdb(
  { runner, binaries }: Making,
  draft: string,
  ctype: string,
  logFile: string,
): Promise<boolean> {
  const args = [
    `--pgdata=${draft}`,
    "--username=postcard",
    "--auth=trust",
    "--data-checksums",
    "--encoding=UTF8",
    // Sorting and case rules of PostgreSQL itself: the same on every machine.
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${ctype}`,
  ];
  const output = openSync(logFile, "a", 0o600);
  own(runner, logFile);
  const child = run(runner, binaries.initdb, args, {
    stdio: ["ignore", output, output],
    timeout: initdbMs,
    killSignal: "SIGKILL",
  });
  closeSync(output);
  const [code] = (await once(child, "exit")) as [number | null];
  return code === 0;
}

/** The major version of PostgreSQL that created a data directory. */
export const majorOf = (cluster: string): number =>
  Number.parseInt(readFileSync(join(cluster, "PG_VERSION"), "utf8"), 10);

function refuseOtherVersion(cluster: string, major: number): void {
  const made = majorOf(cluster);
  if (made === major) return;
  throw new Error(made > major ? tooNew(cluster, made, major) : needsStart(cluster, made, major));
}

export const tooNew = (cluster: string, made: number, major: number): string =>
  `The data in ${cluster} is PostgreSQL ${made}'s, but this Postcard brings ${major}, which cannot read it: ` +
  "start the newer Postcard again, or go back as docs/operations.md says.";

const needsStart = (cluster: string, made: number, major: number): string =>
  `The data in ${cluster} was made by PostgreSQL ${made}, but this Postcard brings ${major}: ` +
  "start it once with npm start, which takes the data over, or use the Postcard that made it.";

/** What an upgrade puts in place of the data, once complete; and the previous data. */
export const readyName = "data-ready";
const oldName = /^data-(\d+)$/;
export const oldClusterOf = (home: string, major: number): string => join(home, `data-${major}`);

/** Every database in a data folder, including the one in use. */
export function clustersOf(dataDir: string): { major: number; folder: string }[] {
  const folder = join(dataDir, "postgres", "data");
  const used = existsSync(folder) ? [{ major: majorOf(folder), folder }] : [];
  return [...used, ...oldClusters(dataDir)];
}

/** Whether there is data of another version, or the remains of an interrupted upgrade. */
export function needsUpgrade(dataDir: string, { major }: Pick<Binaries, "major">): boolean {
  const home = join(dataDir, "postgres");
  if (existsSync(join(home, readyName))) return true;
  const cluster = join(home, "data");
  return existsSync(cluster) && majorOf(cluster) !== major;
}

/** The databases from before upgrades, which are no longer used. */
export function oldClusters(dataDir: string): { major: number; folder: string }[] {
  const home = join(dataDir, "postgres");
  if (!existsSync(home)) return [];
  return readdirSync(home)
    .map((name) => ({ folder: join(home, name), major: Number(oldName.exec(name)?.[1]) }))
    .filter(({ major }) => major > 0);
}

/** An empty database in place of one that was moved away would look like losing everything. */
function refuseLostCluster(home: string): void {
  const found = readdirSync(home).find((name) => name === readyName || oldName.test(name));
  if (found === undefined) return;
  throw new Error(
    `${join(home, "data")} is missing, but ${found} is beside it: an upgrade of PostgreSQL was interrupted, ` +
      "which npm start finishes, or somebody moved the database away: put it back.",
  );
}

/**
 * Removes what an interrupted first start, upgrade or removal left, with the PostgreSQL that may run there.
 */
export async function removeDrafts(home: string): Promise<void> {
  for (const name of readdirSync(home).filter((entry) => entry.startsWith("draft-"))) {
    await killIn(join(home, name, "data"));
    rmSync(join(home, name), { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Ends what runs in a data directory that is about to be removed. */
export async function killIn(cluster: string): Promise<void> {
  const deadline = Date.now() + killMs;
  while (existsSync(cluster) && Date.now() < deadline) {
    const living = processesIn(cluster);
    if (living.length === 0) return;
    for (const pid of living) signal(pid, "SIGKILL");
    await sleep(20);
  }
}
