import pg from "pg";
import { createDatabase, type Database } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { createOperatorSettings } from "#server/features/operator/index.ts";
import { createExplore } from "#server/features/posts/index.ts";
import { crowd, photosOfEach } from "#server/test/crowd.ts";
import { costsOf } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { Installation } from "../installation.ts";
import { inFull, median, type Figure } from "../table.ts";

type Cost = { buffers: number; ms: number };

const tries = 15;
const photosEach = 2;

/** The front page's photos among few accounts and among many: they cost the page, not the network. */
export async function exploreFigures(
  installation: Installation,
  sizes: readonly [few: number, many: number],
): Promise<Figure[]> {
  const few = await costAmong(installation, sizes[0]);
  const many = await costAmong(installation, sizes[1]);
  const ratio = many.buffers / few.buffers;
  return [
    {
      what: `Front page's photos, among ${inFull(sizes[1])} accounts against ${inFull(sizes[0])}: buffers`,
      value: `${ratio.toFixed(2)} × (${many.buffers} against ${few.buffers}; ${many.ms.toFixed(1)} ms against ${few.ms.toFixed(1)} ms)`,
      goal: "≤ 1.5 ×",
      met: ratio <= 1.5,
    },
  ];
}

/** In a database of its own. */
async function costAmong({ connection }: Installation, accounts: number): Promise<Cost> {
  const database = `explore_${accounts}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${database}`);
  const own = { ...connection, database };
  await migrate({ connection: own });
  const db = createDatabase({ connection: own, log: { warn: () => {}, error: console.error } });
  try {
    const joined = Date.now() - 10 * 86_400_000;
    for (let left = accounts; left > 0; left -= 5000) {
      const people = await crowd(db, Math.min(left, 5000), undefined, joined);
      await photosOfEach(db, people, photosEach);
    }
    await query(db, "vacuum (analyze)");
    return await measure(db);
  } finally {
    await db.close();
    await admin.query(`drop database ${database} with (force)`);
    await admin.end();
  }
}

const door = (on: Database) =>
  createExplore({ db: on, settings: createOperatorSettings({ db: on }) }).door();

async function measure(db: Database): Promise<Cost> {
  let buffers = 0;
  for (const plan of ["generic", "custom"] as const) {
    const costs = await costsOf(db, door, plan);
    buffers = Math.max(
      buffers,
      costs.reduce((sum, cost) => sum + cost.buffers, 0),
    );
  }
  const times: number[] = [];
  for (let count = 0; count < tries; count += 1) {
    const started = performance.now();
    await door(db);
    times.push(performance.now() - started);
  }
  return { buffers, ms: median(times) };
}
