import { mkdirSync, mkdtempSync, chmodSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "#server/config.ts";
import { openInstallation, type Installation } from "#server/installation.ts";
import { createLog } from "#server/platform/log.ts";
import {
  addressOf,
  postmasterOf,
  projectRoot,
  startProgram,
  type Running,
} from "#server/test/programs.ts";
import { send } from "./client.ts";
import { proveOracle, type Control } from "./controls.ts";
import { createLedger } from "./ledger.ts";
import { judge, sweep, type Verdict } from "./oracle.ts";
import { becomeFriends, signUp, startWriters, type WriteTarget } from "./writers.ts";

/** An installation in its own folder, with its server as a whole process, and its members. */
export type Target = WriteTarget & {
  folder: string;
  dataDir: string;
  settings: Record<string, string>;
  server: Running | null;
  /** milliseconds from each fault to the next acknowledged write */
  back: number[];
};

const targets = new Set<Target>();
const folders = new Set<string>();
const memberCount = 4;
/** A busy machine: nothing here is judged by time. */
const patienceMs = 120_000;

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-faults-"));
  // PostgreSQL runs as another user if we are root.
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
}

/** A folder for an installation; `prepare` gets it while it is still empty. */
export function newTarget(
  settings: Record<string, string>,
  prepare?: (dataDir: string) => void,
): Target {
  const folder = newFolder();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  prepare?.(dataDir);
  const target: Target = {
    folder,
    dataDir,
    settings,
    server: null,
    back: [],
    address: "",
    ledger: createLedger(),
    members: [],
    posts: [],
  };
  targets.add(target);
  return target;
}

/** A new installation with a few members. */
export async function install(
  settings: Record<string, string> = {},
  { prepare }: { prepare?: (dataDir: string) => void } = {},
): Promise<Target> {
  const target = newTarget(settings, prepare);
  await populate(target);
  return target;
}

/** Starts it, and signs members up. */
export async function populate(target: Target): Promise<void> {
  await start(target);
  for (let index = 0; index < memberCount; index += 1) {
    target.members.push(await signUp(target, `member ${index}`));
  }
  await becomeFriends(target);
}

/** Starts its server; resolves once it is ready. */
export async function start(target: Target, more: Record<string, string> = {}): Promise<void> {
  target.address = await addressOf(launch(target, more));
}

/** Starts its server without waiting. */
export function launch(target: Target, more: Record<string, string> = {}): Running {
  target.server = startProgram(
    more["COMMAND"]
      ? ["sh", "-c", more["COMMAND"], process.execPath]
      : [process.execPath, "server/main.ts"],
    {
      cwd: projectRoot,
      env: {
        PORT: "0",
        DATA_DIR: target.dataDir,
        PROCESSES: "1",
        RATE_LIMITS: "off",
        LOG_LEVEL: "error",
        ...target.settings,
        ...more,
      },
    },
  );
  return target.server;
}

/** Asks it to stop; returns its exit code. */
export async function stop(target: Target): Promise<number | null> {
  if (!target.server) return 0;
  target.server.child.kill("SIGTERM");
  const code = await target.server.ended;
  target.server = null;
  return code;
}

export async function kill(target: Target): Promise<void> {
  target.server?.child.kill("SIGKILL");
  await target.server?.ended;
  target.server = null;
}

/** Kills its PostgreSQL as soon as it runs. */
export async function killPostgres(
  { dataDir }: Target,
  { waits = true }: { waits?: boolean } = {},
): Promise<void> {
  for (let tries = 0; tries < (waits ? 600 : 1); tries += 1) {
    const pid = postmasterOf(dataDir);
    if (pid !== null) return void process.kill(pid, "SIGKILL");
    await sleep(50);
  }
}

/** Ends its processes, and removes the folder. */
export async function remove(target: Target, unmount = () => {}): Promise<void> {
  targets.delete(target);
  await kill(target);
  const postgres = postmasterOf(target.dataDir);
  if (postgres) process.kill(postgres, "SIGKILL");
  unmount();
  if (!existsSync(target.folder)) return;
  rmSync(target.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  folders.delete(target.folder);
}

export async function removeAll(): Promise<void> {
  for (const target of targets) await remove(target);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Waits until so many more writes, sent from now on, were acknowledged; false if it takes too long. */
export async function waitForWrites(target: Target, count = 4): Promise<boolean> {
  return (await writtenSince(target, performance.now(), count)) !== null;
}

async function writtenSince(target: Target, since: number, count = 1): Promise<number | null> {
  const { acknowledgements } = target.ledger;
  const from = acknowledgements.length;
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const later = acknowledgements.slice(from).filter((sent) => sent >= since);
    if (later.length >= count) return performance.now() - since;
    await sleep(10);
  }
  return null;
}

/** The time from `since` to the next acknowledged write that was sent after it. */
export async function untilItIsBack(target: Target, since: number): Promise<void> {
  const took = await writtenSince(target, since);
  if (took === null) {
    target.ledger.isWrong(`nothing was acknowledged within ${patienceMs / 1000} s after a fault`);
  } else target.back.push(took);
}

/** Writes for as long as `work` takes. */
export async function whileTheyWrite<Result>(
  target: Target,
  work: () => Promise<Result>,
  options: { count?: number; signUps?: boolean } = {},
): Promise<Result> {
  const writers = startWriters(target, options);
  try {
    return await work();
  } finally {
    await writers.stop();
  }
}

/** Opens it for the oracle, with its server stopped. */
export async function withOpenInstallation<Result>(
  target: Target,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: url } = target.settings;
  const config = readConfig({
    NODE_ENV: "production",
    DATA_DIR: target.dataDir,
    LOG_LEVEL: "silent",
    ...(url ? { DATABASE_URL: url } : {}),
  });
  const installation = await openInstallation(config, createLog("silent"));
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}

/** Stops the server and checks everything, then shows that the oracle reports what the controls plant. */
export async function examine(
  target: Target,
  controls: readonly Control[],
): Promise<Verdict & { controls: string[] }> {
  if (target.server) {
    const code = await stop(target);
    if (code !== 0) target.ledger.isWrong(`the server ended with code ${code}`);
  }
  return withOpenInstallation(target, async (installation) => {
    await sweep(installation);
    const verdict = await judge(installation, target.ledger);
    const proven: string[] = [];
    for (const control of controls) {
      proven.push(await proveOracle(installation, target.ledger, control));
    }
    return { ...verdict, controls: proven };
  });
}

/** Whether the process reports that it is alive; anything but 200 is wrong. */
export async function checkAlive(target: Target): Promise<void> {
  const answer = await send(target.address, "GET", "/health/live", { patience: 10_000 }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) target.ledger.isWrong(`/health/live: ${answer.message}`);
  else if (answer.status !== 200) target.ledger.isWrong(`/health/live: ${answer.status}`);
}
