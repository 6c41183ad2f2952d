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
import { withSession } from "#server/platform/db/dump.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { projectRoot, startProgram, type Running } from "#server/test/programs.ts";
import { replayChain } from "#server/test/replay-chain.ts";
import { lostComment, removedImage } from "../controls.ts";
import {
  examine,
  install,
  killPostgres,
  newFolder,
  remove,
  stop,
  waitForWrites,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, type Fault, type Result, type Size } from "../result.ts";

const title = "continuous backup";
/** Nothing here is judged by time. */
const patienceMs = 300_000;

/**
 * While members write: the process that ships is killed at any moment, in every stage of a base too, and
 * PostgreSQL under it; it stands still for a while. Afterwards the newest chain is replayed elsewhere, and has
 * to hold everything that was acknowledged.
 */
export const archiving: Fault = {
  name: "archiving",
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
