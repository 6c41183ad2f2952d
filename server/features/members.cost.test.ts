import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { costOf } from "#server/test/explain.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/*
 * The cost of showing members people and conversations by whom they follow, counted in a small town and in a
 * large one. The member follows 300 people, the newest of whom follow 70 others or 670, and talks with
 * twenty of the sixty oldest, who follow back.
 */
type Town = { db: Database; on: TestFeatures; viewer: Viewer; sent: Sent[]; pairs: number };
type Sent = { text: string; values: readonly unknown[] };

async function town(size: number): Promise<Town> {
  const sent: Sent[] = [];
  const { db } = await freshDatabase((text, values) => void sent.push({ text, values }));
  const on = testFeatures(db);
  const people = await insertAccounts(
    db,
    size,
    (index) => `${index % 4 ? "Bob" : "Anna"} ${index}`,
  );
  const viewer = people[0] as Viewer;
  await insertTextPosts(db, people.slice(0, 800), 1);
  const friends = people.slice(1, 301);
  const found = await on.search.accounts(null, "anna", null);
  await insertFollows(db, [viewer], friends);
  for (const [index, friend] of friends.slice(250).entries()) {
    const first = 301 + ((index * 13) % 59);
    const others = people.slice(first, first + (index % 10 ? 40 : 640));
    const both = new Set([...found.items, ...others].map(({ id }) => id));
    both.delete(friend.id);
    await insertFollows(
      db,
      [friend],
      [...both].map((id) => ({ id })),
    );
  }
  await insertFollows(db, friends.slice(0, 60), [viewer]);
  for (const friend of friends.slice(0, 20)) {
    const said = { body: "hello", picture: null, clientKey: null };
    await on.chat.send(friend, `${viewer.username}.${friend.username}`, said);
  }
  await query(db, "vacuum analyze");
  const [version] = await query<{ old: boolean }>(
    db,
    "select current_setting('server_version_num')::integer < 170000 as old",
  );
  return { db, on, viewer, sent, pairs: version?.old ? limits.knownFollowers : 0 };
}

/** Buffers of all statements of a read, planned for any values. */
async function buffersOf({ db, sent }: Town, read: () => Promise<unknown>): Promise<number> {
  sent.length = 0;
  await read();
  const reads = sent.filter(({ text }) => /^\s*(?:select|with)\b/.test(text));
  let buffers = 0;
  for (const { text, values } of reads) {
    const cost = await costOf(db, "read", { text, values: [...values] }, "generic");
    buffers += cost.buffers;
  }
  return buffers;
}

describe.each([1_000, 15_000])("a member, among %d accounts,", (size) => {
  let there: Town;
  beforeAll(async () => {
    there = await town(size);
  }, 240_000);

  test("finds thirty people for little more than a visitor", async () => {
    const { on, viewer, pairs } = there;
    const find = (who: Viewer | null) => () => on.search.accounts(who, "anna", null);
    const page = await find(viewer)();
    expect(page.items).toHaveLength(limits.accountsPage);
    expect(page.items.some(({ followedBy }) => followedBy !== null)).toBe(true);
    // fifty friends with a name each, a block and a follow for each of thirty, and one look for who follows whom
    const more = 6 * limits.knownFollowers + 6 * limits.accountsPage;
    // PostgreSQL before 17 asks for each pair
    const asked = 3 * pairs * (limits.accountsPage + 1);
    const visitors = await buffersOf(there, find(null));
    expect(await buffersOf(there, find(viewer))).toBeLessThan(visitors + more + asked);
  });

  test("is suggested twelve people, without a probe for each candidate", async () => {
    const { on, viewer, pairs } = there;
    expect(await on.suggestions.list(viewer)).toHaveLength(limits.suggestions);
    // four hundred friends of friends, two hundred newcomers: their counters, and an account for each of
    // them who posted
    const candidates = 3 * 400;
    // before 17, a descent for each of them as well
    const asked = pairs ? 3 * pairs * limits.suggestions + 4 * 600 : 0;
    const buffers = await buffersOf(there, () => on.suggestions.list(viewer));
    expect(buffers).toBeLessThan(candidates + 6 * limits.knownFollowers + 200 + asked);
  });

  test("opens the list of conversations without a query for each followed person", async () => {
    const { on, viewer } = there;
    const { items } = await on.chat.list(viewer, null);
    expect(items.filter(({ last }) => last === null)).toHaveLength(limits.accountsPage);
    // a few look-ups for each conversation shown, and three hundred followed people in order
    const most = 10 * items.length + 100;
    expect(await buffersOf(there, () => on.chat.list(viewer, null))).toBeLessThan(most);
  });

  test("finds people to write to among everybody the member follows, each once", async () => {
    const { db, on } = there;
    const [me] = (await insertAccounts(db, 1)) as [Viewer];
    const followed = await insertAccounts(db, 2 * limits.connectionsAtOnce + 40);
    await insertFollows(db, [me], followed);
    const back = [...followed.slice(0, 35), ...followed.slice(-5)];
    await insertFollows(db, back, [me]);
    const all = await everyPage((cursor) => on.chat.list(me, cursor));
    expect(all.map(({ other }) => other?.id)).toEqual(back.map(({ id }) => id).reverse());
  });
});
