import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ask } from "#server/platform/db/postgres-connection.ts";
import type { Binaries } from "#server/platform/db/postgres-binaries.ts";
import { logSize, logTail } from "#server/platform/db/postgres-log.ts";
import {
  isShortOfFiles,
  livesIn,
  processesIn,
  readPidFile,
  signal,
} from "#server/platform/db/postgres-processes.ts";
import { own, run, type Runner } from "#server/platform/db/postgres-runner.ts";
import { clusterName, postgresSettings } from "#server/platform/db/postgres-settings.ts";

/** The longest wait for a server that reports it is starting; replaying a large log takes a while. */
const recoveryMs = 5 * 60_000;
/** The longest wait for any response from a server just started. */
const startMs = 60_000;
/** The longest wait for one that a killed process left behind and that does not answer. */
const adoptMs = 10_000;
/** cannot_connect_now: it is running, and replays its log. */
const startingCode = "57P03";
/** Errors about what a killed server left, which resolve themselves. */
const passing = /lock file|shared memory|already in use/;
/** Fast shutdown writes a checkpoint; after this long it stops with the log alone, which loses nothing. */
const stopMs = 4_000;
/** A socket address holds 107 bytes and a NUL; this is the name of our socket. */
const socketName = "/.s.PGSQL.5432";

export type Log = Record<"info" | "warn" | "error", (details: object, message: string) => void>;

/** A data directory, and how its server is run. */
export type Setup = {
  runner: Runner;
  binaries: Binaries;
  cluster: string;
  socketDir: string;
  logFile: string;
  overrides: Record<string, string>;
  /** the longest wait for one that reports it is starting, milliseconds, where it replays more than its own log */
  replayMs?: number;
};

/** Takes over the postmaster of this data directory, if one is running the way we would run it. */
export async function adopt(setup: Setup, log: Log): Promise<number | null> {
  const started = Date.now();
  let patience = adoptMs;
  while (Date.now() - started < patience) {
    const living = processesIn(setup.cluster);
    const pid = readPidFile(setup.cluster)?.pid;
    if (pid && living.includes(pid)) {
      const answer = await ask(setup.socketDir, "SHOW cluster_name");
      if (answer.value === settingsOf(setup).cluster_name) {
        log.info({ postgres: pid }, "Took over the PostgreSQL that was still running");
        return pid;
      }
      if (answer.value !== undefined) break;
      if (answer.code === startingCode) patience = recoveryMs;
    } else if (living.length === 0 || Date.now() - started > 1000) {
      // None is running, or only processes whose postmaster is gone.
      return null;
    }
    await sleep(50);
  }
  await halt(setup.cluster);
  return null;
}

/** Starts a postmaster and waits until it answers. */
export async function launch(setup: Setup): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    await clearRemains(setup);
    const from = logSize(setup.logFile);
    const output = openSync(setup.logFile, "a", 0o600);
    const settings = Object.entries(settingsOf(setup)).flatMap(([k, v]) => ["-c", `${k}=${v}`]);
    const child = run(setup.runner, setup.binaries.postgres, ["-D", setup.cluster, ...settings], {
      stdio: ["ignore", output, output],
      // A session of its own: Ctrl-C in a terminal reaches us, and we stop it in order.
      detached: true,
      cwd: setup.cluster,
    });
    closeSync(output);
    child.unref();
    const state: { ended: boolean; error?: Error } = { ended: false };
    child.once("error", (error) => Object.assign(state, { ended: true, error }));
    child.once("exit", () => (state.ended = true));
    const failure = await untilReady(setup, state);
    if (failure === null) return child.pid as number;
    if (child.pid && !state.ended) signal(child.pid, "SIGQUIT");
    if (isShortOfFiles(state.error)) throw state.error as Error;
    const said = logTail(setup.logFile, from);
    if (attempt < 10 && state.ended && passing.test(said)) {
      await sleep(attempt * 100);
      continue;
    }
    throw new Error(`PostgreSQL ${failure}; its log ends with: ${said}`);
  }
}

/** Null once the server answers, otherwise what went wrong. */
async function untilReady(
  { socketDir, replayMs = recoveryMs }: Setup,
  state: { ended: boolean },
): Promise<string | null> {
  let started = Date.now();
  let starting = false;
  for (;;) {
    if (state.ended) return "ended while starting";
    const answer = await ask(socketDir, "SELECT 1");
    if (answer.value !== undefined) return null;
    // We could not even connect.
    if (isShortOfFiles(answer)) started = Date.now();
    if (answer.code === startingCode) starting = true;
    const patience = starting ? replayMs : startMs;
    if (Date.now() - started > patience) return `did not answer within ${patience / 1000} seconds`;
    await sleep(30);
  }
}

/**
 * Waits for the last processes of a killed server, and removes what would prevent a new one from starting.
 */
async function clearRemains({ cluster, socketDir }: Setup): Promise<void> {
  const started = Date.now();
  for (;;) {
    const living = processesIn(cluster);
    if (living.length === 0) break;
    // They end by themselves once they notice; a running query may prevent one from noticing.
    const patience = Date.now() - started;
    if (patience > 4000) for (const pid of living) signal(pid, "SIGKILL");
    else if (patience > 2000) for (const pid of living) signal(pid, "SIGQUIT");
    await sleep(50);
  }
  // PostgreSQL takes any running process with the old process id for its own and would not start. On
  // systems other than Linux we cannot be that sure, and leave the decision to PostgreSQL.
  if (process.platform === "linux") rmSync(join(cluster, "postmaster.pid"), { force: true });
  for (const suffix of ["", ".lock"]) rmSync(socketDir + socketName + suffix, { force: true });
}

/** Whether that process is known to have ended; as long as we cannot check, it counts as running. */
export function isGone(cluster: string, pid: number): boolean {
  try {
    return !livesIn(cluster, pid);
  } catch {
    return false;
  }
}

/** Stops whatever runs in this data directory. */
export async function halt(cluster: string): Promise<void> {
  const pid = readPidFile(cluster)?.pid;
  if (!pid || isGone(cluster, pid)) return;
  for (const name of ["SIGINT", "SIGQUIT"] as const) {
    signal(pid, name);
    const deadline = Date.now() + (name === "SIGINT" ? stopMs : 1500);
    while (Date.now() < deadline) {
      if (isGone(cluster, pid)) return;
      await sleep(20);
    }
  }
}

/** Works while a server runs that nothing else uses. */
export async function whileRunning<T>(setup: Setup, work: () => Promise<T>): Promise<T> {
  try {
    await launch(setup);
    return await work();
  } finally {
    await halt(setup.cluster);
    rmSync(setup.socketDir, { recursive: true, force: true });
  }
}

function settingsOf({ socketDir, binaries, overrides }: Setup): Record<string, string> {
  const settings = postgresSettings(socketDir, overrides);
  return { ...settings, cluster_name: clusterName(binaries.id, settings) };
}

/** Returns a private folder for the socket, a temporary one if the path is too long for a socket address. */
export function chooseSocketDir(home: string, runner: Runner): string {
  const near = join(home, "socket");
  if (Buffer.byteLength(near + socketName) <= 107) {
    mkdirSync(near, { recursive: true, mode: 0o700 });
    own(runner, near);
    return near;
  }
  const far = mkdtempSync(join(tmpdir(), "postcard-"));
  own(runner, far);
  return far;
}
