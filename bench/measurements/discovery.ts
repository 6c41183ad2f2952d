import pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import { createOperatorSettings } from "#server/features/operator/index.ts";
import { createExplore } from "#server/features/posts/index.ts";
import { createSuggestions } from "#server/features/posts/suggestions/suggestions.ts";
import { createTags } from "#server/features/posts/tags/tags.ts";
import { insertAccounts, insertPhotoPosts } from "#server/test/bulk-insert.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";
import type { Installation } from "../installation.ts";
import { inFull, type Figure } from "../table.ts";
import { withTemporaryDatabase, readCost, type ReadCost } from "../temporary-database.ts";

/** How much more it may cost among a hundred times as many accounts. */
const goal = 1.5;

/** Pages with accounts and posts one doesn't follow, as a member who follows 200 reads them. */
const reads = (viewer: Viewer): [what: string, read: (on: Database) => Promise<unknown>][] => [
  ["The front page's photos", (on) => explore(on).landing()],
  ["Recent photos before a search", (on) => explore(on).recent(viewer, null)],
  ["People to follow", (on) => createSuggestions({ db: on }).list(viewer)],
  [
    "Posts of a tag that every second post has",
    (on) => createTags({ db: on }).posts(viewer, "common", null),
  ],
  ["Tags that begin with a letter", (on) => createTags({ db: on }).beginning(viewer, "c")],
];

const explore = (db: Database) => createExplore({ db, settings: createOperatorSettings({ db }) });

/** They cost something when a page is made, not on the network. */
export async function discoveryFigures(
  installation: Installation,
  sizes: readonly [few: number, many: number],
): Promise<Figure[]> {
  const few = await costsAmong(installation, sizes[0]);
  const many = await costsAmong(installation, sizes[1]);
  return few.map(([what, small], index) => {
    const large = many[index]?.[1] ?? small;
    const ratio = large.rows / small.rows;
    return {
      what: `${what}, among ${inFull(sizes[1])} accounts against ${inFull(sizes[0])}: rows read`,
      value: `${ratio.toFixed(2)} × (${describe(large)}; ${describe(small)})`,
      goal: `≤ ${goal} ×`,
      met: ratio <= goal,
    };
  });
}

const describe = ({ rows, buffers, ms }: ReadCost) =>
  `${inFull(rows)} rows, ${inFull(buffers)} buffers, ${ms.toFixed(1)} ms`;

const costsAmong = (installation: Installation, accounts: number) =>
  withTemporaryDatabase(installation, `discovery_${accounts}`, async (db, connection) => {
    const viewer = await seedDatabase(db, connection, accounts);
    const costs: [string, ReadCost][] = [];
    for (const [what, read] of reads(viewer)) costs.push([what, await readCost(db, read)]);
    return costs;
  });

/** Every account posted two photos with tags and follows twelve; the viewer follows 200. */
async function seedDatabase(db: Database, connection: pg.ClientConfig, accounts: number) {
  const joined = Date.now() - 10 * 86_400_000;
  let viewer: Viewer | undefined;
  for (let left = accounts; left > 0; left -= 5000) {
    const people = await insertAccounts(db, Math.min(left, 5000), undefined, joined);
    viewer ??= people[0];
    await insertPhotoPosts(db, people, 2);
  }
  if (!viewer) throw new Error("Nobody is there.");
  const client = new pg.Client(connection);
  await client.connect();
  // Making a town takes longer than any statement of the product may.
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
      // in the small town as well, as many of each as are counted
      `insert into post_tags (author_id, post_id, tag)
       select author_id, id, 'common' from posts where number = 1
       union all
       select author_id, id, 'c' || row_number() over (order by id) % $1::integer from posts`,
      [limits.tags.candidates],
    );
    await client.query("update account_counters set posts = 2, last_post_number = 2");
    await client.query("drop table people");
    await client.query("vacuum (analyze)");
  } finally {
    await client.end();
  }
  return viewer;
}
