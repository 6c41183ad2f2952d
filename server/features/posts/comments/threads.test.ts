import { describe, expect, test } from "vitest";
import { describeIn } from "#server/features/talk/index.ts";
import { newId, timeOf } from "#server/platform/db/ids.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type MadePost } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { notificationPath } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const on = testFeatures(db);
const ada = await on.member("Ada");
const bob = await on.member("Bob");
const cleo = await on.member("Cleo");

const say = (who: Viewer, post: MadePost, body: string, replyTo: string | null = null) =>
  on.comments.add(who, post, body, null, replyTo);
const threads = async (post: MadePost, viewer: Viewer | null = null) =>
  (await on.comments.list(viewer, post, null)).items.map(({ body, replies }) => [
    body,
    replies.items.map((reply) => reply.body),
  ]);
const countOf = async (post: MadePost) =>
  (await on.posts.get(null, post.author.username, post.number))?.commentCount;
const nothing = () => Promise.resolve();
async function notificationsOf(who: Viewer): Promise<string[]> {
  const { items } = await on.notifications.list(who, "all", null);
  return items.map((view) => describeIn("en", view));
}

describe("a reply", () => {
  test("is placed under the comment it replies to, one level deep, and the first two show at once", async () => {
    const post = await on.textPost(ada);
    const first = await say(bob, post, "first");
    const second = await say(cleo, post, "second");
    const answer = await say(cleo, post, "to first", first.id);
    expect(answer).toMatchObject({ rootId: first.id, body: "to first" });
    await say(ada, post, "to the answer", answer.id);
    for (const body of ["third", "fourth"]) await say(bob, post, body, first.id);
    await say(ada, post, "to second", second.id);
    expect(await threads(post)).toEqual([
      ["first", ["to first", "to the answer"]],
      ["second", ["to second"]],
    ]);
    const [top] = (await on.comments.list(null, post, null)).items;
    expect(top).toMatchObject({ replyCount: 4, rootId: null });
    const rest = await on.comments.replies(null, post, first.id, top?.replies.nextCursor ?? null);
    expect(rest.items.map(({ body }) => body)).toEqual(["third", "fourth"]);
    expect(rest.nextCursor).toBeNull();
    // a page that links to a reply begins with it, under the comment it replies to
    const [led, after] = (await on.comments.listFrom(null, post, rest.items[0]?.id ?? "")).items;
    expect([led?.body, led?.replies.items.map(({ body }) => body)]).toEqual([
      "first",
      ["third", "fourth"],
    ]);
    expect(after?.body).toBe("second");
    const [whole] = (await on.comments.listFrom(null, post, first.id)).items;
    expect(whole?.replies.items).toHaveLength(4);
    expect(await countOf(post)).toBe(7);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("does not affect the pages of comments, however many there are", async () => {
    const post = await on.textPost(ada);
    const roots: string[] = [];
    for (let index = 0; index < 32; index += 1) {
      const { id, body } = await say(bob, post, `comment ${index}`);
      roots.push(body);
      for (let reply = 0; reply < index % 3; reply += 1) await say(cleo, post, "answer", id);
    }
    const listed = await everyPage((cursor) => on.comments.list(null, post, cursor));
    expect(listed.map(({ body }) => body)).toEqual(roots);
    // the documented calls know no threads: everything in the order it was written
    const documented = await on.threads.ofPost(null, ada.username, post.number);
    expect(documented).toHaveLength((await countOf(post)) ?? 0);
    expect(documented.slice(0, 3).map(({ comment }) => comment)).toEqual([
      "comment 0",
      "comment 1",
      "answer",
    ]);
  });

  test("sent again with its key is one, and only replies to existing comments", async () => {
    const [post, other] = [await on.textPost(ada), await on.textPost(ada)];
    const { id } = await say(bob, post, "root");
    const once = await on.comments.add(cleo, post, "yes", "key", id);
    expect(await on.comments.add(cleo, post, "yes", "key", id)).toEqual(once);
    expect((await on.comments.get(null, post, id)).replyCount).toBe(1);
    const elsewhere = await say(bob, other, "elsewhere");
    for (const wrong of [newId(), "x", elsewhere.id]) {
      await expect(say(cleo, post, "lost", wrong)).rejects.toMatchObject({ code: "comment-gone" });
    }
    const [dora, eve] = [await on.member("Dora"), await on.member("Eve")];
    const theirs = await say(dora, post, "mine");
    const inThread = await say(cleo, post, "yours", theirs.id);
    await on.blocks.block(dora, eve.id);
    for (const hidden of [theirs, inThread]) {
      await expect(say(eve, post, "me?", hidden.id)).rejects.toMatchObject({
        code: "comment-gone",
      });
    }
    expect(await countOf(post)).toBe(4);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("goes with the comment above it, and every count with them", async () => {
    const post = await on.textPost(ada);
    const root = await say(bob, post, "root");
    const answers = [await say(cleo, post, "one", root.id), await say(ada, post, "two", root.id)];
    await on.commentLikes.like(ada, post, answers[0]?.id ?? "");
    await say(cleo, post, "stays");
    expect(await on.comments.remove(ada, post, answers[1]?.id ?? "")).toBe(1);
    expect(await threads(post)).toEqual([
      ["root", ["one"]],
      ["stays", []],
    ]);
    expect(await reconcileCounters(db)).toEqual([]);
    await expect(on.comments.remove(cleo, post, root.id)).rejects.toMatchObject({
      code: "not-yours",
    });
    // as many as there are now, whatever an earlier request returned
    expect(await on.comments.remove(bob, post, root.id)).toBe(2);
    expect(await threads(post)).toEqual([["stays", []]]);
    expect(await countOf(post)).toBe(1);
    expect(await reconcileCounters(db)).toEqual([]);
    await expect(on.comments.get(null, post, answers[0]?.id ?? "")).rejects.toMatchObject({
      code: "not-found",
    });
  });

  test("notifies the person it replies to once, and the post's author of a comment", async () => {
    const [writer, asked, named] = [
      await on.member("Writer"),
      await on.member("Asked"),
      await on.member("Named"),
    ];
    const post = await on.textPost(writer);
    const { id } = await say(asked, post, "a question");
    const answer = await say(bob, post, `@${asked.username} ask @${named.username}`, id);
    expect(await notificationsOf(asked)).toEqual(["Bob replied to your comment"]);
    expect(await notificationsOf(named)).toEqual(["Bob mentioned you in a comment"]);
    expect(await notificationsOf(writer)).toEqual(["Bob and Asked commented on your post"]);
    const { items } = await on.notifications.list(asked, "all", null);
    expect(items.map(notificationPath)).toEqual([
      `/post/${writer.username}/${post.number}?comment=${answer.id}#comment-${answer.id}`,
    ]);
    // the post's author, replied to: notified of the reply only
    const theirs = await say(writer, post, "mine");
    await say(cleo, post, "yours", theirs.id);
    expect((await notificationsOf(writer))[0]).toBe("Cleo replied to your comment");
    expect(await notificationsOf(writer)).toHaveLength(2);
    await on.comments.remove(bob, post, answer.id);
    expect(await notificationsOf(asked)).toEqual([]);
    expect(await notificationsOf(writer)).toContain("Asked commented on your post");
  });

  test("is deleted with its writer's account, and with the account whose comment it replied to", async () => {
    const dora = await on.member("Dora");
    const post = await on.textPost(ada);
    const hers = await say(dora, post, "hers");
    await say(bob, post, "to hers", hers.id);
    const kept = await say(bob, post, "kept");
    await say(dora, post, "to kept", kept.id);
    await on.commentLikes.like(dora, post, kept.id);
    await on.commentLikes.removeAllOf(dora.id, nothing);
    await on.comments.removeAllOf(dora.id, nothing);
    expect(await threads(post)).toEqual([["kept", []]]);
    expect(await on.comments.get(null, post, kept.id)).toMatchObject({
      likeCount: 0,
      replyCount: 0,
    });
    expect(await countOf(post)).toBe(1);
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

describe("the like of a comment", () => {
  test("counts each person once and notifies its writer, grouped, until it is withdrawn", async () => {
    const [fan, writer] = [await on.member("Fan"), await on.member("Wren")];
    const post = await on.photoPost(ada);
    const { id } = await say(writer, post, "well said");
    const { like, unlike } = on.commentLikes;
    expect(await like(fan, post, id)).toEqual({ liked: true, likeCount: 1 });
    expect(await like(fan, post, id)).toEqual({ liked: true, likeCount: 1 });
    expect(await like(bob, post, id)).toEqual({ liked: true, likeCount: 2 });
    expect(await like(writer, post, id)).toEqual({ liked: true, likeCount: 3 });
    expect(await notificationsOf(writer)).toEqual(["Bob and Fan liked your comment"]);
    const { items } = await on.notifications.list(writer, "all", null);
    expect(items).toMatchObject([{ kind: "like", commentId: id, text: "well said" }]);
    expect(await on.comments.get(fan, post, id)).toMatchObject({ liked: true, likeCount: 3 });
    expect(await on.comments.get(null, post, id)).toMatchObject({ liked: false, likeCount: 3 });
    expect(await unlike(bob, post, id)).toEqual({ liked: false, likeCount: 2 });
    expect(await unlike(bob, post, id)).toEqual({ liked: false, likeCount: 2 });
    expect(await notificationsOf(writer)).toEqual(["Fan liked your comment"]);
    expect(await reconcileCounters(db)).toEqual([]);
    await on.comments.remove(writer, post, id);
    expect(await notificationsOf(writer)).toEqual([]);
    await expect(like(fan, post, id)).rejects.toMatchObject({ code: "not-found" });
  });

  test("many at once are all counted, and those of deleted accounts are removed", async () => {
    const post = await on.textPost(ada);
    const { id } = await say(bob, post, "hello");
    const people = await on.members(8);
    await Promise.all([...people, ...people].map((one) => on.commentLikes.like(one, post, id)));
    expect(await on.comments.get(null, post, id)).toMatchObject({ likeCount: 8 });
    await on.commentLikes.removeAllOf(people[0]?.id ?? "", nothing);
    expect(await on.comments.get(null, post, id)).toMatchObject({ likeCount: 7 });
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

describe("an edit", () => {
  test("changes the words within 15 minutes, says so, and notifies only newly mentioned people", async () => {
    const [known, fresh] = [await on.member("Known"), await on.member("Fresh")];
    const post = await on.textPost(ada);
    const { id } = await say(bob, post, `hi @${known.username}`);
    expect(await on.comments.get(bob, post, id)).toMatchObject({ editable: true, editedAt: null });
    expect(await on.comments.get(ada, post, id)).toMatchObject({ editable: false });
    const words = `hello @${known.username} and @${fresh.username}`;
    const edited = await on.comments.edit(bob, post, id, `  ${words} `);
    expect(edited).toMatchObject({ body: words, editedAt: expect.any(Number) as number });
    // sent again, nothing changes
    expect(await on.comments.edit(bob, post, id, words)).toEqual(edited);
    expect(await notificationsOf(known)).toEqual(["Bob mentioned you in a comment"]);
    expect(await notificationsOf(fresh)).toEqual(["Bob mentioned you in a comment"]);
    // the documented calls show the new words, and have no call that returns the old ones
    const [documented] = await on.threads.ofPost(ada, ada.username, post.number);
    expect(documented?.comment).toBe(words);
    await on.changes.like(cleo, ada.username, {
      posts: [
        {
          postId: post.number,
          time: timeOf(post.postId),
          likes: 1,
          likeAccounts: [cleo.email],
        },
      ],
    });
    expect(await on.comments.get(null, post, id)).toMatchObject({ body: words });
    await on.comments.remove(bob, post, id);
    expect(await notificationsOf(fresh)).toEqual([]);
  });

  test("is refused for others, for late edits, and without words", async () => {
    const post = await on.textPost(ada);
    const { id } = await say(bob, post, "as it was");
    for (const [who, code] of [
      [ada, "not-yours"],
      [cleo, "not-yours"],
    ] as const) {
      await expect(on.comments.edit(who, post, id, "mine")).rejects.toMatchObject({ code });
    }
    await expect(on.comments.edit(bob, post, id, " ")).rejects.toMatchObject({
      fields: { body: "required*" },
    });
    await query(
      db,
      `update comments set created_at = now() - interval '15 minutes' where id = $1`,
      [id],
    );
    expect(await on.comments.get(bob, post, id)).toMatchObject({ editable: false });
    await expect(on.comments.edit(bob, post, id, "too late")).rejects.toMatchObject({
      code: "edit-too-late",
    });
    // the retry of a request whose response was lost
    expect(await on.comments.edit(bob, post, id, "as it was")).toMatchObject({ editedAt: null });
  });
});
