import { query } from "#server/test/query.ts";
import {
  examine,
  kill,
  killPostgres,
  moreIsWritten,
  opened,
  start,
  stop,
  whileTheyWrite,
  type Installed,
} from "../place.ts";
import { createLedger } from "../ledger.ts";
import type { Result } from "../result.ts";

const hook = (name: string) =>
  `--import ${new URL(`../hooks/${name}.ts`, import.meta.url).href.replaceAll(" ", "%20")}`;

export const importHook = (name: string): Record<string, string> => ({ NODE_OPTIONS: hook(name) });

/**
 * Real negative controls of the kills: a server that acknowledges before its commit, and a PostgreSQL that
 * acknowledges before its log is on the disk (`synchronous_commit = off`). Each is killed once while members write;
 * the oracle has to name what was lost. The place is spoiled by it.
 */
export async function hasty(place: Installed): Promise<Result> {
  const lostBy = async (strike: () => Promise<void>): Promise<number> => {
    await whileTheyWrite(
      place,
      async () => {
        await moreIsWritten(place, 12);
        await strike();
      },
      { signUps: false },
    );
    await kill(place);
    const { lost } = await examine(place, []);
    return lost.length;
  };
  const acknowledged = place.ledger.acknowledgements.length;

  await start(place, importHook("hasty-commit"));
  const ofServer = await lostBy(() => kill(place));
  await start(place);
  await stop(place);
  await opened(place, async ({ db }) => {
    await query(db, "alter database postcard set synchronous_commit = off");
    await query(db, "alter system set wal_writer_delay = '10s'");
  });
  const known = place.ledger;
  const before = ofServer;
  await start(place);
  const ofPostgres = (await lostBy(() => killPostgres(place))) - before;

  const wrong = [
    ofServer > 0 ? null : "nothing was lost by a server that acknowledges before its commit",
    ofPostgres > 0
      ? null
      : "nothing was lost by a PostgreSQL that acknowledges before its log is written",
  ].filter((sentence) => sentence !== null);
  place.ledger = createLedger();
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
    told: [`the oracle named ${ofServer} and ${ofPostgres} lost writes, as it has to`],
  };
}
