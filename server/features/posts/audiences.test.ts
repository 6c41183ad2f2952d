import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { addCloseFriend, setPrivate } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { audiences, type Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let ada: Viewer, fay: Viewer, cleo: Viewer, bob: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  [ada, fay, cleo, bob] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
  for (const follower of [fay, cleo]) await on.follows.follow(follower, ada.id);
  await addCloseFriend(db, ada, cleo);
});

type Shown = { post: MadePost; commentId: string; key: string };

/** Whatever names a post, asked by a viewer. */
const calls: Record<string, (viewer: Viewer, shown: Shown) => Promise<unknown>> = {
  like: (viewer, { post }) => on.likes.like(viewer, post),
  unlike: (viewer, { post }) => on.likes.unlike(viewer, post),
  "who likes it": (viewer, { post }) => on.likes.list(viewer, post, null),
  comment: (viewer, { post }) => on.comments.add(viewer, post, "Words", null),
  comments: (viewer, { post }) => on.comments.list(viewer, post, null),
  "a comment": (viewer, { post, commentId }) => on.comments.get(viewer, post, commentId),
  "comments from one": (viewer, { post, commentId }) =>
    on.comments.listFrom(viewer, post, commentId),
  "comments after one": (viewer, { post, commentId }) => on.comments.after(viewer, post, commentId),
  replies: (viewer, { post, commentId }) => on.comments.replies(viewer, post, commentId, null),
  "comments that are there": (viewer, { post, commentId }) =>
    on.comments.standing(viewer, post, { from: commentId, to: newId() }),
  "like a comment": (viewer, { post, commentId }) => on.commentLikes.like(viewer, post, commentId),
  "unlike a comment": (viewer, { post, commentId }) =>
    on.commentLikes.unlike(viewer, post, commentId),
  save: (viewer, { post }) => on.bookmarks.save(viewer, post),
  "its key": (viewer, { post: { number } }) => on.posts.refAt(viewer, ada.username, number),
  "suggest a description": (viewer, { post: { number }, key }) =>
    on.altSuggestions.suggest(viewer, ada.username, number, { key, alt: "A door" }),
};

/** The same, of what only its writer or its author may do. */
const ownCalls: typeof calls = {
  "edit a comment": (viewer, { post, commentId }) =>
    on.comments.edit(viewer, post, commentId, "Other words"),
  "delete a comment": (viewer, { post, commentId }) => on.comments.remove(viewer, post, commentId),
  "delete all comments": (viewer, { post }) => on.comments.removeAll(viewer, post),
  "earlier versions": (viewer, { post: { number } }) =>
    on.posts.earlierVersions(viewer, ada.username, number),
  edit: (viewer, { post: { number } }) =>
    on.posts.edit(viewer, ada.username, number, { version: 0, caption: "Mine" }),
  delete: (viewer, { post: { number } }) => on.posts.remove(viewer, ada.username, number),
};

async function show(audience: Audience): Promise<Shown> {
  const pictures = [{ imageId: await on.upload(ada), alt: "" }];
  const post = await on.publish(ada, { caption: "A #door", audience, pictures });
  const { id: commentId } = await on.comments.add(ada, post, "The first", null);
  const key = (await on.posts.get(ada, ada.username, post.number))?.pictures[0]?.key ?? "";
  return { post, commentId, key };
}

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    ({ code }: { code: string }) => code,
  );

describe.each(audiences)("a post for %s", (audience) => {
  const isFor = { everyone: 3, followers: 2, "close-friends": 1, "only-me": 0 }[audience];

  test("is there for whom it is for, and for nobody else", async () => {
    const shown = await show(audience);
    for (const [index, viewer] of [cleo, fay, bob].entries()) {
      for (const [name, call] of Object.entries(calls)) {
        const expected = index < isFor ? "done" : "not-found";
        expect(await outcome(call(viewer, shown)), name).toBe(expected);
      }
      for (const [name, call] of Object.entries(ownCalls)) {
        const expected = index < isFor ? "not-yours" : "not-found";
        expect(await outcome(call(viewer, shown)), name).toBe(expected);
      }
      const { number } = shown.post;
      const there = await on.posts.get(viewer, ada.username, number);
      const details = await on.posts.details(viewer, ada.username, number);
      expect([there !== null, details !== null]).toEqual([index < isFor, index < isFor]);
    }
  });
});

const narrow = ({ post: { number } }: Shown, audience: Audience, version: number) =>
  on.posts.edit(ada, ada.username, number, { version, audience });

describe("a post that narrows", () => {
  test("takes what one did with it, and returns with it", async () => {
    const shown = await show("everyone");
    const { post } = shown;
    await on.likes.like(bob, post);
    await on.bookmarks.save(bob, post);
    const saved = async () => {
      const { items } = await on.bookmarks.list(bob, "photos", null);
      const { photos } = await on.bookmarks.counts(bob);
      return [items.filter(({ id }) => id === post.postId).length, photos];
    };
    const [, all = 0] = await saved();
    await narrow(shown, "followers", 0);
    expect(await saved()).toEqual([0, all - 1]);
    await narrow(shown, "everyone", 1);
    expect(await saved()).toEqual([1, all]);
    expect(await on.posts.get(bob, ada.username, post.number)).toMatchObject({
      liked: true,
      likeCount: 1,
    });
  });

  test("loses its hashtags, whoever writes them", async () => {
    const shown = await show("everyone");
    const tags = () =>
      query(db, "select tag from post_tags where post_id = $1", [shown.post.postId]);
    expect(await tags()).toHaveLength(1);
    await narrow(shown, "followers", 0);
    expect(await tags()).toEqual([]);
    // As a server of the release before writes them.
    const ref = [ada.id, shown.post.postId];
    await query(db, "insert into post_tags (author_id, post_id, tag) values ($1, $2, 'door')", ref);
    await query(db, "insert into untagged_posts (author_id, post_id) values ($1, $2)", ref);
    await on.tags.sweep();
    expect(await tags()).toEqual([]);
    await narrow(shown, "everyone", 1);
    expect(await tags()).toHaveLength(1);
  });
});

describe("the audience of the next post", () => {
  test("is the last that was chosen, and a private account's its followers at most", async () => {
    const eve = await on.member("Eve");
    expect((await on.posts.nextAudience(eve)).audience).toBe("everyone");
    await on.publish(eve, { caption: "x", audience: "close-friends" });
    await on.textPost(eve);
    expect((await on.posts.nextAudience(eve)).audience).toBe("close-friends");
    await on.publish(eve, { caption: "x", audience: "everyone" });
    await setPrivate(db, eve);
    expect((await on.posts.nextAudience(eve)).audience).toBe("followers");
    await setPrivate(db, eve, false);
    expect((await on.posts.nextAudience(eve)).audience).toBe("everyone");
  });

  test("is not that of a post which was refused", async () => {
    const eve = await on.member("Eve");
    const empty = on.publish(eve, { caption: "", audience: "only-me" });
    await expect(empty).rejects.toMatchObject({ code: "post-empty" });
    expect((await on.posts.nextAudience(eve)).audience).toBe("everyone");
  });
});
