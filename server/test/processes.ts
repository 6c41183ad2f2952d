import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach } from "vitest";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

const nobody = 65534;

/** An unprivileged user's number, where we are root and that user may read the project; else null. */
export const ordinaryUser = process.getuid?.() === 0 && mayRun(nobody) ? nobody : null;

function mayRun(uid: number): boolean {
  return (
    spawnSync(process.execPath, ["--version"], { cwd: projectRoot, uid, gid: uid }).status === 0
  );
}

export type Running = {
  child: ChildProcess;
  /** Everything it printed so far, both streams. */
  said: () => string;
  /** What stands on stderr of it. */
  complained: () => string;
  /** Waits until the output matches; rejects when the process ends or 100 seconds pass first. */
  until: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Its end: exit code, or null after a signal. */
  ended: Promise<number | null>;
};

const running = new Set<ChildProcess>();

/** Starts a program in a group of its own, which ends with the test. */
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
    // Gone.
  }
}

afterEach(killLeftovers);

/** A folder that goes with the test file; `uid` owns it. */
export function temporaryFolder(uid?: number): string {
  // A space in the path, as many people's folders have one.
  const folder = mkdtempSync(join(tmpdir(), "pc "));
  chmodSync(folder, 0o711);
  if (uid !== undefined) chownSync(folder, uid, uid);
  afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
