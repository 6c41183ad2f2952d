import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** The contents of a data directory's postmaster.pid. */
export type PidFile = { pid: number; socketDir: string };

export function readPidFile(dataDir: string): PidFile | null {
  try {
    const lines = readFileSync(join(dataDir, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), socketDir: lines[4] ?? "" };
  } catch {
    return null;
  }
}

/**
 * Every living PostgreSQL process of a data directory: all have it as their working directory. A process id
 * alone proves nothing: after a restart it may belong to any other program.
 */
export function processesIn(dataDir: string): number[] {
  return process.platform === "linux" ? linuxProcesses(dataDir) : otherProcesses(dataDir);
}

/**
 * Whether this process is alive and belongs to that data directory.
 * @throws what prevents us from checking, such as EMFILE: that does not mean the process is dead
 */
export function livesIn(dataDir: string, pid: number): boolean {
  if (process.platform !== "linux") return otherProcesses(dataDir).includes(pid);
  return whereItLives(
    () => {
      // A zombie has no working directory any more, so it does not count.
      const folder = readlinkSync(`/proc/${pid}/cwd`);
      if (folder !== dataDir) return false;
      return readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n";
    },
    () => wasStartedOn(dataDir, pid),
  );
}

/** For the postmaster of another user, whose working directory root without ptrace may not read. */
function wasStartedOn(dataDir: string, pid: number): boolean {
  return whereItLives(
    () => {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words[words.indexOf("-D") + 1] === dataDir;
    },
    () => false,
  );
}

function whereItLives(look: () => boolean, whenForbidden: () => boolean): boolean {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return false;
    if (code === "EACCES" || code === "EPERM") return whenForbidden();
    throw error;
  }
}

/** Whether too many files are open, here or on the whole machine, to check anything. */
export function isShortOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE";
}

function linuxProcesses(dataDir: string): number[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => livesIn(dataDir, pid));
}

/** Without /proc only the postmaster can be recognized, by its command line; PostgreSQL checks the rest. */
function otherProcesses(dataDir: string): number[] {
  const list = execFileSync("ps", ["-axo", "pid=,stat=,command="], { encoding: "utf8" });
  return list
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\S+)\s(.*)$/.exec(line))
    .filter((match) => match !== null)
    .filter(
      ([, , state, command]) => !state?.startsWith("Z") && command?.includes(`-D ${dataDir} `),
    )
    .map((match) => Number(match[1]));
}

/** Sends a signal; it is fine if the process is already gone. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone.
  }
}
