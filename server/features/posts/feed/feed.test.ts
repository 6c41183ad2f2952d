import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

async function reader() {
  const [viewer, ada, bob, stranger] = await on.members(4);
  if (!viewer || !ada || !bob || !stranger) throw new Error("nobody came");
  await on.follows.follow(viewer, ada.id);
  await on.follows.follow(viewer, bob.id);
  return { viewer, ada, bob, stranger };
}

describe("the home feed", () => {
  test("has the posts of followed accounts, newest first, not one's own nor strangers'", async () => {
    const { viewer, ada, bob, stranger } = await reader();
    await on.textPost(ada, "1");
    await on.photoPost(bob, "2", ["a bridge"]);
    await on.textPost(stranger, "not followed");
    await on.textPost(viewer, "mine");
    const last = await on.textPost(ada, "3");
    await on.likes.like(viewer, last);
    await on.bookmarks.save(viewer, last);
    const { items, nextCursor } = await on.feed.home(viewer, null);
    expect(items.map(({ caption }) => caption)).toEqual(["3", "2", "1"]);
    expect(nextCursor).toBeNull();
    expect(items[0]).toMatchObject({ liked: true, saved: true, likeCount: 1, mine: false });
    expect(items[1]).toMatchObject({
      author: { id: bob.id, avatar: bob.avatar },
      pictures: [{ alt: "a bridge" }],
    });
  });

  test("shows the two newest comments with their writers, the older one first", async () => {
    const { viewer, ada, bob } = await reader();
    const post = await on.textPost(ada);
    for (const body of ["one", "two", "three"]) await on.comments.add(bob, post, body, null);
    const { items } = await on.feed.home(viewer, null);
    expect(items[0]?.commentCount).toBe(3);
    expect(items[0]?.comments).toMatchObject([
      { body: "two", author: { id: bob.id }, deletable: false },
      { body: "three" },
    ]);
  });

  test("changes with the people one follows", async () => {
    const { viewer, ada, stranger } = await reader();
    await on.textPost(ada, "before");
    await on.textPost(stranger, "new");
    await on.follows.unfollow(viewer, ada.id);
    await on.follows.follow(viewer, stranger.id);
    const { items } = await on.feed.home(viewer, null);
    expect(items.map(({ caption }) => caption)).toEqual(["new"]);
  });

  test("is exact for everybody's rhythm: every post once, in the order of the whole", async () => {
    const { viewer, ada, bob, stranger } = await reader();
    await on.follows.follow(viewer, stranger.id);
    const quiet = await on.members(25);
    const made: string[] = [];
    const post = async (author: typeof ada) => made.push((await on.textPost(author)).postId);
    // 25 people with one post long ago, one who writes all the time, two now and then
    for (const one of quiet) {
      await on.follows.follow(viewer, one.id);
      await post(one);
    }
    for (let i = 0; i < 60; i += 1) {
      await post(ada);
      if (i % 7 === 0) await post(bob);
      if (i % 25 === 0) await post(stranger);
    }
    const feed = await everyPage((cursor) => on.feed.home(viewer, cursor));
    expect(feed.map(({ id }) => id)).toEqual(made.reverse());
  });

  test("is exact when one person wrote nearly everything", async () => {
    const { viewer, ada, bob } = await reader();
    const made: string[] = [];
    for (let i = 0; i < 41; i += 1) made.unshift((await on.textPost(ada)).postId);
    const read = () => everyPage((cursor) => on.feed.home(viewer, cursor));
    expect((await read()).map(({ id }) => id)).toEqual(made);
    made.unshift((await on.textPost(bob)).postId);
    expect((await read()).map(({ id }) => id)).toEqual(made);
  });

  test("continues without gaps or duplicates while posts are added and removed", async () => {
    const { viewer, ada, bob } = await reader();
    const made: string[] = [];
    for (let i = 0; i < 70; i += 1) {
      made.push((await on.textPost(i % 3 ? ada : bob, `${i}`)).postId);
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await on.feed.home(viewer, cursor);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      await on.textPost(ada, "meanwhile");
      const last = page.items.at(-1);
      if (last)
        await on.posts.remove(
          last.author.id === ada.id ? ada : bob,
          last.author.username,
          last.number,
        );
    } while (cursor);
    expect(seen).toEqual(made.reverse());
  });

  test("is empty for somebody new", async () => {
    const viewer = await on.member("New");
    await on.textPost(viewer, "mine");
    expect(await on.feed.home(viewer, null)).toEqual({ items: [], nextCursor: null });
  });
});

describe("posts newer than the first one shown", () => {
  test("are counted: those of followed accounts, not one's own, strangers' or suspended ones'", async () => {
    const { viewer, ada, bob, stranger } = await reader();
    const first = await on.textPost(ada, "first");
    expect(await on.feed.newerCount(viewer, first.postId)).toBe(0);
    await on.textPost(bob);
    const second = await on.textPost(ada);
    await on.textPost(stranger);
    await on.textPost(viewer);
    expect(await on.feed.newerCount(viewer, first.postId)).toBe(2);
    expect(await on.feed.newerCount(viewer, second.postId)).toBe(0);
    await on.suspend(bob);
    expect(await on.feed.newerCount(viewer, first.postId)).toBe(1);
  });

  test("are counted to 99, also from a deleted post on", async () => {
    const { viewer, ada, bob } = await reader();
    const first = await on.textPost(ada);
    await on.posts.remove(ada, ada.username, first.number);
    for (let i = 0; i < 60; i += 1) await on.textPost(i % 2 ? ada : bob);
    expect(await on.feed.newerCount(viewer, first.postId)).toBe(60);
    for (let i = 0; i < 50; i += 1) await on.textPost(i % 2 ? ada : bob);
    expect(await on.feed.newerCount(viewer, first.postId)).toBe(99);
  });

  test("can only be asked for with an id", async () => {
    const { viewer } = await reader();
    await expect(on.feed.newerCount(viewer, "1 or 1=1")).rejects.toMatchObject({
      code: "input-invalid",
    });
  });
});
