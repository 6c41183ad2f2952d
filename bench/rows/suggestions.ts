import pg from "pg";
import { createDatabase, type Database } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
import { crowd } from "#server/test/crowd.ts";
import { costsOf } from "#server/test/explain.ts";
import type { Viewer } from "#shared/views.ts";
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
    const viewer = await growTown(db, own, accounts);
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

/** Everybody follows twelve and posted two photos; the viewer follows 200. Pictures have no rows. */
async function growTown(db: Database, connection: pg.ClientConfig, accounts: number) {
  let viewer: Viewer | undefined;
  for (let left = accounts; left > 0; left -= 5000) {
    const people = await crowd(db, Math.min(left, 5000));
    viewer ??= people[0];
  }
  if (!viewer) throw new Error("Nobody is there.");
  const client = new pg.Client(connection);
  await client.connect();
  // A town takes longer than any statement of the product may.
  await client.query("set statement_timeout = 0");
  try {
    await client.query(
      "create table people as select id, row_number() over (order by id) as n from accounts",
    );
    await client.query("create unique index on people (n)");
    await client.query(
      `insert into follows (follower_id, followee_id, id)
       select a.id, b.id, uuidv7() from people a
       cross join lateral generate_series(1, case when a.id = $1 then 200 else 12 end) as step
       join people b on b.n = 1 + (a.n + step * 41) % $2::bigint
       where a.id <> b.id on conflict do nothing`,
      [viewer.id, accounts],
    );
    await client.query(
      "insert into followers (follower_id, followee_id, id) select follower_id, followee_id, id from follows",
    );
    await client.query(
      `insert into posts (author_id, id, number, picture_count)
       select id, uuidv7(), number, 1 from generate_series(1, 2) as number, people`,
    );
    await client.query(
      "update account_counters set posts = 2, last_post_number = 2, following = 12",
    );
    await client.query("drop table people");
    await client.query("vacuum (analyze)");
  } finally {
    await client.end();
  }
  return viewer;
}
