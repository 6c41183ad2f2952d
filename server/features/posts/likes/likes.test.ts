import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;
let sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
});

describe("liking", () => {
  test("counts each person once, and shows everybody their own like", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    expect(await on.likes.like(bob, post)).toEqual({ liked: true, likeCount: 1 });
    expect(await on.likes.like(bob, post)).toEqual({ liked: true, likeCount: 1 });
    expect(await on.likes.like(ada, post)).toEqual({ liked: true, likeCount: 2 });
    expect(await on.likes.unlike(ada, post)).toEqual({ liked: false, likeCount: 1 });
    expect(await on.likes.unlike(ada, post)).toEqual({ liked: false, likeCount: 1 });
    const seenBy = async (viewer: typeof ada | null) => {
      const seen = await on.posts.get(viewer, ada.username, 1);
      return [seen?.liked, seen?.likeCount];
    };
    expect(await seenBy(bob)).toEqual([true, 1]);
    expect(await seenBy(ada)).toEqual([false, 1]);
    expect(await seenBy(null)).toEqual([false, 1]);
  });

  test("is two statements of a transaction, by key and by address: the like, and the notification of its author", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    for (const at of [post, { address: ada.username, number: post.number }]) {
      for (const act of [on.likes.like, on.likes.unlike]) {
        for (const again of [false, true]) {
          sent = [];
          await act(bob, at);
          expect(sent.slice(1, -1)).toHaveLength(again ? 1 : 2);
          expect([sent[0], sent.at(-1)]).toEqual(["begin", "commit"]);
        }
        const { items } = await on.notifications.list(ada, "all", null);
        expect(items.length).toBe(act === on.likes.like ? 1 : 0);
      }
    }
  });

  test("of a post that is locked waits, and notifies once", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    const holder = await db.pool.connect();
    await holder.query("begin");
    await holder.query("select from posts where author_id = $1 for no key update", [ada.id]);
    sent = [];
    const liked = on.likes.like(bob, { address: ada.username, number: post.number });
    await expect.poll(() => sent.at(-1)).toContain('insert into "likes"');
    await holder.query("update posts set like_count = like_count + 1 where author_id = $1", [
      ada.id,
    ]);
    await holder.query("commit");
    holder.release();
    // what was counted meanwhile is included
    expect(await liked).toEqual({ liked: true, likeCount: 2 });
    await query(db, "update posts set like_count = like_count - 1 where author_id = $1", [ada.id]);
    expect((await on.notifications.list(ada, "all", null)).items).toHaveLength(1);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("several members' four at once each end with counts and notifications that match the likes", async () => {
    const ada = await on.member("Ada");
    const post = await on.textPost(ada);
    const people = await insertAccounts(db, 6);
    const { like, unlike } = on.likes;
    for (const acts of [
      [like, unlike, like, unlike],
      [unlike, like, unlike, like],
      [like, like, unlike, unlike],
    ]) {
      await Promise.all(people.flatMap((one) => acts.map((act) => act(one, post))));
      const notified =
        "select actor_id as id from notification_acts where account_id = $1 order by 1";
      const liking = "select account_id as id from likes where author_id = $1 order by 1";
      const likes = await query(db, liking, [ada.id]);
      expect(await query(db, notified, [ada.id])).toEqual(likes);
      expect((await on.posts.get(null, ada.username, 1))?.likeCount).toBe(likes.length);
      expect(await reconcileCounters(db)).toEqual([]);
    }
    await Promise.all(people.map((one) => unlike(one, post)));
    expect((await on.notifications.list(ada, "all", null)).items).toEqual([]);
  });

  test("is refused at an unknown address and across a block", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    const at = { address: ada.username, number: post.number };
    await on.blocks.block(ada, bob.id);
    const places = [
      at,
      { ...at, address: "nobody_is_here" },
      { ...at, number: 2 },
      { ...at, number: 0 },
    ];
    for (const place of places) {
      await expect(on.likes.like(bob, place)).rejects.toMatchObject({ code: "not-found" });
      await expect(on.likes.unlike(bob, place)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("50 people at once, twice each, are 50 likes, and none after they change their minds", async () => {
    const post = await on.textPost(await on.member());
    const people = await insertAccounts(db, 50);
    const twice = [...people, ...people];
    await Promise.all(twice.map((one) => on.likes.like(one, post)));
    const count = async () => (await on.posts.get(null, post.author.username, 1))?.likeCount;
    expect(await count()).toBe(50);
    await Promise.all(
      twice.map((one, i) => (i % 2 ? on.likes.unlike(one, post) : on.likes.like(one, post))),
    );
    expect(await reconcileCounters(db)).toEqual([]);
    await Promise.all(twice.map((one) => on.likes.unlike(one, post)));
    expect(await count()).toBe(0);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("lists who likes a post, newest first, without hidden people", async () => {
    const [ada, bob, cleo, dan] = await on.members(4);
    if (!ada || !bob || !cleo || !dan) throw new Error("four people were asked for");
    const post = await on.textPost(ada);
    for (const one of [bob, cleo, dan]) await on.likes.like(one, post);
    await on.follows.follow(bob, dan.id);
    const seenBy = async (viewer: typeof ada | null) =>
      (await on.likes.list(viewer, post, null)).items.map(({ id }) => id);
    const { items, nextCursor } = await on.likes.list(bob, post, null);
    expect(items.map(({ id, following }) => [id, following])).toEqual([
      [dan.id, true],
      [cleo.id, false],
      [bob.id, false],
    ]);
    expect(nextCursor).toBeNull();

    await on.blocks.block(bob, cleo.id);
    expect(await seenBy(bob)).toEqual([dan.id, bob.id]);
    expect(await seenBy(null)).toEqual([dan.id, cleo.id, bob.id]);
    // a block between a commenter and somebody who likes the post: as under its comments, for everybody
    await on.blocks.block(ada, cleo.id);
    await on.suspend(dan);
    expect(await seenBy(null)).toEqual([bob.id]);
    expect((await on.posts.get(null, ada.username, 1))?.likeCount).toBe(3);
  });

  test("lists them page by page, each person once", async () => {
    const post = await on.textPost(await on.member());
    const people = await insertAccounts(db, 35);
    for (const one of people) await on.likes.like(one, post);
    const first = await on.likes.list(null, post, null);
    const second = await on.likes.list(null, post, first.nextCursor);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([30, 5, null]);
    const listed = [...first.items, ...second.items].map(({ id }) => id);
    expect(listed).toEqual(people.map(({ id }) => id).toReversed());
    await expect(on.likes.list(null, post, "nonsense")).rejects.toMatchObject({
      code: "input-invalid",
    });
  });

  test("of a missing post is refused", async () => {
    const [ada, gone] = [await on.member(), await on.member()];
    const post = await on.textPost(ada);
    const suspended = await on.textPost(gone);
    await on.suspend(gone);
    const wrong = [
      { ...post, authorId: gone.id },
      { ...post, postId: "x" },
      { ...post, authorId: "\u0000" },
      suspended,
    ];
    for (const ref of wrong) {
      const refused = { code: "not-found" };
      await expect(on.likes.like(ada, ref)).rejects.toMatchObject(refused);
      await expect(on.likes.unlike(ada, ref)).rejects.toMatchObject(refused);
      await expect(on.likes.list(ada, ref, null)).rejects.toMatchObject(refused);
    }
  });
});
