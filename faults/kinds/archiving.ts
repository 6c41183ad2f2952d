import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  continuousIn,
  listChains,
  readSegments,
  verifyBase,
  verifySegments,
} from "#server/platform/backup/chain.ts";
import { readContinuous, readState } from "#server/platform/backup/continuous-state.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { readOff, spoolOf } from "#server/platform/db/wal-spool.ts";
import { canKillMounts, killMount } from "#server/test/dead-mount.ts";
import { projectRoot, startProgram, type Running } from "#server/test/programs.ts";
import { replayChain } from "#server/test/replay-chain.ts";
import { lostComment, removedImage } from "../controls.ts";
import {
  examine,
  install,
  killPostgres,
  newFolder,
  remove,
  start,
  stop,
  waitForWrites,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, skipped, type Fault, type Result, type Size } from "../result.ts";

const title = "continuous backup";
/** More than waits before it is given up, in pieces of 16 MB. */
const tooMany = 10;
/** Nothing here is judged by time. */
const patienceMs = 300_000;

/**
 * While members write: the process that ships is killed at any moment, in every stage of a base too, and
 * PostgreSQL under it; it stands still for a while; the disk of the backups never answers, until the
 * continuous backup is given up. Afterwards the newest chain is replayed elsewhere, and has to hold everything
 * that was acknowledged.
 */
export const archiving: Fault = {
  name: "archiving",
  short: false,
  run: async (size) => {
    const backups = newFolder();
    const target = await install({ BACKUP_DIR: backups });
    try {
      return [await killed(target, backups, size), await dead(target, backups)];
    } finally {
      await remove(target);
    }
  },
};

/** What the server does every minute. */
const ship = ({ dataDir, settings }: Target): Running =>
  startProgram([process.execPath, "server/admin.ts", "backup", "--continuous"], {
    cwd: projectRoot,
    env: { DATA_DIR: dataDir, LOG_LEVEL: "error", ...settings },
  });

/** Has PostgreSQL finish the segment in use, and returns its name. */
const finishSegment = (target: Target): Promise<string> =>
  withSession(findRunningPostgres(target.dataDir) ?? {}, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select pg_walfile_name(pg_switch_wal() - 1) as name",
    );
    return rows[0]?.name ?? "";
  });

const drafts = (backups: string): string[] =>
  existsSync(continuousIn(backups))
    ? readdirSync(continuousIn(backups)).filter((name) => name.startsWith(".draft-"))
    : [];

async function killed(target: Target, backups: string, { kills: count }: Size): Promise<Result> {
  const result = begin(target);
  const seen = { bases: 0, stopped: 0 };
  await whileTheyWrite(
    target,
    async () => {
      for (let round = 0; round < count; round += 1) {
        await waitForWrites(target);
        await finishSegment(target);
        const shipping = ship(target);
        await sleep(Math.random() * 6000);
        if (drafts(backups).length > 0) seen.bases += 1;
        if (round % 3 === 1) await killPostgres(target);
        if (round % 3 === 2) {
          // as if the folder were slow
          shipping.child.kill("SIGSTOP");
          seen.stopped += 1;
          await waitForWrites(target);
          await finishSegment(target);
        }
        shipping.child.kill("SIGKILL");
        await shipping.ended;
      }
      await waitForWrites(target);
    },
    { count: 6 },
  );
  const verdict = await replayed(target, backups);
  const notes = [`${seen.bases} while a base was taken, ${seen.stopped} after it stood still`];
  return result(`${title}: killed`, `${count} kills of the process that ships`, verdict, notes);
}

async function dead(target: Target, backups: string): Promise<Result> {
  const fault = `${title}: its disk does not answer`;
  if (!canKillMounts) return skipped(fault, "a disk can be made to die by root only, with FUSE");
  const result = begin(target);
  await start(target);
  const before = (await readState(target.dataDir)).chain;
  await whileTheyWrite(target, async () => {
    const mount = killMount(backups);
    if (!mount) throw new Error("No mount could be made.");
    try {
      for (let piece = 0; piece < tooMany; piece += 1) {
        if (!(await waitForWrites(target))) target.ledger.isWrong("nothing was written meanwhile");
        await finishSegment(target);
      }
      await until(
        target,
        "it was not given up",
        async () => (await readOff(spoolOf(target.dataDir))) !== null,
      );
      const told = (await readContinuous(target.dataDir))?.trouble ?? "";
      if (!told.includes("was given up")) target.ledger.isWrong(`operators were told: ${told}`);
      if (!(await waitForWrites(target))) target.ledger.isWrong("nothing was written afterwards");
    } finally {
      mount.revive();
    }
    await until(target, "no new chain began", async () => {
      const { chain } = await readState(target.dataDir);
      return (
        chain !== before && chain !== null && (await readOff(spoolOf(target.dataDir))) === null
      );
    });
    await waitForWrites(target);
  });
  return result(fault, "given up once, and begun anew", await replayed(target, backups));
}

async function until(target: Target, wrong: string, is: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await is())) {
    if (performance.now() > deadline) return target.ledger.isWrong(wrong);
    await sleep(200);
  }
}

/** Ships everything, stops the server, replays the newest chain into another folder, and examines that. */
async function replayed(target: Target, backups: string) {
  const last = await finishSegment(target);
  await until(target, "what was written was not shipped", async () => {
    await ship(target).ended;
    const newest = (await listChains(backups)).at(-1);
    return ((newest && (await readSegments(newest)).at(-1)?.name) ?? "") >= last;
  });
  const code = await stop(target);
  if (code !== 0) target.ledger.isWrong(`the server ended with code ${code}`);
  const chain = (await listChains(backups)).at(-1);
  if (!chain) throw new Error("There is no chain.");
  await verifyBase(chain, () => {});
  const { fault } = await verifySegments(chain, () => {});
  if (fault !== null) target.ledger.isWrong(`the chain: ${fault}`);
  const own = target.dataDir;
  const elsewhere = join(newFolder(), "data");
  mkdirSync(elsewhere, { mode: 0o711 });
  await replayChain(chain, elsewhere);
  target.dataDir = elsewhere;
  try {
    return await examine(target, [lostComment, removedImage]);
  } finally {
    target.dataDir = own;
  }
}
