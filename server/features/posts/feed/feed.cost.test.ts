import type pg from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { highestId } from "#server/platform/db/cursors.ts";
import { homeAndOwnKeys, homePostKeys } from "#server/features/posts/feed/feed.queries.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf, type Cost } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time. 3,000 accounts: 200 that posted twice before anybody else did, 220 that post all
 * the time (the newest 28,600 posts), the rest silent. A thousand people follow ten each.
 */
let db: Database;
let connection: pg.ClientConfig;
const noId = "00000000-0000-0000-0000-000000000000";
const readers: { who: string; follows: number; viewer: Viewer }[] = [];

const home = (viewer: Viewer, cursor: string | null) => (on: Database) =>
  createFeed({ db: on }).home(viewer, cursor);
const visit = (viewer: Viewer) => (on: Database) => createFeed({ db: on }).visit(viewer, 20);
const total = (costs: Cost[], what: "rowsRead" | "buffers") =>
  costs.reduce((sum, cost) => sum + cost[what], 0);

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
  const people = await insertAccounts(db, 3000);
  const [rare, busy] = [people.slice(0, 200), people.slice(200, 420)];
  await insertTextPosts(db, rare, 2);
  // enough that reading all of them is no bargain
  await insertFollows(db, people.slice(500, 1500), busy.slice(0, 10));
  for (let i = 0; i < 10; i += 1) await insertTextPosts(db, busy, 13, 1 + i * 13);
  const groups = [
    ["10 who post much", busy.slice(0, 10)],
    ["200 who post much", busy.slice(0, 200)],
    ["10 who post rarely", rare.slice(0, 10)],
    ["200 who post rarely", rare],
    ["200 who never post", people.slice(1000, 1200)],
  ] as const;
  for (const [index, [who, followed]] of groups.entries()) {
    const viewer = people[2990 + index] as Viewer;
    await insertFollows(db, [viewer], followed);
    readers.push({ who, follows: followed.length, viewer });
  }
});

async function lastCursor(viewer: Viewer, pages: number): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 1; page < pages; page += 1) {
    const { nextCursor } = await createFeed({ db }).home(viewer, cursor);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return cursor;
}

describe.each(["right after loading", "with statistics"])("the home feed, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  test.each(["generic", "custom"] as const)(
    "reads at most 2 rows a followed account and 520 more, with a %s plan",
    async (plan) => {
      for (const { who, follows, viewer } of readers) {
        for (const cursor of [null, await lastCursor(viewer, 50)]) {
          const costs = await costsOf(db, home(viewer, cursor), plan);
          // every followed account is read: less would mean that nothing was counted
          expect(total(costs, "rowsRead"), who).toBeGreaterThanOrEqual(2 * follows);
          expect(total(costs, "rowsRead"), who).toBeLessThanOrEqual(2 * follows + 520);
          if (cursor === null) {
            const opened = await costsOf(db, visit(viewer), plan);
            // the row of the visit, and a second look at the page for its end
            expect(total(opened, "rowsRead"), who).toBeLessThanOrEqual(2 * follows + 600);
          }
          for (const scan of costs.flatMap(({ scans }) => scans)) {
            expect(scan, who).not.toMatch(/^(posts|follows): Seq Scan/);
          }
        }
      }
    },
  );
});

test("page 50 costs no more than a tenth above page 1", async () => {
  await query(db, "vacuum analyze");
  const busyReaders = readers.filter(({ who }) => who.includes("much"));
  expect(busyReaders).toHaveLength(2);
  for (const { who, viewer } of busyReaders) {
    const cursor = await lastCursor(viewer, 50);
    const page50 = await createFeed({ db }).home(viewer, cursor);
    expect(page50.items, who).toHaveLength(20);
    const [first, late] = [
      await costsOf(db, home(viewer, null)),
      await costsOf(db, home(viewer, cursor)),
    ];
    expect(total(late, "buffers"), who).toBeLessThanOrEqual(1.1 * total(first, "buffers"));
  }
});

test("counting what is new reads one follow per account, and the posts it counts", async () => {
  for (const { who, follows, viewer } of readers) {
    const newest = (await createFeed({ db }).home(viewer, null)).items[0]?.id ?? noId;
    for (const since of [newest, noId]) {
      const costs = await costsOf(db, (on) => createFeed({ db: on }).newerCount(viewer, since));
      const atLeast = since === newest ? follows : Math.min(follows, 99);
      expect(total(costs, "rowsRead"), who).toBeGreaterThanOrEqual(atLeast);
      // one row per follow, and a post with its author for each of the 99
      expect(total(costs, "rowsRead"), who).toBeLessThanOrEqual(follows + 2 * 99 + 99);
      for (const scan of costs.flatMap(({ scans }) => scans)) {
        expect(scan, who).not.toMatch(/^(posts|follows): Seq Scan/);
      }
    }
  }
});

test("one's own posts among those of home cost a page of rows, however many there are", async () => {
  await insertTextPosts(
    db,
    readers.map(({ viewer }) => viewer),
    60,
  );
  await query(db, "vacuum analyze");
  for (const { who, viewer } of readers) {
    const page = { viewerId: viewer.id, below: highestId, limit: 21 };
    const home = await costsOf(db, (on) => homePostKeys(on, page));
    const both = await costsOf(db, (on) => homeAndOwnKeys(on, page));
    const more = total(both, "rowsRead") - total(home, "rowsRead");
    expect(more, who).toBeGreaterThanOrEqual(21);
    expect(more, who).toBeLessThanOrEqual(3 * 21);
    for (const scan of both.flatMap(({ scans }) => scans)) {
      expect(scan, who).not.toMatch(/^(posts|follows): Seq Scan/);
    }
  }
});

test("one's imported posts, which stand in no feed, cost home nothing", async () => {
  const [newcomer] = (await insertAccounts(db, 1)) as [Viewer];
  await insertTextPosts(db, [newcomer], 4000);
  await query(db, "update posts set imported_at = now() where author_id = $1", [newcomer.id]);
  await insertTextPosts(db, [newcomer], 3, 4001);
  await query(db, "vacuum analyze");
  const page = { viewerId: newcomer.id, below: highestId, limit: 21 };
  const { keys } = await homeAndOwnKeys(db, page);
  expect(keys).toHaveLength(3);
  const costs = await costsOf(db, (on) => homeAndOwnKeys(on, page));
  expect(total(costs, "rowsRead")).toBeLessThanOrEqual(3 * 21);
});

test("the posts of a page are planned once, however few it has", async () => {
  const log = { warn: () => {}, error: () => {} };
  const one = createDatabase({ connection: { ...connection, max: 1 }, log });
  const [{ viewer }] = readers as [(typeof readers)[number]];
  for (let time = 0; time < 8; time += 1) {
    for (const size of [1, 3, 10]) await createFeed({ db: one }).home(viewer, null, size);
  }
  const plans = await query<{ custom: string; generic: string }>(
    one,
    `select custom_plans as custom, generic_plans as generic from pg_prepared_statements
    where name = 'posts.feed-posts'`,
  );
  await one.close();
  // PostgreSQL plans the first five anew, whatever they cost
  expect(plans).toEqual([{ custom: "5", generic: "19" }]);
});
