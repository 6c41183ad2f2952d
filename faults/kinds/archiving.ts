import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { continuousIn } from "#server/platform/backup/chain.ts";
import { draftStart } from "#server/platform/backup/names.ts";
import type { Running } from "#server/test/programs.ts";
import { endOf, finishSegment, killShipping, replayed, ship, until } from "../archive.ts";
import { begin, type Fault, type Result, type Size } from "../result.ts";
import {
  install,
  killPostgres,
  newFolder,
  remove,
  waitForWrites,
  whileTheyWrite,
  type Target,
} from "../target.ts";

/**
 * While members write: the process that ships is killed in each stage of a base, then at any moment, and PostgreSQL
 * under it; it stands still for a while. Afterwards the newest chain is replayed elsewhere, and has to hold everything
 * that was acknowledged.
 */
export const archiving: Fault = {
  name: "archiving: killed",
  short: false,
  run: async (size) => {
    const backups = newFolder();
    const target = await install({ BACKUP_DIR: backups });
    try {
      return [await killed(target, backups, size)];
    } finally {
      await remove(target);
    }
  },
};

/** Whether a base has come so far, by its draft; in their order. */
const stages: [name: string, has: (draft: string) => boolean][] = [
  ["a folder", () => true],
  ["its images", (draft) => existsSync(join(draft, "pictures.jsonl.gz"))],
  ["some of its files", (draft) => existsSync(join(draft, "files", "base"))],
  ["all its files", (draft) => existsSync(join(draft, "files", "global", "pg_control.gz"))],
  ["its log", (draft) => readdirSync(join(draft, "wal")).length > 0],
];

const draftsIn = (backups: string): string[] => {
  const folder = continuousIn(backups);
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(draftStart)).map((name) => join(folder, name));
};

async function killed(target: Target, backups: string, { kills: count }: Size): Promise<Result> {
  const result = begin(target);
  let stopped = 0;
  await whileTheyWrite(
    target,
    async () => {
      for (const [, has] of stages) {
        await waitForWrites(target);
        await killThen(target, backups, has);
      }
      for (let round = 0; round < count; round += 1) {
        await waitForWrites(target);
        await finishSegment(target);
        const shipping = ship(target);
        await sleep(Math.random() * 6000);
        if (round % 3 === 1) await killPostgres(target);
        if (round % 3 === 2) {
          stopped += 1;
          await standStill(target, shipping);
        }
        killShipping(target);
        await shipping.ended;
      }
      await waitForWrites(target);
    },
    { count: 6 },
  );
  const verdict = await replayed(target, backups);
  const bases = stages.map(([name]) => name).join(", ");
  const notes = [`a base killed with ${bases}`, `${stopped} killed after it stood still`];
  const kills = stages.length + count;
  return result(
    "continuous backup: killed",
    `${kills} kills of the process that ships`,
    verdict,
    notes,
  );
}

/** Kills the process that takes a base, ours or the server's, once the base has come so far. */
async function killThen(
  target: Target,
  backups: string,
  has: (draft: string) => boolean,
): Promise<void> {
  // Nothing is known of a chain: a base is due.
  rmSync(join(target.dataDir, "postgres", "continuous.json"), { force: true });
  const left = draftsIn(backups);
  const isThere = () => draftsIn(backups).some((draft) => !left.includes(draft) && has(draft));
  await until(target, "a base was not seen at a stage", async () => {
    const shipping = ship(target);
    const isOver = endOf(shipping);
    let isSeen = false;
    while (!isOver() && !isSeen) {
      try {
        isSeen = isThere();
      } catch {
        // The draft became a chain at this moment.
      }
      if (!isSeen) await sleep(5);
    }
    killShipping(target);
    await shipping.ended;
    return isSeen;
  });
}

/** As if its folder were slow. */
async function standStill(target: Target, shipping: Running): Promise<void> {
  shipping.child.kill("SIGSTOP");
  await waitForWrites(target);
  await finishSegment(target);
}
