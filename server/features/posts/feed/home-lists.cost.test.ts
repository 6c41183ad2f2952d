import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { createHomeLists, type HomeLists } from "#server/features/posts/feed/home-lists.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf, type Cost } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time. 5,000 accounts that posted, 150 of them all the time; four readers who
 * follow 10 to all of them, half of each among the busy. The lists have the usual sizes.
 */
let db: Database;
let homeLists: HomeLists;
let authors: Viewer[];
const readers: { follows: number; viewer: Viewer }[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase());
  homeLists = createHomeLists({ db, log: { error: console.error } });
  const people = await insertAccounts(db, 5010);
  authors = people.slice(0, 5000);
  await insertTextPosts(db, authors, 1);
  for (let round = 0; round < 4; round += 1) {
    await insertTextPosts(db, authors.slice(0, 150), 5, 2 + round * 5);
  }
  // There are no lists yet, so no post waits for one.
  await query(db, "delete from home_pending");
  for (const [index, follows] of [10, 200, 1000, 5000].entries()) {
    const viewer = people[5000 + index] as Viewer;
    await insertFollows(db, [viewer], authors.slice(0, follows));
    homeLists.refreshSoon(viewer.id);
    await homeLists.work();
    readers.push({ follows, viewer });
  }
});

const home = (viewer: Viewer, cursor: string | null) => (on: Database) =>
  createFeed({ db: on }).home(viewer, cursor);
const visit = (viewer: Viewer) => (on: Database) => createFeed({ db: on }).visit(viewer, 20);
const newer = (viewer: Viewer, id: string) => (on: Database) =>
  createFeed({ db: on }).newerCount(viewer, id);

async function pageAfter(viewer: Viewer, pages: number) {
  let page = await createFeed({ db }).home(viewer, null);
  for (let i = 0; i < pages; i += 1) page = await createFeed({ db }).home(viewer, page.nextCursor);
  return page;
}

const finding = (costs: Cost[]) => costs.find(({ name }) => name !== "posts.feed-posts")!;

describe.each(["right after loading", "with statistics"])("a home feed's list, %s", (moment) => {
  beforeAll(async () => {
    if (moment === "with statistics") await query(db, "vacuum analyze");
  });

  test.each(["generic", "custom"] as const)(
    "finds a page in 120 rows from 10 to 5,000 followed, with a %s plan",
    async (plan) => {
      for (const { follows, viewer } of readers) {
        const who = `${follows} followed`;
        const { items, nextCursor } = await pageAfter(viewer, 4);
        expect(items, who).toHaveLength(20);
        for (const read of [home(viewer, null), home(viewer, nextCursor), visit(viewer)]) {
          const costs = await costsOf(db, read, plan);
          const found = finding(costs);
          expect(found.rowsRead, who).toBeGreaterThanOrEqual(4 * 21);
          expect(found.rowsRead, who).toBeLessThanOrEqual(120);
          for (const scan of found.scans) {
            expect(scan, who).not.toMatch(/^(posts|follows|home_entries): Seq Scan/);
          }
        }
        const newest = (await pageAfter(viewer, 0)).items[0]?.id ?? "";
        const since = items[0]?.id ?? "";
        const [counted] = await costsOf(db, newer(viewer, since), plan);
        // the hundred above it, each with its follow, its author, who must not be blocked, and its post
        expect(counted?.rowsRead, who).toBeLessThanOrEqual(5 * 99 + 10);
        const [none] = await costsOf(db, newer(viewer, newest), plan);
        expect(none?.rowsRead, who).toBeLessThanOrEqual(10);
      }
    },
  );
});

test("posts that wait, and authors who are read separately, cost only themselves", async () => {
  const { viewer } = readers[1]!;
  const [page] = await costsOf(db, home(viewer, null));
  await insertTextPosts(db, authors.slice(0, 5), 1, 40);
  const [waiting] = await costsOf(db, home(viewer, null));
  // each is looked up once, and checked as an entry is
  expect(waiting!.rowsRead - page!.rowsRead).toBeLessThanOrEqual(5 * 6);
  await homeLists.work();
  const [listed] = await costsOf(db, home(viewer, null));
  expect(listed!.rowsRead).toBeLessThanOrEqual(120);

  await insertFollows(db, [viewer], authors.slice(300, 310));
  const [unlisted] = await costsOf(db, home(viewer, null));
  expect(unlisted!.rowsRead - page!.rowsRead).toBeLessThanOrEqual(10 * 7);
});

test("a post reads the followers whose lists it goes to, and writes a row for each", async () => {
  const [author, fans] = [authors[4999]!, authors.slice(1000, 1300)];
  await insertFollows(db, fans, [author]);
  // those who have no list get nothing
  for (const { id } of fans.slice(0, 100)) homeLists.refreshSoon(id);
  await homeLists.work();
  await insertTextPosts(db, [author], 1, 50);
  const before = await query<{ count: string }>(db, "select count(*) from home_entries");
  await homeLists.work();
  const after = await query<{ count: string }>(db, "select count(*) from home_entries");
  // and the reader who follows everybody
  expect(Number(after[0]?.count) - Number(before[0]?.count)).toBe(101);
});
