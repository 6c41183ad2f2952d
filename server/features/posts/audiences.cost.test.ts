import { beforeAll, expect, test } from "vitest";
import { createFeed } from "#server/features/posts/feed/feed.ts";
import { createHomeLists } from "#server/features/posts/feed/home-lists.ts";
import { tilesOf, textsOf } from "#server/features/posts/posts.queries.ts";
import { createProfiles } from "#server/features/people/index.ts";
import { highestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import {
  insert,
  insertAccounts,
  insertFollows,
  insertPhotoPosts,
  insertTextPosts,
} from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costsOf, type Cost } from "#server/test/explain.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * Counted work, never time: what audiences add to a read. 400 authors with 12 posts each, and two readers who
 * follow 300 of them, one with a list written ahead.
 */
let db: Database;
let authors: Viewer[];
let puller: Viewer;
let lister: Viewer;
let stranger: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  authors = await insertAccounts(db, 400);
  [puller, lister, stranger] = (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
  await insertFollows(db, [puller, lister], authors.slice(0, 300));
  // enough that reading all of them is no bargain
  await insertFollows(db, authors.slice(0, 100), authors.slice(200, 300));
  await putOnLists(authors.slice(0, 100), authors.slice(200, 300));
  for (let round = 0; round < 4; round += 1) await insertTextPosts(db, authors, 3, 1 + round * 3);
  await query(db, "delete from home_pending");
  const lists = createHomeLists({ db, log: { error: console.error } });
  lists.refreshSoon(lister.id);
  await lists.work();
  await query(db, "vacuum analyze");
});

/** Puts each of `friends` on the list of close friends of each of `owners`. */
async function putOnLists(owners: readonly Viewer[], friends: readonly Viewer[]): Promise<void> {
  const pairs = owners.flatMap((owner) => friends.map((friend) => ({ owner, friend })));
  await insert(db, "close_friends", {
    account_id: pairs.map(({ owner }) => owner.id),
    friend_id: pairs.map(({ friend }) => friend.id),
    id: pairs.map(() => newId()),
  });
}

const total = (costs: Cost[], what: "rowsRead" | "buffers") =>
  costs.reduce((sum, cost) => sum + cost[what], 0);

/** With the more expensive of both kinds of plan; none may read all of what grows. */
async function costOf(what: "rowsRead" | "buffers", read: (on: Database) => Promise<unknown>) {
  const totals: number[] = [];
  for (const plan of ["generic", "custom"] as const) {
    const costs = await costsOf(db, read, plan);
    for (const scan of costs.flatMap(({ scans }) => scans)) {
      expect(scan).not.toMatch(/^(posts|follows|close_friends): Seq Scan/);
    }
    totals.push(total(costs, what));
  }
  return Math.max(...totals);
}

const home = (viewer: Viewer) => (on: Database) => createFeed({ db: on }).home(viewer, null);
const newer = (viewer: Viewer) => async (on: Database) =>
  createFeed({ db: on }).newerCount(viewer, (await middlePost()) ?? "");
const tab = ({ id }: Viewer) => ({ authorId: id, below: highestId, limit: 21 });

/** Reading one needs no images. */
const profilesOn = (on: Database) =>
  createProfiles({ db: on } as Parameters<typeof createProfiles>[0]);
const middlePost = async () =>
  (await query<{ id: string }>(db, "select id from posts order by id desc offset 300 limit 1"))[0]
    ?.id;

test("home costs a third more at most where three posts in ten are for followers only", async () => {
  const reads = [home(puller), home(lister), newer(puller), newer(lister)];
  const before = [];
  for (const read of reads) before.push(await costOf("buffers", read));
  await query(
    db,
    "update posts set audience = 'followers' where hashtext(id::text) % 10 in (0, 1, 2, -1, -2)",
  );
  await query(db, "vacuum analyze");
  for (const [index, read] of reads.entries()) {
    const now = await costOf("buffers", read);
    expect(now, `read ${index}`).toBeLessThanOrEqual(1.35 * (before[index] ?? 0));
  }
});

test("lists of close friends cost home three rows for each author who has the reader on one", async () => {
  const plain = [await costOf("rowsRead", home(puller)), await costOf("rowsRead", home(lister))];
  await putOnLists(authors, [puller, lister]);
  await query(
    db,
    "update posts set audience = 'close-friends' where audience = 'followers' and number % 2 = 0",
  );
  await query(db, "vacuum analyze");
  for (const [index, reader] of [puller, lister].entries()) {
    const page = await createFeed({ db }).home(reader, null);
    expect(page.items.some(({ audience }) => audience === "close-friends")).toBe(true);
    // on the list of 400: their entries, 300 follows, the newest post of each, then a page as any other
    const rows = await costOf("rowsRead", home(reader));
    expect(rows).toBeGreaterThan((plain[index] ?? 0) + 3 * 300);
    expect(rows).toBeLessThanOrEqual((plain[index] ?? 0) + 3 * 400 + 200);
  }
});

test("being on the lists of very many strangers costs home what is followed, not them", async () => {
  const before = await costOf("rowsRead", home(lister));
  const shown = (await createFeed({ db }).home(lister, null)).items.map(({ id }) => id);
  const strangers = await insertAccounts(db, 3000);
  await putOnLists(strangers, [lister]);
  await query(db, "vacuum analyze");
  const page = await createFeed({ db }).home(lister, null);
  expect(page.items.map(({ id }) => id)).toEqual(shown);
  expect(await costOf("rowsRead", home(lister))).toBeLessThanOrEqual(before + 501 + 300);
});

test("a profile with ten thousand posts for nobody costs a visitor what a plain one does", async () => {
  const [plain, hoarder] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
  await insertPhotoPosts(db, [plain, hoarder], 30);
  await insertTextPosts(db, [plain, hoarder], 30, 31);
  await insertTextPosts(db, [hoarder], 10_000, 101);
  // in several transactions, as when somebody does it: within one, each finds every earlier version of the count
  for (let from = 101; from < 10_101; from += 500) {
    await query(
      db,
      "update posts set audience = 'only-me' where author_id = $1 and number between $2 and $3",
      [hoarder.id, from, from + 499],
    );
  }
  await query(db, "vacuum analyze");
  for (const viewerId of [null, stranger.id]) {
    const asker = viewerId === null ? null : stranger;
    const reads: ((author: Viewer) => (on: Database) => Promise<unknown>)[] = [
      (author) => (on) => textsOf(on, viewerId, tab(author)),
      (author) => (on) => tilesOf(on, viewerId, tab(author)),
      (author) => (on) => profilesOn(on).get(asker, author.id),
    ];
    for (const read of reads) {
      const [least, most] = [
        await costOf("buffers", read(plain)),
        await costOf("buffers", read(hoarder)),
      ];
      expect(most).toBeLessThanOrEqual(2 * least);
    }
    expect(await textsOf(db, viewerId, tab(hoarder))).toHaveLength(21);
  }
});
