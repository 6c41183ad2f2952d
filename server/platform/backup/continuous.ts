import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { isBaseDue, readState } from "#server/platform/backup/continuous-state.ts";
import type { Config } from "#server/config.ts";
import {
  emptySpool,
  readOff,
  segmentsIn,
  spoolOf,
  spoolSize,
  switchOff,
} from "#server/platform/db/wal-spool.ts";
import { freeBytesIn } from "#server/platform/disk-space.ts";
import { endChild } from "#server/platform/lifecycle.ts";
import { limits } from "#shared/limits.ts";

const program = fileURLToPath(new URL("../../ship.ts", import.meta.url));

/** How often the spool is looked at, milliseconds: it is on the disk of the database. */
const lookMs = 5000;
/** How often what is in it is shipped, milliseconds. */
const shipMs = 60_000;
/** The first time waits until the server has started. */
const firstMs = 30_000;
/** How long shipping may take to end when it has to stop, milliseconds. */
const stopMs = 3000;
/**
 * How long PostgreSQL's log is copied without a chain, milliseconds: a base may be taken by the process of a
 * server that was killed.
 */
const abandonedMs = 10 * 60_000;
/** The spool takes this part of the free room at most, or so many bytes where that is less. */
const most = { part: 0.1, atLeast: 128 * 2 ** 20 };

type Options = {
  config: Pick<Config, "backupDir" | "dataDir" | "databaseUrl">;
  log: Pick<Logger, "info" | "error">;
  /** starts the process that ships; it logs by itself */
  start?: () => ChildProcess;
  freeBytes?: (folder: string) => Promise<number>;
  now?: () => number;
};

/** Looks at the spool every few seconds; returns how to stop. */
export function archiveContinuously(options: Options): () => Promise<void> {
  const { backupDir, databaseUrl } = options.config;
  if (backupDir === null || databaseUrl !== null) return async () => undefined;
  const archiving = createArchiving(options);
  let looking: Promise<void> | null = null;
  const timer = setInterval(() => {
    looking ??= archiving
      .look()
      .catch((error: unknown) =>
        options.log.error({ err: error }, "the spool could not be looked at"),
      )
      .finally(() => (looking = null));
  }, lookMs).unref();
  return async () => {
    clearInterval(timer);
    await looking;
    await archiving.stop();
  };
}

/**
 * Keeps a copy of PostgreSQL's log in BACKUP_DIR that is a few minutes old at most. A process of its own takes
 * it there, which may hang with that disk. If more waits than there is room for, the continuous backup is
 * given up: PostgreSQL is never held up and its disk never filled. A new one begins as soon as the folder
 * answers.
 */
export function createArchiving(options: Options) {
  const { backupDir, dataDir } = options.config;
  const { log, start = startProgram, freeBytes = freeBytesIn, now = Date.now } = options;
  const spool = spoolOf(dataDir);
  let running: ChildProcess | null = null;
  /** since when nobody seems to need the log: a base was interrupted, or there is none yet */
  let unneededSince: number | null = null;
  // A backup that is due at the start goes first.
  let notBefore = now() + firstMs;

  async function look(): Promise<void> {
    const [state, off] = [await readState(dataDir), await readOff(spool)];
    const { bytes } = await spoolSize(spool);
    const isUnneeded = off === null && state.chain === null && running === null;
    unneededSince = isUnneeded ? (unneededSince ?? now()) : null;
    if (off !== null) {
      // What PostgreSQL was copying when it was switched off. A process that runs may have switched it on.
      if (running === null) await emptySpool(spool);
    } else if (isTooMuch(bytes, await freeBytes(spool))) await giveUp(bytes);
    else if (unneededSince !== null && now() - unneededSince > abandonedMs) {
      await switchOff(spool, { at: new Date(now()).toISOString(), why: "" });
    }
    const due =
      // It was given up, which the next chain has to know.
      (off !== null && state.chain !== null) ||
      // Images may be missing.
      (state.chain !== null && state.failure !== "") ||
      (await segmentsIn(spool)).length > 0 ||
      isBaseDue(state, new Date(now()));
    if (running === null && due && now() >= notBefore) void ship();
  }

  async function giveUp(bytes: number): Promise<void> {
    // It may hang, and possibly cannot be killed before the disk answers.
    running?.kill("SIGKILL");
    const size = `${Math.round(bytes / 1_000_000)} MB`;
    const why = `${backupDir} did not take what was written: ${size} waited, and there was no room for more.`;
    await switchOff(spool, { at: new Date(now()).toISOString(), why });
    log.error({ bytes }, "the continuous backup was given up: its folder does not keep up");
  }

  async function ship(): Promise<void> {
    notBefore = now() + shipMs;
    try {
      running = start();
      await once(running, "exit");
    } catch (error) {
      log.error({ err: error }, "the continuous backup could not be started");
    } finally {
      running = null;
    }
  }

  return {
    look,
    stop: () => endChild(running, stopMs),
  };
}

/** `free` is what the spool leaves. */
function isTooMuch(bytes: number, free: number): boolean {
  if (bytes === 0) return false;
  if (free < limits.uploads.reserve / 4) return true;
  return bytes > Math.max(most.atLeast, most.part * (free + bytes));
}

function startProgram(): ChildProcess {
  return spawn(process.execPath, [program], { stdio: ["ignore", "inherit", "inherit"] });
}
