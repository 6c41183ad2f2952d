import { mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensureCluster } from "#server/platform/db/postgres-cluster.ts";
import { createDiskReserve, lowBytes } from "#server/platform/db/disk-reserve.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { connectionTo, ensureDatabase } from "#server/platform/db/postgres-connection.ts";
import { findBinaries, type Binaries } from "#server/platform/db/postgres-binaries.ts";
import { boundLog } from "#server/platform/db/postgres-log.ts";
import { isShortOfFiles, readPidFile } from "#server/platform/db/postgres-processes.ts";
import { chooseRunner, own, type Runner } from "#server/platform/db/postgres-runner.ts";
import {
  adopt,
  chooseSocketDir,
  halt,
  isGone,
  launch,
  type Log,
  type Setup,
} from "#server/platform/db/postgres-server.ts";
import { usualConnections } from "#server/platform/db/postgres-settings.ts";
import { archiveSettings, makeSpool } from "#server/platform/db/wal-spool.ts";

/** How often we check whether PostgreSQL is alive; a check looks at one process. */
const watchMs = 250;
/** How often a start is tried on a full disk: each try writes a line to its log, if there is room. */
const fullMs = 2000;

export type EmbeddedPostgres = {
  /** For pg: a folder as host means a Unix socket in it. */
  connection: { host: string; port: number; user: string; database: string };
  /**
   * The listener is called when the disk is full, and when it has room again; at once if it is already
   * full.
   */
  onFull: (listener: (full: boolean) => void) => void;
  /** Stops PostgreSQL; never rejects, and takes 6 seconds at most. */
  stop: () => Promise<void>;
};

type Options = {
  dataDir: string;
  log: Log;
  onLost: (error: Error) => void;
  overrides?: Record<string, string>;
  /** other programs than those this Postcard ships, for tests */
  binaries?: Binaries;
  /** the least number of connections it must allow */
  connections?: number;
  /** whether its log is archived, for a continuous backup */
  archives?: boolean;
  /** aborted once everything is being stopped: PostgreSQL may stop first */
  stopping?: AbortSignal;
};

/**
 * Starts the PostgreSQL of a data directory, creating it at the first start, or takes over the one that a
 * killed process left running. When it dies it is started again; if that keeps failing, `onLost` is called.
 * The caller must own the data directory (claimDataDir). Throws an Error with one sentence.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { dataDir, log, onLost } = options;
  mkdirSync(join(dataDir, "postgres"), { recursive: true, mode: 0o700 });
  const home = realpathSync(join(dataDir, "postgres"));
  const setup = await setUp(home, options);
  const { cluster, socketDir, logFile } = setup;

  let full = false;
  let reportFull: ((full: boolean) => void) | undefined;
  const reserve = createDiskReserve({
    folder: home,
    log,
    onFull: (is) => {
      full = is;
      reportFull?.(is);
    },
  });
  await reserve.look();

  let pid = (await adopt(setup, log)) ?? (await launch(setup));
  let stopping = false;
  let reviving: Promise<void> | null = null;
  async function revive(): Promise<void> {
    log.warn({}, "PostgreSQL died and is started again");
    try {
      // It may have died because the disk is full.
      await reserve.look();
      pid = await launchOnceItCan(setup, home, () => stopping, log);
      log.info({}, "PostgreSQL runs again");
    } catch (error) {
      if (!stopping) onLost(error as Error);
    }
  }
  const watch = setInterval(() => {
    if (options.stopping?.aborted || !isGone(cluster, pid)) return;
    reviving ??= revive().finally(() => (reviving = null));
  }, watchMs);
  const sweep = setInterval(() => boundLog(logFile), 60_000).unref();

  await ensureDatabase(connectionTo(socketDir));
  return {
    connection: connectionTo(socketDir, "postcard"),
    onFull: (listener) => {
      reportFull = listener;
      if (full) listener(true);
    },
    stop: async () => {
      stopping = true;
      await reserve.stop();
      clearInterval(watch);
      clearInterval(sweep);
      await Promise.race([reviving, sleep(1000)]);
      await halt(cluster);
      if (!socketDir.startsWith(home)) rmSync(socketDir, { recursive: true, force: true });
    },
  };
}

/** The data directory in `home`, created at the first start, and how its server is run. */
export async function setUp(
  home: string,
  options: Pick<Options, "connections" | "archives" | "binaries" | "overrides">,
): Promise<Setup> {
  const { connections = 0, archives = false, binaries = findBinaries() } = options;
  const runner = chooseRunner(home, binaries.postgres);
  const cluster = await ensureCluster({ home, runner, binaries });
  return {
    runner,
    binaries,
    cluster,
    socketDir: readPidFile(cluster)?.socketDir || chooseSocketDir(home, runner),
    logFile: join(home, "postgres.log"),
    overrides: {
      ...roomFor(connections),
      ...(archives && archiveInto(home, runner)),
      ...options.overrides,
    },
  };
}

/** Raised above the default only for many processes: another number changes cluster_name. */
function roomFor(connections: number): Record<string, string> {
  return connections > usualConnections ? { max_connections: String(connections) } : {};
}

function archiveInto(home: string, runner: Runner): Record<string, string> {
  const spool = makeSpool(home);
  own(runner, spool);
  return archiveSettings(spool);
}

/**
 * How to connect to the PostgreSQL of a data directory that another process owns; null when none runs. We
 * must run as its user, or as root: the socket's folder is private.
 */
export function findRunningPostgres(dataDir: string): EmbeddedPostgres["connection"] | null {
  const cluster = join(dataDir, "postgres", "data");
  const found = readPidFile(cluster);
  return found?.socketDir ? connectionTo(found.socketDir, "postcard") : null;
}

/**
 * With too many open files nothing can be checked or started; requests end, and files become free. On a
 * disk without any room PostgreSQL ends as soon as it writes, until somebody makes room: this process
 * survives that, so that requests are answered meanwhile.
 */
async function launchOnceItCan(setup: Setup, home: string, isStopping: () => boolean, log: Log) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await launch(setup);
    } catch (error) {
      const isFull = !isShortOfFiles(error) && (await hasNoRoom(home));
      if ((!isFull && !isShortOfFiles(error)) || isStopping()) throw error;
      if (isFull && tries === 0) {
        log.error(
          { err: error },
          "PostgreSQL cannot start on a full disk: it does once there is room",
        );
      }
      await sleep(isFull ? fullMs : watchMs);
    }
  }
}

async function hasNoRoom(home: string): Promise<boolean> {
  return (await freeBytesIn(home).catch(() => Infinity)) < lowBytes;
}
