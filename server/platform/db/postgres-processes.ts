import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** What stands in postmaster.pid of a data directory. */
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
 * Every living PostgreSQL process of a data directory: they all have it as their current folder.
 * A number alone proves nothing: after a restart it may belong to any other program.
 */
export function processesIn(dataDir: string): number[] {
  return process.platform === "linux" ? linuxProcesses(dataDir) : otherProcesses(dataDir);
}

/**
 * Whether this process lives and belongs to that data directory.
 * @throws what keeps us from looking, such as EMFILE: that is nobody's death
 */
export function livesIn(dataDir: string, pid: number): boolean {
  if (process.platform !== "linux") return otherProcesses(dataDir).includes(pid);
  return whereItLives(
    () => {
      // A zombie has no current folder any more, so it does not count.
      const folder = readlinkSync(`/proc/${pid}/cwd`);
      if (folder !== dataDir) return false;
      return readFileSync(`/proc/${pid}/comm`, "utf8") === "postgres\n";
    },
    () => wasStartedOn(dataDir, pid),
  );
}

/** For the postmaster of another user, whose folder a root without ptrace may not look at. */
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

/** Whether too many files are open, here or on the whole machine, to find anything out. */
export function isShortOfFiles(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === "EMFILE" || code === "ENFILE";
}

function linuxProcesses(dataDir: string): number[] {
  const numbers = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return numbers.map(Number).filter((pid) => livesIn(dataDir, pid));
}

/** Without /proc only the postmaster can be told, by its command line; PostgreSQL checks the rest. */
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

/** Sends a signal; a process that is gone already is fine. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone.
  }
}
