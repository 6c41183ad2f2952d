import { mkdirSync, mkdtempSync, chmodSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readConfig } from "#server/config.ts";
import { openInstallation, type Installation } from "#server/installation.ts";
import { createLog } from "#server/log.ts";
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
import { becomeFriends, signUp, startWriters, type Place } from "./writers.ts";

/** An installation in a folder of its own, its server as a whole process, and its members. */
export type Installed = Place & {
  folder: string;
  dataDir: string;
  settings: Record<string, string>;
  server: Running | null;
  /** milliseconds from each fault to the next acknowledged write */
  back: number[];
};

const places = new Set<Installed>();
const folders = new Set<string>();
const memberCount = 4;
/** A crowded machine: nothing here is judged by time. */
const patienceMs = 120_000;

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "postcard-faults-"));
  // PostgreSQL runs as another user where we are root.
  chmodSync(folder, 0o711);
  folders.add(folder);
  return folder;
}

/** A folder for an installation; `prepare` sees it before anything is in it. */
export function newPlace(
  settings: Record<string, string>,
  prepare?: (dataDir: string) => void,
): Installed {
  const folder = newFolder();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  prepare?.(dataDir);
  const place: Installed = {
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
  places.add(place);
  return place;
}

/** A new installation with a few members. */
export async function install(
  settings: Record<string, string> = {},
  { prepare }: { prepare?: (dataDir: string) => void } = {},
): Promise<Installed> {
  const place = newPlace(settings, prepare);
  await settle(place);
  return place;
}

/** Starts it, and lets members move in. */
export async function settle(place: Installed): Promise<void> {
  await start(place);
  for (let index = 0; index < memberCount; index += 1) {
    place.members.push(await signUp(place, `member ${index}`));
  }
  await becomeFriends(place);
}

/** Starts its server; resolves once it is ready. */
export async function start(place: Installed, more: Record<string, string> = {}): Promise<void> {
  place.address = await addressOf(launch(place, more));
}

/** Starts its server, and waits for nothing. */
export function launch(place: Installed, more: Record<string, string> = {}): Running {
  place.server = startProgram(
    more["COMMAND"]
      ? ["sh", "-c", more["COMMAND"], process.execPath]
      : [process.execPath, "server/main.ts"],
    {
      cwd: projectRoot,
      env: {
        PORT: "0",
        DATA_DIR: place.dataDir,
        PROCESSES: "1",
        RATE_LIMITS: "off",
        LOG_LEVEL: "error",
        ...place.settings,
        ...more,
      },
    },
  );
  return place.server;
}

/** Asks it to stop; answers its exit code. */
export async function stop(place: Installed): Promise<number | null> {
  if (!place.server) return 0;
  place.server.child.kill("SIGTERM");
  const code = await place.server.ended;
  place.server = null;
  return code;
}

export async function kill(place: Installed): Promise<void> {
  place.server?.child.kill("SIGKILL");
  await place.server?.ended;
  place.server = null;
}

/** Kills its PostgreSQL, as soon as it is there. */
export async function killPostgres(
  { dataDir }: Installed,
  { waits = true }: { waits?: boolean } = {},
): Promise<void> {
  for (let tries = 0; tries < (waits ? 600 : 1); tries += 1) {
    const pid = postmasterOf(dataDir);
    if (pid !== null) return void process.kill(pid, "SIGKILL");
    await sleep(50);
  }
}

/** Ends what runs, and removes the folder. */
export async function remove(place: Installed, unmount = () => {}): Promise<void> {
  places.delete(place);
  await kill(place);
  const postgres = postmasterOf(place.dataDir);
  if (postgres) process.kill(postgres, "SIGKILL");
  unmount();
  if (!existsSync(place.folder)) return;
  rmSync(place.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  folders.delete(place.folder);
}

export async function removeAll(): Promise<void> {
  for (const place of places) await remove(place);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}

/** Waits until so many more writes were acknowledged that were sent from now on; false where it never comes to that. */
export async function moreIsWritten(place: Installed, count = 4): Promise<boolean> {
  return (await writtenSince(place, performance.now(), count)) !== null;
}

async function writtenSince(place: Installed, since: number, count = 1): Promise<number | null> {
  const { acknowledgements } = place.ledger;
  const from = acknowledgements.length;
  const deadline = performance.now() + patienceMs;
  while (performance.now() < deadline) {
    const later = acknowledgements.slice(from).filter((sent) => sent >= since);
    if (later.length >= count) return performance.now() - since;
    await sleep(10);
  }
  return null;
}

/** The time from `since` to the next write that is acknowledged, and was sent after it. */
export async function untilItIsBack(place: Installed, since: number): Promise<void> {
  const took = await writtenSince(place, since);
  if (took === null) {
    place.ledger.isWrong(`nothing was acknowledged within ${patienceMs / 1000} s after a fault`);
  } else place.back.push(took);
}

/** Writes for as long as `work` takes. */
export async function whileTheyWrite<Result>(
  place: Installed,
  work: () => Promise<Result>,
  options: { count?: number; signUps?: boolean } = {},
): Promise<Result> {
  const writers = startWriters(place, options);
  try {
    return await work();
  } finally {
    await writers.stop();
  }
}

/** Opens it for the oracle, its server stopped. */
export async function opened<Result>(
  place: Installed,
  work: (installation: Installation) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: url } = place.settings;
  const config = readConfig({
    NODE_ENV: "production",
    DATA_DIR: place.dataDir,
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

/** Stops the server and looks at everything, then shows that the oracle sees what the controls plant. */
export async function examine(
  place: Installed,
  controls: readonly Control[],
): Promise<Verdict & { controls: string[] }> {
  if (place.server) {
    const code = await stop(place);
    if (code !== 0) place.ledger.isWrong(`the server ended with code ${code}`);
  }
  return opened(place, async (installation) => {
    await sweep(installation);
    const verdict = await judge(installation, place.ledger);
    const proven: string[] = [];
    for (const control of controls) {
      proven.push(await proveOracle(installation, place.ledger, control));
    }
    return { ...verdict, controls: proven };
  });
}

/** Whether the process answers that it lives; anything but 200 is wrong. */
export async function lives(place: Installed): Promise<void> {
  const answer = await send(place.address, "GET", "/health/live", { patience: 10_000 }).catch(
    (error: Error) => error,
  );
  if (answer instanceof Error) place.ledger.isWrong(`/health/live: ${answer.message}`);
  else if (answer.status !== 200) place.ledger.isWrong(`/health/live: ${answer.status}`);
}
