import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listChains } from "#server/platform/backup/chain.ts";
import { readContinuous, readState } from "#server/platform/backup/continuous-state.ts";
import { canKillMounts, killMount } from "#server/test/dead-mount.ts";
import { endOf, finishSegment, replayed, ship, shipAll, until } from "../archive.ts";
import { begin, skipped, type Fault, type Result } from "../result.ts";
import {
  checkAlive,
  install,
  newFolder,
  remove,
  start,
  waitForWrites,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { fillUp, smallDisks } from "./disk.ts";

const title = "continuous backup";
/** In memory: the log that waits takes 128 MB of such a disk at most, before it is given up. */
const sizes = { postgres: "900m", backups: "300m" };
/** How long the folder does not answer, milliseconds: longer than PostgreSQL or the server waits for anything. */
const deadMs = 20_000;
/** A slow folder: the process that ships runs for the first part and stands still for the second, milliseconds. */
const slow = { runs: 100, stands: 900 };

type Trouble = {
  fault: string;
  injected: string;
  /** while members write; returns what it saw */
  work: (target: Target, backups: string) => Promise<string[]>;
};

/**
 * The folder of the backups is full, hangs, is slow, or hangs until the continuous backup is given up, while six
 * members write: writes go on, and afterwards the newest chain has everything that was acknowledged.
 */
export const archiveFolder: Fault = {
  name: "archiving: its folder",
  short: false,
  run: async () => {
    if (!canKillMounts)
      return [skipped(title, "a disk can be made to die by root only, with FUSE")];
    const { mount, mounted, unmount } = smallDisks();
    const backups = newFolder();
    let target: Target | null = null;
    try {
      try {
        mount(backups, sizes.backups);
        const prepare = (dataDir: string) => mount(join(dataDir, "postgres"), sizes.postgres);
        target = await install({ BACKUP_DIR: backups }, { prepare });
      } catch (error) {
        if (mounted.length === 2) throw error;
        return [skipped(title, "a separate file system can be mounted by root only")];
      }
      const results: Result[] = [];
      for (const trouble of troubles) results.push(await suffer(target, backups, trouble));
      return results;
    } finally {
      if (target) await remove(target, unmount);
      else unmount();
    }
  },
};

async function suffer(
  target: Target,
  backups: string,
  { fault, injected, work }: Trouble,
): Promise<Result> {
  if (!target.server) await start(target);
  const result = begin(target);
  const notes = await whileTheyWrite(
    target,
    async () => {
      await waitForWrites(target);
      await shipAll(target, backups);
      const seen = await work(target, backups);
      await waitForWrites(target);
      return seen;
    },
    { count: 6 },
  );
  return result(`${title}: ${fault}`, injected, await replayed(target, backups), notes);
}

/** Works while the folder does not answer, with a process that ships into it. */
async function whileDead(
  target: Target,
  backups: string,
  work: () => Promise<void>,
): Promise<void> {
  const mount = killMount(backups);
  if (!mount) throw new Error("No mount could be made.");
  try {
    await finishSegment(target);
    void ship(target);
    await work();
  } finally {
    mount.revive();
  }
}

async function writesGoOn(target: Target): Promise<void> {
  await checkAlive(target);
  if (!(await waitForWrites(target))) target.ledger.isWrong("nothing was written meanwhile");
}

async function full(target: Target, backups: string): Promise<string[]> {
  const filler = join(backups, "filler");
  fillUp(filler);
  await writesGoOn(target);
  await finishSegment(target);
  await until(target, "that the folder is full was not said", async () => {
    await ship(target).ended;
    return (await readState(target.dataDir)).failure.endsWith("is full: make room.");
  });
  await writesGoOn(target);
  rmSync(filler);
  return ["said to be full"];
}

async function dead(target: Target, backups: string): Promise<string[]> {
  await whileDead(target, backups, async () => {
    for (let waited = 0; waited < deadMs; waited += 1000) {
      await writesGoOn(target);
      await sleep(1000);
    }
  });
  return [];
}

async function slowly(target: Target): Promise<string[]> {
  await finishSegment(target);
  const shipping = ship(target);
  let stood = 0;
  const isOver = endOf(shipping);
  for (; !isOver(); stood += 1) {
    await sleep(slow.runs);
    shipping.child.kill("SIGSTOP");
    await sleep(slow.stands);
    shipping.child.kill("SIGCONT");
    if (stood % 5 === 0) await writesGoOn(target);
  }
  return [`stood still ${stood} times`];
}

async function givenUp(target: Target, backups: string): Promise<string[]> {
  const before = (await listChains(backups)).length;
  const trouble = async () => (await readContinuous(target.dataDir))?.trouble ?? "";
  let waited = 0;
  await whileDead(target, backups, async () => {
    await until(target, "the continuous backup was not given up", async () => {
      if (/was given up/.test(await trouble())) return true;
      await writesGoOn(target);
      await finishSegment(target);
      waited += 1;
      return false;
    });
    await writesGoOn(target);
  });
  await until(target, "no new chain began", async () => {
    await ship(target).ended;
    return (await listChains(backups)).length > before && (await trouble()) === "";
  });
  return [`given up after ${waited} segments of 16 MB, and begun anew`];
}

const troubles: Trouble[] = [
  { fault: "folder full", injected: "filled to the last byte", work: full },
  { fault: "folder dead", injected: `without an answer for ${deadMs / 1000} s`, work: dead },
  { fault: "folder slow", injected: "a tenth of its pace", work: slowly },
  { fault: "given up", injected: "without an answer until too much waits", work: givenUp },
];
