import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { setPrivate } from "#server/test/audiences.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import type { DocumentedUser } from "#shared/documents.inputs.ts";
import type { Audience } from "#shared/posts.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const nothing = { matchedCount: 1, modifiedCount: 0 };
const own = (viewer: Viewer) => on.documents.at(viewer, viewer.email);
const seen = (viewer: Viewer | null, other: Viewer) => on.documents.at(viewer, other.username);
const numbers = ({ posts }: DocumentedUser) => posts.map(({ postId }) => postId);

/** An author, a follower of theirs and somebody else. */
async function people(): Promise<[Viewer, Viewer, Viewer]> {
  const [ada, fay, bob] = (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
  await insertFollows(db, [fay], [ada]);
  return [ada, fay, bob];
}

async function narrow({ author, number }: MadePost, audience: Audience): Promise<void> {
  const { version } = (await on.posts.get(author, author.username, number)) ?? {};
  await on.posts.edit(author, author.username, number, { version: version ?? 0, audience });
}

describe("a post that is not for everyone", () => {
  test("is in its author's own document, and in those of whom it is for", async () => {
    const [ada, fay, bob] = await people();
    await on.textPost(ada, "For everyone");
    await on.publish(ada, { caption: "For followers", audience: "followers" });
    await on.publish(ada, { caption: "For me", audience: "only-me" });
    expect(await own(ada)).toMatchObject({ postsCount: 3, idParam: 3 });
    expect(numbers(await own(ada))).toEqual([1, 2, 3]);
    expect(await seen(fay, ada)).toMatchObject({ postsCount: 2, idParam: 2 });
    expect(numbers(await seen(fay, ada))).toEqual([1, 2]);
    for (const viewer of [bob, null]) {
      expect(await seen(viewer, ada)).toMatchObject({ postsCount: 1, idParam: 1 });
      expect(numbers(await seen(viewer, ada))).toEqual([1]);
    }
    const listed = (await on.documents.page(bob, null)).items.find(({ _id }) => _id === ada.id);
    expect(listed && numbers(listed)).toEqual([1]);
  });

  test("names its photo where somebody asks who may see it, in its author's document and a saved copy", async () => {
    const [ada, fay] = await people();
    const post = await on.photoPost(ada);
    await on.bookmarks.save(fay, post);
    const photos = async () => [
      ...(await seen(fay, ada)).posts.map(({ uploadImg }) => uploadImg),
      ...(await own(fay)).bookMarks.map(({ uploadImg }) => uploadImg),
    ];
    const open = expect.stringMatching(/\.webp$/);
    expect(await photos()).toEqual([open, open]);
    await narrow(post, "followers");
    const gated = expect.stringMatching(/\.webp\?pass=/);
    expect(await photos()).toEqual([gated, gated]);
  });

  test("has a thread for whom it is for alone", async () => {
    const [ada, fay, bob] = await people();
    const { number } = await on.publish(ada, { caption: "For followers", audience: "followers" });
    const sent = { author: ada.username, postId: number, comment: "Lovely" };
    await on.threads.add(fay, sent);
    expect(await on.threads.ofPost(fay, ada.username, number)).toHaveLength(1);
    const never = { code: "not-found" };
    for (const viewer of [bob, null]) {
      await expect(on.threads.ofPost(viewer, ada.username, number)).rejects.toMatchObject(never);
      await expect(on.threads.ofPost(viewer, ada.username, 7)).rejects.toMatchObject(never);
    }
    await expect(on.threads.add(bob, sent)).rejects.toMatchObject(never);
    const thread = `${ada.username}${number}`;
    await expect(on.threads.clear(bob, thread)).rejects.toMatchObject(never);
  });
});

describe("a copy from before a post was lost", () => {
  test("changes nothing, and is not refused", async () => {
    const [ada, fay, bob] = await people();
    const [first, second] = [await on.textPost(ada, "One"), await on.textPost(ada, "Two")];
    for (const post of [first, second]) {
      await on.likes.like(bob, post);
      await on.bookmarks.save(bob, post);
    }
    const before = { ada: await seen(bob, ada), bob: await own(bob), own: await own(ada) };
    await narrow(second, "followers");
    expect(numbers(await seen(bob, ada))).toEqual([1]);
    expect((await own(bob)).bookMarks.map(({ postId }) => postId)).toEqual([1]);

    const { posts } = before.ada;
    expect(await on.changes.like(bob, ada.username, { posts })).toEqual(nothing);
    const withoutLikes = posts.map((post) =>
      post.postId === 2 ? { ...post, likes: 0, likeAccounts: [] } : post,
    );
    expect(await on.changes.like(bob, ada.username, { posts: withoutLikes })).toEqual(nothing);
    const { bookMarks } = before.bob;
    expect(await on.changes.bookmark(bob, bob.email, { bookMarks })).toEqual(nothing);
    expect(await on.changes.upload(ada, ada.email, before.own)).toEqual(nothing);

    await narrow(second, "everyone");
    expect(await seen(bob, ada)).toEqual(before.ada);
    expect((await own(bob)).bookMarks).toEqual(before.bob.bookMarks);
    expect(numbers(await seen(fay, ada))).toEqual([1, 2]);
  });

  test("does what else it says", async () => {
    const [ada, , bob] = await people();
    const [first, second] = [await on.textPost(ada, "One"), await on.textPost(ada, "Two")];
    await on.bookmarks.save(bob, first);
    await on.bookmarks.save(bob, second);
    const { bookMarks } = await own(bob);
    await narrow(second, "only-me");
    const others = bookMarks.filter(({ postId }) => postId !== 1);
    expect(await on.changes.bookmark(bob, bob.email, { bookMarks: others })).toMatchObject({
      modifiedCount: 1,
    });
    await narrow(second, "everyone");
    expect((await own(bob)).bookMarks.map(({ postId }) => postId)).toEqual([2]);
  });

  test("is no removal where it lacks what was lost", async () => {
    const [ada, , bob] = await people();
    const [first, second] = [await on.textPost(ada, "One"), await on.textPost(ada, "Two")];
    await on.likes.like(bob, second);
    await narrow(second, "followers");
    const { posts } = await seen(bob, ada);
    await on.likes.like(bob, first);
    await narrow(second, "everyone");
    const liked = posts.map((post) => ({ ...post, likes: 1, likeAccounts: [bob.email] }));
    expect(await on.changes.like(bob, ada.username, { posts: liked })).toEqual(nothing);
    expect((await seen(bob, ada)).posts.map(({ likes }) => likes)).toEqual([1, 1]);
  });
});

describe("a private account", () => {
  test("has open lists for its followers alone, and true numbers for all", async () => {
    const [ada, fay, bob] = await people();
    await insertFollows(db, [ada], [bob]);
    await on.textPost(ada, "For everyone, once");
    await setPrivate(db, ada);
    const numbersOfAll = { followers: 1, following: 1 };
    const open = {
      followerAccounts: [fay.email],
      followingAccounts: [bob.username],
      postsCount: 1,
    };
    expect(await seen(fay, ada)).toMatchObject({ ...numbersOfAll, ...open });
    const closed = { followerAccounts: [], posts: [], postsCount: 0, idParam: 0 };
    expect(await seen(null, ada)).toMatchObject({
      ...numbersOfAll,
      ...closed,
      followingAccounts: [],
    });
    // That she follows him is known to Bob already.
    expect(await seen(bob, ada)).toMatchObject({ ...numbersOfAll, ...closed });
  });

  test("is asked by the calls that follow, and stays out of the lists until it accepts", async () => {
    const [ada, , bob] = await people();
    const [other] = (await insertAccounts(db, 1)) as [Viewer];
    await setPrivate(db, ada);
    const onAda = { followerAccounts: [bob.email] };
    const onBob = { followingAccounts: [ada.username] };
    expect(await on.changes.follow(bob, ada.username, onAda)).toMatchObject({ matchedCount: 1 });
    expect(await on.changes.follow(bob, bob.email, onBob)).toEqual(nothing);
    expect(await own(bob)).toMatchObject({ following: 0, followingAccounts: [] });
    expect(await seen(bob, ada)).toMatchObject({ followers: 1, followerAccounts: [] });
    const asking = async () => (await on.followRequests.list(ada, null)).items.map(({ id }) => id);
    expect(await asking()).toEqual([bob.id]);

    // Neither a list without the caller nor a copy that still has the account means anything more.
    expect(await on.changes.follow(bob, ada.username, { followerAccounts: [] })).toEqual(nothing);
    expect(await on.changes.follow(bob, bob.email, { followingAccounts: [] })).toEqual(nothing);
    const both = { followingAccounts: [ada.username, other.username] };
    expect(await on.changes.follow(bob, bob.email, both)).toMatchObject({ modifiedCount: 1 });
    expect(await own(bob)).toMatchObject({ followingAccounts: [other.username] });
    expect(await asking()).toEqual([bob.id]);

    await on.followRequests.accept(ada, bob.id);
    expect(await own(bob)).toMatchObject({ followingAccounts: [other.username, ada.username] });
    const accounts = (await seen(bob, ada)).followerAccounts;
    expect(accounts).toContain(bob.email);
    const without = { followerAccounts: accounts.filter((each) => each !== bob.email) };
    expect(await on.changes.follow(bob, ada.username, without)).toMatchObject({ modifiedCount: 1 });
    expect(await seen(bob, ada)).toMatchObject({ followerAccounts: [] });
  });
});
