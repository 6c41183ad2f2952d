import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const on = testFeatures(db);
const hour = 3_600_000;
const { perAccount, accountHours } = limits.explore;

// The place is older than its first day.
beforeAll(async () => void (await member(3 * accountHours)));

afterEach(async () => {
  await query(db, "delete from operator_settings");
  await query(db, "delete from posts");
});

/** Somebody who joined that long ago. */
const member = (hours = accountHours + 1) => on.member("Ada Early", Date.now() - hours * hour);

/** Posts that are shown, newest first. */
async function shown(viewer: Viewer | null = null): Promise<string[]> {
  return (await everyPage((cursor) => on.explore.recent(viewer, cursor))).map(({ id }) => id);
}

describe("recent photos", () => {
  test("are everybody's, newest first, with the contents of a tile, and no posts without a photo", async () => {
    const [ada, bob] = [await member(), await member()];
    const first = await on.photoPost(ada, "the harbour");
    await on.textPost(ada);
    const second = await on.photoPost(bob, "", ["one", "two"]);
    expect(await shown()).toEqual([second.postId, first.postId]);
    const { items } = await on.explore.recent(null, null);
    expect(items).toMatchObject([
      { authorUsername: bob.username, number: 1, pictureCount: 2, picture: { alt: "one" } },
      { authorUsername: ada.username, number: 1, pictureCount: 1, caption: "the harbour" },
    ]);
  });

  test("come in pages", async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => member()));
    const posts: string[] = [];
    for (let round = 0; round < perAccount; round += 1) {
      for (const author of people) posts.unshift((await on.photoPost(author)).postId);
    }
    const first = await on.explore.recent(null, null);
    expect(first.items).toHaveLength(limits.gridPage);
    expect(await shown()).toEqual(posts);
  });

  test("include only a few of each account, however often it posts", async () => {
    const [ada, bob] = [await member(), await member()];
    const quiet = await on.photoPost(bob);
    const busy: string[] = [];
    for (let count = 0; count < perAccount + 2; count += 1) {
      busy.unshift((await on.photoPost(ada)).postId);
    }
    expect(await shown()).toEqual([...busy.slice(0, perAccount), quiet.postId]);
  });

  test("are from accounts that are older than a day", async () => {
    const [young, old] = [await member(accountHours - 1), await member(accountHours + 1)];
    await on.photoPost(young);
    const { postId } = await on.photoPost(old);
    expect(await shown()).toEqual([postId]);
  });

  test("are from everybody of the first day that there were any, and later ones wait", async () => {
    const fresh = testFeatures((await freshDatabase()).db);
    const recent = async () => (await fresh.explore.recent(null, null)).items.map(({ id }) => id);
    expect(await recent()).toEqual([]);
    const joined = (hoursAgo: number) => fresh.member("Eve Early", Date.now() - hoursAgo * hour);
    const first = await fresh.photoPost(await joined(accountHours + 2));
    const same = await fresh.photoPost(await joined(3));
    await fresh.photoPost(await joined(1));
    expect(await recent()).toEqual([same.postId, first.postId]);
    const keys = [first, same].map(({ author, postId }) => ({ authorId: author.id, id: postId }));
    expect(await fresh.explore.among(keys)).toEqual(new Set([first.postId, same.postId]));
  });

  test("exclude people who turned it off, until they turn it on", async () => {
    const ada = await member();
    const { postId } = await on.photoPost(ada);
    await on.settings.change(ada, { showInExplore: false });
    expect(await shown()).toEqual([]);
    expect(await shown(await on.member("Bob Reader"))).toEqual([]);
    await on.settings.change(ada, { showInExplore: true });
    expect(await shown()).toEqual([postId]);
  });

  test("go with the post, and the previous one takes its place", async () => {
    const ada = await member();
    const posts: number[] = [];
    for (let count = 0; count < perAccount + 1; count += 1) {
      posts.unshift((await on.photoPost(ada)).number);
    }
    await on.posts.remove(ada, ada.username, posts[0] ?? 0);
    const { items } = await on.explore.recent(null, null);
    expect(items.map(({ number }) => number)).toEqual(posts.slice(1));
  });

  test("disappear when a post loses its photos, and appear when one gets a photo", async () => {
    const ada = await member();
    const { number, postId } = await on.photoPost(ada, "only words now");
    await on.posts.edit(ada, ada.username, number, { version: 0, pictures: [] });
    expect(await shown()).toEqual([]);
    const pictures = [{ imageId: await on.upload(ada), alt: "" }];
    await on.posts.edit(ada, ada.username, number, { version: 1, pictures });
    expect(await shown()).toEqual([postId]);
  });

  test("exclude suspended and deleted accounts", async () => {
    const [ada, bob] = [await member(), await member()];
    await on.photoPost(ada);
    await on.photoPost(bob);
    await on.suspend(ada);
    expect(await shown()).toHaveLength(1);
    await on.deletion.requestFor(bob.id, 0);
    expect(await shown()).toEqual([]);
    await on.deletion.deleteAccount(bob.id);
    const entries = "select 1 from recent_photos where author_id = $1";
    expect(await query(db, entries, [bob.id])).toEqual([]);
  });

  test("leave out people whom the reader blocked or muted or who blocked the reader, for that reader only", async () => {
    const [reader, ...people] = [await member(), await member(), await member(), await member()];
    const [blocked, blocking, muted] = people as [Viewer, Viewer, Viewer];
    for (const author of people) await on.photoPost(author);
    await on.blocks.block(reader, blocked.id);
    await on.blocks.block(blocking, reader.id);
    await on.blocks.mute(reader, muted.id);
    expect(await shown(reader)).toEqual([]);
    expect(await shown()).toHaveLength(3);
  });
});

describe("the operator", () => {
  test("removes one, and the previous one takes its place; allows it again", async () => {
    const ada = await member();
    const posts: string[] = [];
    for (let count = 0; count < perAccount + 1; count += 1) {
      posts.unshift((await on.photoPost(ada)).postId);
    }
    const ref = { authorId: ada.id, postId: posts[1] ?? "" };
    await on.explore.setHidden(ref, true);
    expect(await shown()).toEqual(posts.filter((_id, index) => index !== 1));
    expect((await on.posts.photosOf(null, ada.id, null)).items).toHaveLength(posts.length);
    await on.explore.setHidden(ref, false);
    expect(await shown()).toEqual(posts.slice(0, perAccount));
  });

  test.each([
    ["everyone", 1, 1, 1],
    ["members", 0, 0, 1],
    ["nobody", 0, 0, 0],
  ])("shows them to %s", async (mode, onLanding, toVisitors, toMembers) => {
    const ada = await member();
    await on.photoPost(ada);
    await on.operatorSettings.set("explore", mode);
    expect((await on.explore.landing()).photos).toHaveLength(onLanding);
    expect(await shown()).toHaveLength(toVisitors);
    expect(await shown(ada)).toHaveLength(toMembers);
  });

  test("shows what the site is called", async () => {
    const { name, line, signUp } = await on.explore.landing();
    expect([name, signUp]).toEqual(["Postcard", "open"]);
    expect(line).toContain("photo network");
    await on.operatorSettings.set("site-name", "  Harbour\nStreet ");
    await on.operatorSettings.set("site-line", "Our own little photo network.");
    await on.operatorSettings.set("sign-up", "closed");
    expect(await on.explore.landing()).toMatchObject({
      name: "Harbour Street",
      line: "Our own little photo network.",
      signUp: "closed",
    });
  });
});
