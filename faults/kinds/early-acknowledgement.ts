import { query } from "#server/test/query.ts";
import {
  examine,
  kill,
  killPostgres,
  waitForWrites,
  withOpenInstallation,
  start,
  stop,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { createLedger } from "../ledger.ts";
import type { Result } from "../result.ts";

const hook = (name: string) =>
  `--import ${new URL(`../hooks/${name}.ts`, import.meta.url).href.replaceAll(" ", "%20")}`;

export const importHook = (name: string): Record<string, string> => ({ NODE_OPTIONS: hook(name) });

/**
 * Real negative controls of the kills: a server that acknowledges before its commit, and a PostgreSQL that
 * acknowledges before its log is on the disk (`synchronous_commit = off`). Each is killed once while members
 * write; the oracle has to report what was lost. The target can't be used after that.
 */
export async function earlyAcknowledgement(target: Target): Promise<Result> {
  const lostBy = async (strike: () => Promise<void>): Promise<number> => {
    await whileTheyWrite(
      target,
      async () => {
        await waitForWrites(target, 12);
        await strike();
      },
      { signUps: false },
    );
    await kill(target);
    const { lost } = await examine(target, []);
    return lost.length;
  };
  const acknowledged = target.ledger.acknowledgements.length;

  await start(target, importHook("hasty-commit"));
  const ofServer = await lostBy(() => kill(target));
  await start(target);
  await stop(target);
  await withOpenInstallation(target, async ({ db }) => {
    await query(db, "alter database postcard set synchronous_commit = off");
    await query(db, "alter system set wal_writer_delay = '10s'");
  });
  const known = target.ledger;
  const before = ofServer;
  await start(target);
  const ofPostgres = (await lostBy(() => killPostgres(target))) - before;

  const wrong = [
    ofServer > 0 ? null : "nothing was lost by a server that acknowledges before its commit",
    ofPostgres > 0
      ? null
      : "nothing was lost by a PostgreSQL that acknowledges before its log is written",
  ].filter((sentence) => sentence !== null);
  target.ledger = createLedger();
  return {
    fault: "control: acknowledged too early",
    injected: "2 kills",
    acknowledged: known.acknowledgements.length - acknowledged,
    lost: [],
    drift: [],
    wrong,
    back: [],
    controls: [
      `a server that acknowledges before its commit: ${ofServer} named`,
      `a PostgreSQL with synchronous_commit = off: ${ofPostgres} named`,
    ],
    notes: [`the oracle named ${ofServer} and ${ofPostgres} lost writes, as it has to`],
  };
}
