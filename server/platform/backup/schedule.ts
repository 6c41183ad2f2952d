import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { startInspection } from "#server/platform/backup/folder.ts";
import { patienceMs } from "#server/platform/backup/inspect-folder.ts";
import { backupNames, momentOf } from "#server/platform/backup/names.ts";
import type { Config } from "#server/config.ts";
import { endChild } from "#server/platform/lifecycle.ts";
import { regularly } from "#server/platform/regularly.ts";

const program = fileURLToPath(new URL("../../admin.ts", import.meta.url));

/** The exit code of an inspection that found a backup due. */
export const dueCode = 10;

/** How often the folder is inspected, milliseconds: the process takes half a second of a slow core. */
const lookMs = 5 * 60_000;
/** The first inspection waits until the server has started. */
const firstMs = 5000;
/** How long to wait after a failed backup, milliseconds. */
const againMs = 60 * 60_000;
/** How long a backup may take to clean up when it has to stop. */
const stopMs = 3000;

/** A backup that is due may take hours before operators are notified, milliseconds. */
export const overdueMs = 6 * 60 * 60_000;

/** The last time it was `minutes` past midnight, by the clock of this machine. */
export function lastDueTime(minutes: number, now: Date): Date {
  const at = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, minutes);
  return at(0) <= now ? at(0) : at(1);
}

/** Whether the folder has no backup since the last due time. Throws if it cannot be read. */
export async function isDue(directory: string, minutes: number, now: Date): Promise<boolean> {
  const newest = (await backupNames(directory)).at(-1);
  return newest === undefined || momentOf(newest) < lastDueTime(minutes, now);
}

type Options = {
  config: Pick<Config, "backupDir">;
  log: Pick<Logger, "error">;
  /** starts the process that takes a backup, drills it and removes old ones; it logs by itself */
  start?: () => ChildProcess;
  /** starts the process that inspects the folder; its exit code says whether a backup is due */
  look?: () => ChildProcess;
  now?: () => Date;
};

/**
 * Takes a backup a day in a process of its own, which cannot take the server down with it. Of several servers
 * with one folder, the first takes it: the folder says when the last one was. A backup that was missed
 * because nothing ran is taken later. The folder may be on a disk that never answers, so it is inspected in a
 * process of its own as well: one at a time, and no other while it hangs. Returns how to stop.
 */
export function scheduleBackups(options: Options): () => Promise<void> {
  if (options.config.backupDir === null) return async () => undefined;
  const { log, look = startInspection, now = () => new Date() } = options;
  const taking = createTaking(options);
  let looking: { child: ChildProcess; since: number } | null = null;
  let isSilent = false;

  async function tick(): Promise<void> {
    if (looking) return giveUp(looking);
    try {
      const child = look();
      looking = { child, since: now().getTime() };
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== null) isSilent = false;
      if (code === dueCode) void taking.take().then((ended) => ended && void tick());
    } catch (error) {
      log.error({ err: error }, "the backup folder could not be looked at");
    } finally {
      looking = null;
    }
  }

  /**
   * A process that waits for a disk may outlive SIGKILL until the disk answers: no other is started until
   * then.
   */
  function giveUp({ child, since }: { child: ChildProcess; since: number }): void {
    if (now().getTime() - since < patienceMs) return;
    if (!isSilent) log.error({}, "the backup folder does not answer");
    isSilent = true;
    child.kill("SIGKILL");
  }

  const stopLooking = regularly({ firstMs, everyMs: lookMs }, tick);
  return async () => {
    stopLooking();
    looking?.child.kill("SIGKILL");
    await taking.stop();
  };
}

/** Starts backups, one at a time, and the next one an hour later at the earliest if one failed. */
function createTaking({ log, start = startProgram, now = () => new Date() }: Options) {
  let running: ChildProcess | null = null;
  let notBefore = 0;
  return {
    /** Whether a backup process ended, even without a backup. */
    take: async (): Promise<boolean> => {
      if (running || now().getTime() < notBefore) return false;
      try {
        running = start();
        const [code] = (await once(running, "exit")) as [number | null];
        if (code !== 0) notBefore = now().getTime() + againMs;
        return true;
      } catch (error) {
        notBefore = now().getTime() + againMs;
        log.error({ err: error }, "no backup was taken");
        return false;
      } finally {
        running = null;
      }
    },
    stop: () => endChild(running, stopMs),
  };
}

function startProgram(): ChildProcess {
  const words = [program, "backup", "--scheduled"];
  return spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
}

/**
 * Starts a backup into BACKUP_DIR in a process of its own, which drills it, removes old ones, logs by itself and
 * writes down what became of it. It stops when this process ends, however that happens: the channel between
 * the two closes.
 */
export function backUpNow(): void {
  const child = spawn(process.execPath, [program, "backup", "--scheduled", "--now"], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // Operators see it at once, not at the next inspection.
  child.once("exit", () => void startInspection().unref());
  child.on("error", () => {});
  child.unref();
  child.channel?.unref();
}
