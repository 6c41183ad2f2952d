import pg from "pg";
import { createDatabase } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
import { costsOf } from "#server/test/explain.ts";
import type { Viewer } from "#shared/views.ts";
import { growGraph } from "../graph.ts";
import type { Installation } from "../installation.ts";
import { inFull, median, type Figure } from "../table.ts";

const tries = 15;
/** How much dearer it may be among a hundred times as many accounts. */
const goal = 1.5;

type Cost = { accounts: number; rows: number; buffers: number; ms: number };

/** What people to follow cost a member who follows 200, in a small and in a large town. */
export async function suggestionFigures(
  installation: Installation,
  sizes: readonly [small: number, large: number],
): Promise<Figure[]> {
  const small = await suggestionsAmong(installation, sizes[0]);
  const large = await suggestionsAmong(installation, sizes[1]);
  const ratio = large.rows / small.rows;
  return [
    figureOf(small),
    figureOf(large),
    {
      what: `People to follow, among ${inFull(large.accounts)} against ${inFull(small.accounts)}: rows read`,
      value: `${ratio.toFixed(2)} ×`,
      goal: `≤ ${goal} ×`,
      met: ratio <= goal,
    },
  ];
}

const figureOf = ({ accounts, rows, buffers, ms }: Cost): Figure => ({
  what: `People to follow, among ${inFull(accounts)} accounts: rows read`,
  value: `${inFull(rows)} (and ${inFull(buffers)} buffers, ${ms.toFixed(1)} ms)`,
  goal: "",
  met: null,
});

/** In a database of its own. */
async function suggestionsAmong({ connection }: Installation, accounts: number): Promise<Cost> {
  const database = `suggestions_${accounts}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${database}`);
  const own = { ...connection, database };
  await migrate({ connection: own });
  const db = createDatabase({ connection: own, log: { warn: () => {}, error: console.error } });
  try {
    const graph = await growGraph(own, {
      accounts,
      followsPerAccount: 12,
      postsPerAccount: 4,
      likesPerPost: 1,
      commentsPerPost: 1,
      viewers: [{ follows: 200, of: "anybody" }],
    });
    const viewer = graph.viewers[0] as Viewer;
    const list = (on: typeof db) => createSuggestions({ db: on }).list(viewer);
    if ((await list(db)).length === 0) throw new Error("Nobody is suggested.");
    const costs = [await costsOf(db, list, "generic"), await costsOf(db, list, "custom")].flat();
    const times: number[] = [];
    for (let count = 0; count < tries; count += 1) {
      const started = performance.now();
      await list(db);
      times.push(performance.now() - started);
    }
    return {
      accounts,
      rows: Math.max(...costs.map(({ rowsRead }) => rowsRead)),
      buffers: Math.max(...costs.map(({ buffers }) => buffers)),
      ms: median(times),
    };
  } finally {
    await db.close();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}
