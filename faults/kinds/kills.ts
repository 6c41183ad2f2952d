import { existsSync, readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  alteredImage,
  halfAnAccount,
  lostComment,
  removedImage,
  strangeFile,
} from "../controls.ts";
import {
  examine,
  install,
  kill,
  killPostgres,
  waitForWrites,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, skipped, type Fault, type Result, type Size } from "../result.ts";
import { earlyAcknowledgement } from "./early-acknowledgement.ts";

/** What was in progress at the moments of the kills. */
type UnderWay = { writes: number; uploads: number };

/**
 * kill -9 while members write, every second one while a photo is being uploaded. All kills hit one
 * installation, which is never repaired in between.
 */
const killing = (name: string, what: Killing, isThere = () => true): Fault => ({
  name,
  short: true,
  run: async (size) => {
    if (!isThere()) {
      return [skipped(what.fault, "this system does not list a process's children (/proc)")];
    }
    return [await killedAgainAndAgain((shared ??= await install()), size, what)];
  },
});

let shared: Target | null = null;

type Killing = {
  fault: string;
  controls: Parameters<typeof examine>[1];
  settings: Record<string, string>;
  /** waits until it makes sense */
  ready?: (target: Target) => Promise<void>;
  strike: (target: Target) => Promise<void>;
};

const ofServer: Killing = {
  fault: "`kill -9` of the server",
  controls: [lostComment, strangeFile],
  settings: {},
  strike: async (target) => {
    await kill(target);
    await start(target);
  },
};

const ofPostgres: Killing = {
  fault: "`kill -9` of PostgreSQL",
  controls: [removedImage, alteredImage],
  settings: {},
  strike: killPostgres,
};

const ofTwo = { PROCESSES: "2", LOG_LEVEL: "info" };

const ofWorker: Killing = {
  fault: "`kill -9` of one process of two",
  controls: [halfAnAccount],
  settings: ofTwo,
  // both have to listen: one that was killed may be about to restart
  ready: async (target) => {
    const listening = () => workersOf(target).filter((pid) => listens(target, pid));
    for (let tries = 0; listening().length < 2 && tries < 1200; tries += 1) await sleep(50);
  },
  strike: async (target) => {
    const [victim] = workersOf(target).toSorted(() => Math.random() - 0.5);
    if (victim) process.kill(victim, "SIGKILL");
  },
};

/** A process logs that it listens. */
function listens({ server }: Target, pid: number): boolean {
  return new RegExp(`"pid":${pid},[^\\n]*Server listening`).test(server?.said() ?? "");
}

export const kills: Fault[] = [
  killing("kill-server", ofServer),
  killing("kill-postgres", ofPostgres),
  killing("kill-worker", ofWorker, () => existsSync("/proc/self/task")),
  {
    name: "kill-hasty",
    short: false,
    run: async () => {
      const target = (shared ??= await install());
      shared = null;
      const result = await earlyAcknowledgement(target);
      await remove(target);
      return [result];
    },
  },
];

async function killedAgainAndAgain(
  target: Target,
  { kills: count }: Size,
  { fault, controls, settings, ready, strike }: Killing,
): Promise<Result> {
  if (!target.server) await start(target, settings);
  const result = begin(target);
  const underWay: UnderWay = { writes: 0, uploads: 0 };
  await whileTheyWrite(target, async () => {
    for (let round = 0; round < count; round += 1) {
      await ready?.(target);
      await waitForWrites(target);
      await sleep(Math.random() * 100);
      if (round % 2 === 1) await untilAnUpload(target);
      underWay.writes += target.ledger.state.writing;
      underWay.uploads += target.ledger.state.uploading;
      const since = performance.now();
      await strike(target);
      await untilItIsBack(target, since);
    }
  });
  const notes = `${underWay.writes} writes under way when it was killed, ${underWay.uploads} of them uploads`;
  return result(fault, `${count} kills`, await examine(target, controls), [notes]);
}

async function untilAnUpload({ ledger: { state } }: Target): Promise<void> {
  for (let tries = 0; state.uploading === 0 && tries < 2000; tries += 1) await sleep(5);
}

function isWorker(child: number): boolean {
  try {
    return readFileSync(`/proc/${child}/cmdline`, "utf8").includes("main.ts");
  } catch {
    return false;
  }
}

/** The processes that answer: children of the first one that run the same program. */
function workersOf({ server }: Target): number[] {
  const pid = server?.child.pid;
  try {
    return readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" "))
      .map(Number)
      .filter((child) => child > 0 && isWorker(child));
  } catch {
    return [];
  }
}
