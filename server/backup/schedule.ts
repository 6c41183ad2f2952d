import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Logger } from "pino";
import { backupNames, momentOf } from "#server/backup/names.ts";
import type { Config } from "#server/config.ts";
import { atMost } from "#server/lifecycle.ts";

const program = fileURLToPath(new URL("../admin.ts", import.meta.url));

/** How often the clock is looked at, milliseconds. */
const lookMs = 60_000;
/** The first look lets the start have the machine. */
const firstMs = 5000;
/** After one that failed, milliseconds. */
const againMs = 60 * 60_000;
/** How long one that is told to stop may take to leave nothing behind. */
const stopMs = 3000;

/** One that is due may take hours before anybody should worry, milliseconds. */
export const patienceMs = 6 * 60 * 60_000;

/** The last moment at so many minutes after midnight, by the clock of this machine. */
export function lastTime(minutes: number, now: Date): Date {
  const at = (days: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - days, 0, minutes);
  return at(0) <= now ? at(0) : at(1);
}

/** Whether none was taken into the folder since it was last time for one. Throws where it cannot be read. */
export function isDue(directory: string, minutes: number, now: Date): boolean {
  const newest = backupNames(directory).at(-1);
  return newest === undefined || momentOf(newest) < lastTime(minutes, now);
}

type Options = {
  config: Pick<Config, "backupDir" | "backupAt">;
  log: Pick<Logger, "error">;
  /** starts what takes a backup, tries it and removes old ones; it logs by itself */
  start?: () => ChildProcess;
  now?: () => Date;
};

/**
 * Takes a backup a day in a process of its own, which cannot take the server along, whichever of several
 * servers on one folder comes first: the folder says when the last one was. One that was missed, since
 * nothing ran, is made up for. Returns how to stop.
 */
export function scheduleBackups({
  config: { backupDir, backupAt },
  log,
  start = startProgram,
  now = () => new Date(),
}: Options): () => Promise<void> {
  if (backupDir === null) return async () => undefined;
  let running: ChildProcess | null = null;
  let notBefore = 0;

  async function look(directory: string): Promise<void> {
    if (running || now().getTime() < notBefore) return;
    try {
      if (!isDue(directory, backupAt, now())) return;
      const child = start();
      running = child;
      const [code] = (await once(child, "exit")) as [number | null];
      if (code !== 0) notBefore = now().getTime() + againMs;
    } catch (error) {
      notBefore = now().getTime() + againMs;
      log.error({ err: error }, "no backup was taken");
    } finally {
      running = null;
    }
  }

  const first = setTimeout(() => void look(backupDir), firstMs).unref();
  const later = setInterval(() => void look(backupDir), lookMs).unref();
  return async () => {
    clearTimeout(first);
    clearInterval(later);
    const child = running;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await atMost(stopMs, ended);
    child.kill("SIGKILL");
  };
}

function startProgram(): ChildProcess {
  const words = [program, "backup", "--scheduled"];
  return spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"] });
}
