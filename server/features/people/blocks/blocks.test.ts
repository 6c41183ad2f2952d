import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

async function pair(): Promise<[Viewer, Viewer]> {
  return [await on.member("Ada"), await on.member("Bob")];
}

const usernames = async (list: (cursor: string | null) => ReturnType<typeof on.blocks.blocked>) =>
  (await everyPage(list)).map(({ username }) => username);
const blockedBy = (viewer: Viewer) => usernames((cursor) => on.blocks.blocked(viewer, cursor));
const mutedBy = (viewer: Viewer) => usernames((cursor) => on.blocks.muted(viewer, cursor));

describe("a block", () => {
  test("ends follows in both directions, with correct counts", async () => {
    const [ada, bob] = await pair();
    const cleo = await on.member("Cleo");
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
      [cleo, ada],
      [bob, cleo],
    ] as const) {
      await on.follows.follow(one, other.id);
    }
    expect(await on.blocks.block(ada, bob.id)).toEqual({ blocked: true });
    expect(await on.blocks.block(ada, bob.id.toUpperCase())).toEqual({ blocked: true });
    const countsOf = async ({ id }: Viewer) => (await on.profiles.get(null, id))?.counts;
    expect(await countsOf(ada)).toEqual({ posts: 0, photos: 0, followers: 1, following: 0 });
    expect(await countsOf(bob)).toEqual({ posts: 0, photos: 0, followers: 0, following: 1 });
    expect(await reconcileCounters(db)).toEqual([]);
    expect(await blockedBy(ada)).toEqual([bob.username]);
    expect(await blockedBy(bob)).toEqual([]);
  });

  test("lets the one who blocked find the other by name or id, and nobody else", async () => {
    const [ada, bob] = await pair();
    const found = (viewer: Viewer, { id, username }: Viewer) =>
      Promise.all([
        on.blocks.find(viewer, { id }),
        on.blocks.find(viewer, { username: username.toUpperCase() }),
      ]);
    expect(await found(ada, bob)).toEqual([null, null]);
    await on.blocks.block(ada, bob.id);
    expect(await found(ada, bob)).toMatchObject([{ id: bob.id }, { id: bob.id }]);
    for (const username of ["", "%", bob.username.slice(0, -1), "x".repeat(500), "\0"]) {
      expect(await on.blocks.find(ada, { username }), username).toBeNull();
    }
    expect(await on.blocks.find(ada, { id: "1" })).toBeNull();
    expect(await found(bob, ada)).toEqual([null, null]);
    expect(await found(await on.member("Cleo"), bob)).toEqual([null, null]);
  });

  test("refuses a follow in either direction as if the other did not exist", async () => {
    const [ada, bob] = await pair();
    await on.blocks.block(ada, bob.id);
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      await expect(on.follows.follow(one, other.id)).rejects.toMatchObject({ code: "not-found" });
      await expect(on.follows.unfollow(one, other.id)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("is not revealed by blocking back", async () => {
    const [ada, bob] = await pair();
    await on.blocks.block(ada, bob.id);
    const nobody = "00000000-0000-7000-8000-000000000000";
    for (const id of [ada.id, nobody]) {
      await expect(on.blocks.block(bob, id)).rejects.toMatchObject({ code: "not-found" });
      await expect(on.blocks.mute(bob, id)).rejects.toMatchObject({ code: "not-found" });
      expect(await on.blocks.unblock(bob, id)).toEqual({ blocked: false });
    }
    expect(await on.profiles.get(bob, ada.id), "another's unblock lifts nothing").toBeNull();
  });

  test("ends with an unblock; comments are there again, the follows are not", async () => {
    const [ada, bob] = await pair();
    const post = await on.textPost(ada);
    await on.follows.follow(bob, ada.id);
    await on.likes.like(bob, post);
    await on.comments.add(bob, post, "still here", null);
    await on.blocks.block(ada, bob.id);
    expect(await on.blocks.unblock(ada, bob.id)).toEqual({ blocked: false });
    expect(await on.blocks.unblock(ada, bob.id)).toEqual({ blocked: false });
    expect((await on.comments.list(ada, post, null)).items).toMatchObject([{ body: "still here" }]);
    expect(await on.posts.get(bob, ada.username, 1)).toMatchObject({ liked: true, likeCount: 1 });
    expect(await on.profiles.get(bob, ada.id)).toMatchObject({ following: false });
    expect(await blockedBy(ada)).toEqual([]);
    expect(
      await query(db, "select 1 from blocks where account_id = any($1)", [[ada.id, bob.id]]),
    ).toEqual([]);
  });

  test("of oneself or of nobody is refused", async () => {
    const ada = await on.member();
    const { block, unblock, mute, unmute } = on.blocks;
    for (const work of [block, unblock, mute, unmute]) {
      await expect(work(ada, ada.id.toUpperCase())).rejects.toMatchObject({ code: "self-block" });
      await expect(work(ada, "a\u0000")).rejects.toMatchObject({ code: "not-found" });
    }
    const gone = await on.member();
    await on.suspend(gone);
    await expect(on.blocks.block(ada, gone.id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("lists everybody once, latest first, over pages", async () => {
    const ada = await on.member();
    const people = await insertAccounts(db, 70);
    for (const { id } of people) await on.blocks.block(ada, id);
    expect(await blockedBy(ada)).toEqual(people.map(({ username }) => username).reverse());
  });
});

describe("many at once", () => {
  test("blocks and follows of the same two leave either a follow or a block, and correct counts", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [ada, bob] = (await insertAccounts(db, 2)) as [Viewer, Viewer];
      await insertFollows(db, [ada], [bob]);
      await Promise.allSettled([
        on.blocks.block(ada, bob.id),
        on.follows.follow(bob, ada.id),
        on.blocks.block(bob, ada.id),
        on.follows.follow(ada, bob.id),
        on.follows.follow(bob, ada.id),
      ]);
      const follows = await query(
        db,
        "select 1 from follows where follower_id = any($1) and followee_id = any($1)",
        [[ada.id, bob.id]],
      );
      expect(follows, "a follow that waited for the block").toEqual([]);
      expect(
        (await on.blocks.blocked(ada, null)).items.length +
          (await on.blocks.blocked(bob, null)).items.length,
      ).toBe(1);
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

describe("a mute", () => {
  test("keeps somebody's posts out of the feed and of what is new, and nothing else", async () => {
    const [ada, bob] = await pair();
    const cleo = await on.member("Cleo");
    for (const { id } of [bob, cleo]) await on.follows.follow(ada, id);
    const first = await on.textPost(cleo, "from Cleo");
    await on.textPost(bob, "from Bob");
    const captions = async () =>
      (await on.feed.home(ada, null)).items.map(({ caption }) => caption);
    expect(await captions()).toEqual(["from Bob", "from Cleo"]);
    expect(await on.feed.newerCount(ada, first.postId)).toBe(1);

    expect(await on.blocks.mute(ada, bob.id)).toEqual({ muted: true });
    expect(await on.blocks.mute(ada, bob.id)).toEqual({ muted: true });
    expect(await captions()).toEqual(["from Cleo"]);
    expect(await on.feed.newerCount(ada, first.postId)).toBe(0);
    expect(await on.profiles.get(ada, bob.id)).toMatchObject({ muted: true, following: true });
    expect((await on.posts.textsOf(ada, bob.id, null)).items).toHaveLength(1);
    expect(await mutedBy(ada)).toEqual([bob.username]);

    // nobody else notices
    expect(await on.profiles.get(bob, ada.id)).toMatchObject({ muted: false, followsViewer: true });
    expect(await mutedBy(bob)).toEqual([]);

    expect(await on.blocks.unmute(ada, bob.id)).toEqual({ muted: false });
    expect(await captions()).toEqual(["from Bob", "from Cleo"]);
  });

  test("may end by itself, everywhere at once, and lasts when it is made anew", async () => {
    const [ada, bob] = await pair();
    await on.follows.follow(ada, bob.id);
    await on.textPost(bob, "from Bob");
    const seen = async () => ({
      feed: (await on.feed.home(ada, null)).items.filter(({ mine }) => !mine).length,
      profile: (await on.profiles.get(ada, bob.id))?.muted,
      relation: (await on.relations.relations(ada, [bob.id]))[0]?.muting,
      list: await mutedBy(ada),
    });
    const before = { feed: 1, profile: false, relation: false, list: [] };
    const begun = Date.now();
    await on.blocks.mute(ada, bob.id, 3600);
    const muted = { feed: 0, profile: true, relation: true, list: [bob.username] };
    expect(await seen()).toEqual(muted);
    const told = async () =>
      (await on.notifications.list(ada, "all", null)).items.map(({ kind }) => kind);
    await on.comments.add(bob, await on.textPost(ada), "Unheard", null);
    expect(await told()).toEqual([]);
    const until = (await on.blocks.muted(ada, null)).items[0]?.until ?? 0;
    expect(until).toBeGreaterThanOrEqual(begun + 3_600_000);
    expect(until).toBeLessThanOrEqual(Date.now() + 3_600_000);
    const rows = () => query(db, "select ends_at from mutes where account_id = $1", [ada.id]);
    const end = "update mutes set ends_at = now() - interval '1 second' where account_id = $1";
    await query(db, end, [ada.id]);
    expect(await seen()).toEqual(before);
    expect(await rows()).toHaveLength(1);
    await on.comments.add(bob, await on.textPost(ada), "Back again", null);
    expect(await told()).toEqual(["comment"]);
    await on.blocks.sweep();
    expect(await rows()).toEqual([]);

    await on.blocks.mute(ada, bob.id, 60);
    await on.blocks.mute(ada, bob.id);
    await on.blocks.sweep();
    expect(await seen()).toEqual(muted);
    expect((await on.blocks.muted(ada, null)).items).toMatchObject([{ until: null }]);
    for (const seconds of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, limits.muteSeconds + 1])
      await expect(on.blocks.mute(ada, bob.id, seconds)).rejects.toMatchObject({
        code: "input-invalid",
      });
    expect(await rows()).toEqual([{ ends_at: null }]);
  });

  test("of somebody who is blocked later is there again after the block", async () => {
    const [ada, bob] = await pair();
    await on.blocks.mute(ada, bob.id);
    await on.blocks.block(ada, bob.id);
    expect(await mutedBy(ada)).toEqual([]);
    await on.blocks.unblock(ada, bob.id);
    expect(await mutedBy(ada)).toEqual([bob.username]);
  });
});

test("a comment under the post of somebody who blocked its author is shown to nobody", async () => {
  const [ada, bob] = await pair();
  const cleo = await on.member("Cleo");
  const post = await on.textPost(ada);
  await on.comments.add(cleo, post, "kind words", null);
  await on.comments.add(bob, post, "unkind words", null);
  await on.blocks.block(ada, bob.id);
  for (const reader of [ada, cleo, null]) {
    const read = [
      await on.comments.list(reader, post, null),
      await on.posts.get(reader, ada.username, 1),
    ];
    expect(JSON.stringify(read)).toContain("kind words");
    expect(JSON.stringify(read)).not.toContain("unkind words");
  }
  // the stored count stays that of the rows
  expect(await on.posts.get(cleo, ada.username, 1)).toMatchObject({ commentCount: 2 });
});
