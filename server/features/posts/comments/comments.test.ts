import { describe, expect, test } from "vitest";
import { newId } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { insert } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type MadePost } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const on = testFeatures(db);
const ada = await on.member("Ada");
const bob = await on.member("Bob");
const cleo = await on.member("Cleo");

const bodies = async (post: MadePost) =>
  (await everyPage((cursor) => on.comments.list(null, post, cursor))).map(({ body }) => body);
const countOf = async (post: MadePost) =>
  (await on.posts.get(null, post.author.username, post.number))?.commentCount;

describe("commenting", () => {
  test("shows comments oldest first with their writers and who may delete them", async () => {
    const post = await on.textPost(ada);
    const added = await on.comments.add(bob, post, "  שלום 👋🏽\r\nline two ", null);
    expect(added).toMatchObject({
      body: "שלום 👋🏽\nline two",
      author: { id: bob.id, name: "Bob", username: bob.username },
      deletable: true,
    });
    await on.comments.add(cleo, post, "second", null);
    const seenBy = async (viewer: Viewer | null) =>
      (await on.comments.list(viewer, post, null)).items.map((one) => [one.body, one.deletable]);
    const first = "שלום 👋🏽\nline two";
    expect(await seenBy(bob)).toEqual([
      [first, true],
      ["second", false],
    ]);
    expect(await seenBy(ada)).toEqual([
      [first, true],
      ["second", true],
    ]);
    expect(await seenBy(null)).toEqual([
      [first, false],
      ["second", false],
    ]);
    expect(await countOf(post)).toBe(2);
  });

  test.each(["", "  \n ", "\u0000", "\u200b"])("needs words (%j)", async (body) => {
    const post = await on.textPost(ada);
    await expect(on.comments.add(bob, post, body, null)).rejects.toMatchObject({
      code: "input-invalid",
      fields: { body: "required*" },
    });
    expect(await countOf(post)).toBe(0);
  });

  test("takes 1,000 characters and says by how many it is too long", async () => {
    const post = await on.textPost(ada);
    await on.comments.add(bob, post, "👨‍👩‍👧‍👦".repeat(1000), null);
    await expect(on.comments.add(bob, post, "x".repeat(1250), null)).rejects.toMatchObject({
      fields: { body: "A comment can have 1,000 characters; this is 250 too many." },
    });
    await expect(
      on.comments.add(bob, post, `a${"\u0301".repeat(30_000)}`, null),
    ).rejects.toMatchObject({ code: "input-invalid" });
    expect(await countOf(post)).toBe(1);
  });

  test("sent again with the same key is one comment, also when sent at once", async () => {
    const post = await on.textPost(ada);
    const sent = Array.from({ length: 8 }, () => on.comments.add(bob, post, "Once", "key"));
    expect(new Set((await Promise.all(sent)).map(({ id }) => id)).size).toBe(1);
    await on.comments.add(cleo, post, "Mine", "key");
    await on.comments.add(bob, post, "Twice", "another");
    expect(await bodies(post)).toEqual(["Once", "Mine", "Twice"]);
    expect(await countOf(post)).toBe(3);
  });

  test("40 at once are 40, in the order of their ids", async () => {
    const post = await on.textPost(ada);
    const sent = Array.from({ length: 40 }, (_, i) => on.comments.add(bob, post, `${i}`, null));
    await Promise.all(sent);
    const listed = await everyPage((cursor) => on.comments.list(null, post, cursor));
    expect(listed).toHaveLength(40);
    const ids = listed.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted());
    const times = listed.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(await countOf(post)).toBe(40);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("pages without gaps or duplicates while comments come and go", async () => {
    const post = await on.textPost(ada);
    const made = [];
    for (let i = 0; i < 70; i += 1) made.push(await on.comments.add(bob, post, `${i}`, null));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page = await on.comments.list(null, post, cursor);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      if (cursor) await on.comments.remove(ada, post, seen.at(-1) as string);
    } while (cursor);
    expect(seen).toEqual(made.map(({ id }) => id));
    await on.comments.add(bob, post, "last", null);
    expect((await bodies(post)).at(-1)).toBe("last");
  });
});

describe("deleting a comment", () => {
  test("is for its writer and the post's author", async () => {
    const post = await on.textPost(ada);
    const [one, two] = [
      await on.comments.add(bob, post, "one", null),
      await on.comments.add(bob, post, "two", null),
    ];
    await expect(on.comments.remove(cleo, post, one.id)).rejects.toMatchObject({
      code: "not-yours",
    });
    await on.comments.remove(bob, post, one.id);
    await on.comments.remove(ada, post, two.id);
    for (const id of [one.id, "x", "00000000-0000-7000-8000-000000000000"]) {
      await expect(on.comments.remove(ada, post, id)).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await bodies(post)).toEqual([]);
    expect(await countOf(post)).toBe(0);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("by its writer twice at once subtracts it once", async () => {
    const post = await on.textPost(ada);
    await on.comments.add(cleo, post, "stays", null);
    const { id } = await on.comments.add(bob, post, "goes", null);
    const both = [on.comments.remove(bob, post, id), on.comments.remove(ada, post, id)];
    const settled = await Promise.allSettled(both);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await countOf(post)).toBe(1);
  });

  test("of another post under this one's address is refused", async () => {
    const [post, other] = [await on.textPost(ada), await on.textPost(cleo)];
    const { id } = await on.comments.add(bob, other, "over there", null);
    await expect(on.comments.remove(ada, post, id)).rejects.toMatchObject({ code: "not-found" });
    expect(await countOf(other)).toBe(1);
  });
});

test("comments on a missing post are refused", async () => {
  const post = await on.textPost(ada);
  await on.posts.remove(ada, ada.username, post.number);
  for (const ref of [post, { ...post, postId: "x" }, { ...post, authorId: bob.id }]) {
    const refused = { code: "not-found" };
    await expect(on.comments.add(bob, ref, "hello", null)).rejects.toMatchObject(refused);
    await expect(on.comments.list(bob, ref, null)).rejects.toMatchObject(refused);
  }
});

test("says which of many comments still exist, in responses that continue from one another", async () => {
  const post = await on.textPost(ada);
  const ids = Array.from({ length: limits.standingComments + 2 }, () => newId());
  await insert(db, "comments", {
    author_id: ids.map(() => ada.id),
    post_id: ids.map(() => post.postId),
    id: ids,
    account_id: ids.map(() => bob.id),
    body: ids.map(() => "one of many"),
  });
  await query(db, "update posts set comment_count = $2 where id = $1", [post.postId, ids.length]);
  const [from, to, gone, last] = [ids[1], ids.at(-1), ids[2], ids.at(-2)] as [
    string,
    string,
    string,
    string,
  ];
  await on.comments.remove(ada, post, gone);
  const first = await on.comments.standing(cleo, post, { from, to });
  expect(first).toEqual({ ids: [from, ...ids.slice(3)], to });
  await on.comments.add(cleo, post, "and one more", null);
  const all = { from: ids[0] as string, to: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
  const full = await on.comments.standing(cleo, post, all);
  expect([full.ids.length, full.to]).toEqual([limits.standingComments, last]);
  const rest = await on.comments.standing(cleo, post, { ...all, from: full.to });
  expect([rest.ids.length, rest.to]).toEqual([3, all.to]);
  await expect(on.comments.standing(cleo, post, { from: "x", to })).rejects.toMatchObject({
    code: "not-found",
  });
});

const edit = async (post: MadePost, commentsFrom: "everyone" | "following" | "nobody") => {
  const { version = 0 } = (await on.posts.get(ada, post.author.username, post.number)) ?? {};
  await on.posts.edit(post.author, post.author.username, post.number, { version, commentsFrom });
};
const view = async (post: MadePost, viewer: Viewer | null) => {
  const found = await on.posts.get(viewer, post.author.username, post.number);
  return [found?.commentsFrom, found?.canComment];
};
const refused = (viewer: Viewer, post: MadePost, code: string, replyTo: string | null = null) =>
  expect(on.comments.add(viewer, post, "Hello", null, replyTo)).rejects.toMatchObject({ code });

describe("the author decides who comments", () => {
  test("everyone can comment unless the post says otherwise", async () => {
    const post = await on.textPost(ada);
    for (const viewer of [ada, bob, null]) {
      expect(await view(post, viewer)).toEqual(["everyone", true]);
    }
  });

  test("closed: what is there stays to be read, nothing and no reply comes, but the author's own", async () => {
    const post = await on.publish(ada, { caption: "Open", commentsFrom: "everyone" });
    const first = await on.comments.add(bob, post, "First", null);
    await edit(post, "nobody");
    for (const viewer of [bob, cleo]) {
      expect(await view(post, viewer)).toEqual(["nobody", false]);
      await refused(viewer, post, "comments-closed");
      await refused(viewer, post, "comments-closed", first.id);
    }
    expect(await view(post, null)).toEqual(["nobody", false]);
    expect(await view(post, ada)).toEqual(["nobody", true]);
    await on.comments.add(ada, post, "Mine", null, first.id);
    // Existing comments can still be edited by their writers, and liked by anybody.
    await on.comments.edit(bob, post, first.id, "First of all");
    await on.commentLikes.like(cleo, post, first.id);
    expect((await on.comments.list(cleo, post, null)).items).toMatchObject([
      { body: "First of all", likeCount: 1, replies: { items: [{ body: "Mine" }] } },
    ]);
    expect(await countOf(post)).toBe(2);
    await edit(post, "everyone");
    await on.comments.add(cleo, post, "Again", null);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("for people the author follows: only those, as long as the author follows them", async () => {
    const [writer, followed, follower] = [await on.member(), await on.member(), await on.member()];
    await on.follows.follow(writer, followed.id);
    await on.follows.follow(follower, writer.id);
    const post = await on.publish(writer, { caption: "Friends", commentsFrom: "following" });
    expect(await view(post, followed)).toEqual(["following", true]);
    expect(await view(post, writer)).toEqual(["following", true]);
    for (const viewer of [follower, null]) {
      expect(await view(post, viewer)).toEqual(["following", false]);
    }
    await on.comments.add(followed, post, "Hello", null);
    await on.comments.add(writer, post, "Hello yourself", null);
    await refused(follower, post, "comments-limited");
    await on.follows.unfollow(writer, followed.id);
    await refused(followed, post, "comments-limited");
  });

  test("a comment sent again after they were closed is the existing one", async () => {
    const post = await on.textPost(ada);
    const sent = await on.comments.add(bob, post, "Once", "before closing");
    await edit(post, "nobody");
    const again = await on.comments.add(bob, post, "Once", "before closing");
    expect(again.id).toBe(sent.id);
    await expect(on.comments.add(cleo, post, "Once", "before closing")).rejects.toMatchObject({
      code: "comments-closed",
    });
    expect(await bodies(post)).toEqual(["Once"]);
  });

  test("who comments while they are being closed is either there or refused, never both", async () => {
    const post = await on.textPost(ada);
    const closing = edit(post, "nobody");
    const sent = await Promise.allSettled(
      Array.from({ length: 12 }, (_, at) => on.comments.add(bob, post, `${at}`, null)),
    );
    await closing;
    const taken = sent.filter(({ status }) => status === "fulfilled");
    for (const each of sent) {
      if (each.status === "rejected")
        expect(each.reason).toMatchObject({ code: "comments-closed" });
    }
    expect(await bodies(post)).toHaveLength(taken.length);
    await refused(bob, post, "comments-closed");
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("changing it is an edit without a mark; sent again, it changes nothing", async () => {
    const post = await on.textPost(ada);
    const { username } = ada;
    for (let times = 0; times < 2; times += 1) {
      await on.posts.edit(ada, username, post.number, { version: 0, commentsFrom: "nobody" });
    }
    expect(await on.posts.get(bob, username, post.number)).toMatchObject({
      version: 1,
      editedAt: null,
    });
    await expect(
      on.posts.edit(bob, username, post.number, { version: 1, commentsFrom: "everyone" }),
    ).rejects.toMatchObject({ code: "not-yours" });
    await expect(
      on.posts.edit(ada, username, post.number, { version: 1, commentsFrom: "friends" as never }),
    ).rejects.toMatchObject({ code: "input-invalid" });
    expect(await view(post, bob)).toEqual(["nobody", false]);
  });

  test("programs that use the whole-array calls are refused the same way", async () => {
    const post = await on.publish(ada, { caption: "Quiet", commentsFrom: "nobody" });
    const sent = { author: ada.username, postId: post.number, comment: "Hello" };
    await expect(on.threads.add(bob, sent)).rejects.toMatchObject({ code: "comments-closed" });
    await on.threads.add(ada, { ...sent, comment: "Only me" });
    expect(await bodies(post)).toEqual(["Only me"]);
  });
});
