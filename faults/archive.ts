import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  listChains,
  readSegments,
  verifyBase,
  verifySegments,
} from "#server/platform/backup/chain.ts";
import { withSession } from "#server/platform/db/dump.ts";
import { findRunningPostgres } from "#server/platform/db/embedded-postgres.ts";
import { projectRoot, startProgram, type Running } from "#server/test/programs.ts";
import { replayChain } from "#server/test/replay-chain.ts";
import { lostComment, removedImage } from "./controls.ts";
import { examine, newFolder, stop, type Target } from "./target.ts";

/* The continuous backup of a target, for faults: how it is shipped, and what is in it. */

const shipping = "server/ship.ts";

/** Nothing here is judged by time. */
const patienceMs = 300_000;

/** Runs one of the operator's commands. */
export const admin = (
  dataDir: string,
  words: string[],
  settings: Record<string, string> = {},
): Running => run("server/admin.ts", dataDir, words, settings);

const run = (
  program: string,
  dataDir: string,
  words: string[],
  settings: Record<string, string>,
): Running =>
  startProgram([process.execPath, program, ...words], {
    cwd: projectRoot,
    env: { DATA_DIR: dataDir, LOG_LEVEL: "error", ...settings },
  });

/** Returns whether it has ended by now. */
export function endOf({ ended }: Running): () => boolean {
  const seen = { ended: false };
  void ended.then(() => (seen.ended = true));
  return () => seen.ended;
}

/** What the server does every minute. */
export const ship = ({ dataDir, settings }: Target): Running =>
  run(shipping, dataDir, [], settings);

/** Kills all processes that ship, the server's own as well. */
export function killShipping({ dataDir }: Target): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      if (
        words.some((word) => word.endsWith(shipping)) &&
        variables.includes(`DATA_DIR=${dataDir}`)
      )
        process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended meanwhile, or is not ours.
    }
  }
}

/** Has PostgreSQL finish the segment in use, and returns its name. */
export const finishSegment = (target: Target): Promise<string> =>
  withSession(findRunningPostgres(target.dataDir) ?? {}, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select pg_walfile_name(pg_switch_wal() - 1) as name",
    );
    return rows[0]?.name ?? "";
  });

/** Waits for something; that it does not happen is wrong. */
export async function until(
  target: Target,
  wrong: string,
  is: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await is())) {
    if (performance.now() > deadline) return target.ledger.isWrong(wrong);
    await sleep(100);
  }
}

/** Ships everything that was acknowledged. */
export async function shipAll(target: Target, backups: string): Promise<void> {
  const last = await finishSegment(target);
  await until(target, "what was written was not shipped", async () => {
    await ship(target).ended;
    const newest = (await listChains(backups)).at(-1);
    return ((newest && (await readSegments(newest)).at(-1)?.name) ?? "") >= last;
  });
}

/** Ships everything, stops the server, replays the newest chain into another folder, and examines that. */
export async function replayed(target: Target, backups: string) {
  await shipAll(target, backups);
  const code = await stop(target);
  if (code !== 0) target.ledger.isWrong(`the server ended with code ${code}`);
  const chain = (await listChains(backups)).at(-1);
  if (!chain) throw new Error("There is no chain.");
  await verifyBase(chain);
  const { fault } = await verifySegments(chain);
  if (fault !== null) target.ledger.isWrong(`the chain: ${fault}`);
  const elsewhere = join(newFolder(), "data");
  mkdirSync(elsewhere, { mode: 0o711 });
  await replayChain(chain, elsewhere);
  return examineAt(target, elsewhere);
}

/** Examines another folder in place of the target's own. */
export async function examineAt(target: Target, dataDir: string) {
  const own = target.dataDir;
  target.dataDir = dataDir;
  try {
    return await examine(target, [lostComment, removedImage]);
  } finally {
    target.dataDir = own;
  }
}
