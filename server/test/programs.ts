import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { processesIn, readPidFile } from "#server/platform/db/postgres-processes.ts";

// Does not use the test runner: the fault programme (faults/) starts the same servers.

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

export type Running = {
  child: ChildProcess;
  /** All its output so far, stdout and stderr. */
  said: () => string;
  /** Its output on stderr. */
  complained: () => string;
  /** Waits until the output matches; rejects if the process ends or 100 seconds pass first. */
  until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Its exit code, or null after a signal. */
  ended: Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Starts a program in a process group of its own, which ends with the test. */
export function startProgram(
  words: string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; cwd?: string } = {},
): Running {
  const { env, uid, cwd = projectRoot } = options;
  const [file = process.execPath, ...args] = words;
  const child = spawn(file, args, {
    cwd,
    env: { ...process.env, NODE_ENV: undefined, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    ...(uid !== undefined && { uid, gid: uid }),
  });
  running.add(child);
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  const hear = (chunk: Buffer) => {
    output += String(chunk);
    for (const listener of listeners) listener();
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", (chunk: Buffer) => {
    errors += String(chunk);
    hear(chunk);
  });
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return code as number | null;
  });

  function until(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const fail = (why: string) => reject(new Error(`${why}; it said:\n${output}`));
      const late = setTimeout(() => fail(`No ${pattern} in 100 s`), 100_000);
      const look = () => {
        const match = pattern.exec(output);
        if (!match) return;
        clearTimeout(late);
        listeners.delete(look);
        resolve(match);
      };
      listeners.add(look);
      look();
      void ended.finally(() => {
        clearTimeout(late);
        fail(`It ended without ${pattern}`);
      });
    });
  }
  return { child, said: () => output, complained: () => errors, until, ended };
}

/** Kills what a test left running. */
export function killLeftovers(): void {
  for (const child of running) {
    if (child.pid) killGroup(child.pid);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

export async function addressOf(server: Running): Promise<string> {
  const [, address = ""] = await server.until(/Postcard is ready at (\S+)\n/);
  return address;
}

/** The pid of the running PostgreSQL of a data folder, or null. */
export function postmasterOf(dataDir: string): number | null {
  try {
    const cluster = realpathSync(join(dataDir, "postgres", "data"));
    const pid = readPidFile(cluster)?.pid;
    return pid && processesIn(cluster).includes(pid) ? pid : null;
  } catch {
    return null;
  }
}
