import { existsSync, readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  alteredPicture,
  halfAnAccount,
  lostComment,
  removedPicture,
  strangeFile,
} from "../controls.ts";
import {
  examine,
  install,
  kill,
  killPostgres,
  moreIsWritten,
  remove,
  start,
  untilItIsBack,
  whileTheyWrite,
  type Installed,
} from "../place.ts";
import { begin, leftOut, type Fault, type Result, type Size } from "../result.ts";
import { hasty } from "./hasty.ts";

/** What was under way in the moments of the kills. */
type UnderWay = { writes: number; uploads: number };

/**
 * kill -9 while members write, every second one while a photo is on its way. All kills share one installation,
 * which nobody repairs in between.
 */
const killing = (name: string, what: Killing, isThere = () => true): Fault => ({
  name,
  short: true,
  run: async (size) => {
    if (!isThere()) {
      return [leftOut(what.fault, "this system does not tell a process's children (/proc)")];
    }
    return [await killedAgainAndAgain((shared ??= await install()), size, what)];
  },
});

let shared: Installed | null = null;

type Killing = {
  fault: string;
  controls: Parameters<typeof examine>[1];
  settings: Record<string, string>;
  /** waits until it makes sense */
  ready?: (place: Installed) => Promise<void>;
  strike: (place: Installed) => Promise<void>;
};

const ofServer: Killing = {
  fault: "`kill -9` of the server",
  controls: [lostComment, strangeFile],
  settings: {},
  strike: async (place) => {
    await kill(place);
    await start(place);
  },
};

const ofPostgres: Killing = {
  fault: "`kill -9` of PostgreSQL",
  controls: [removedPicture, alteredPicture],
  settings: {},
  strike: killPostgres,
};

const ofTwo = { PROCESSES: "2", LOG_LEVEL: "info" };

const ofWorker: Killing = {
  fault: "`kill -9` of one process of two",
  controls: [halfAnAccount],
  settings: ofTwo,
  // both have to listen: one that was killed may be about to start again
  ready: async (place) => {
    const listening = () => workersOf(place).filter((pid) => listens(place, pid));
    for (let tries = 0; listening().length < 2 && tries < 1200; tries += 1) await sleep(50);
  },
  strike: async (place) => {
    const [victim] = workersOf(place).toSorted(() => Math.random() - 0.5);
    if (victim) process.kill(victim, "SIGKILL");
  },
};

/** A process says so in the log. */
function listens({ server }: Installed, pid: number): boolean {
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
      const place = (shared ??= await install());
      shared = null;
      const result = await hasty(place);
      await remove(place);
      return [result];
    },
  },
];

async function killedAgainAndAgain(
  place: Installed,
  { kills: count }: Size,
  { fault, controls, settings, ready, strike }: Killing,
): Promise<Result> {
  if (!place.server) await start(place, settings);
  const result = begin(place);
  const underWay: UnderWay = { writes: 0, uploads: 0 };
  await whileTheyWrite(place, async () => {
    for (let round = 0; round < count; round += 1) {
      await ready?.(place);
      await moreIsWritten(place);
      await sleep(Math.random() * 100);
      if (round % 2 === 1) await untilAnUpload(place);
      underWay.writes += place.ledger.state.writing;
      underWay.uploads += place.ledger.state.uploading;
      const since = performance.now();
      await strike(place);
      await untilItIsBack(place, since);
    }
  });
  const told = `${underWay.writes} writes under way when it was killed, ${underWay.uploads} of them uploads`;
  return result(fault, `${count} kills`, await examine(place, controls), [told]);
}

async function untilAnUpload({ ledger: { state } }: Installed): Promise<void> {
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
function workersOf({ server }: Installed): number[] {
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
