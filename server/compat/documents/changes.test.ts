import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { tagOf } from "#server/compat/documents/documents.ts";
import { insertAccounts, insertFollows, insertTextPosts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import type { DocumentedPost, DocumentedUser } from "#shared/documents.inputs.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const done = { matchedCount: 1, modifiedCount: 1 };
const nothing = { matchedCount: 1, modifiedCount: 0 };
const own = (viewer: Viewer) => on.documents.at(viewer, viewer.email);
const seen = (viewer: Viewer | null, other: Viewer) => on.documents.at(viewer, other.username);
const refused = (code: string) => expect.objectContaining({ code });

async function refusal(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  );
}

/** People with an email and no password: these tests are not about signing up. */
async function people(): Promise<[Viewer, Viewer, Viewer]> {
  return (await insertAccounts(db, 3)) as [Viewer, Viewer, Viewer];
}

let clock = Date.parse("2026-05-01T10:00:00Z");

/** A post as a client makes one, out of its own copy of its account. */
function newPost({ idParam, email }: DocumentedUser, caption: string): DocumentedPost {
  clock += 1000;
  return {
    postId: idParam + 1,
    caption,
    currentDate: 1,
    currentMonth: 5,
    currentYear: 2026,
    currentHours: "12:00 pm",
    likes: 0,
    likeAccounts: [],
    author: email,
    time: clock,
  };
}

describe("following", () => {
  test("takes two calls, of which the first does everything, in either order", async () => {
    const [ada, bob] = await people();
    const before = { bob: await seen(ada, bob), ada: await own(ada) };
    const onBob = {
      followers: before.bob.followers + 1,
      followerAccounts: [...before.bob.followerAccounts, ada.email],
    };
    const onAda = {
      following: before.ada.following + 1,
      followingAccounts: [...before.ada.followingAccounts, before.bob.email],
    };
    expect(await on.changes.follow(ada, bob.username, onBob)).toEqual(done);
    expect(await on.changes.follow(ada, ada.email, onAda)).toEqual(nothing);
    expect(await seen(ada, bob)).toMatchObject({ followers: 1, followerAccounts: [ada.email] });
    expect(await own(ada)).toMatchObject({ following: 1, followingAccounts: [bob.username] });

    const without = { following: 0, followingAccounts: [] };
    expect(await on.changes.follow(ada, ada.email, without)).toEqual(done);
    expect(await on.changes.follow(ada, bob.email, { followerAccounts: [] })).toEqual(nothing);
    expect(await seen(null, bob)).toMatchObject({ followers: 0, followerAccounts: [] });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("reads the caller's entry alone, by email or username in any case", async () => {
    const [ada, bob, cleo] = await people();
    await on.follows.follow(cleo, bob.id);
    const other = { followers: 77, followerAccounts: [ada.email.toUpperCase(), "nobody", "x@y.z"] };
    expect(await on.changes.follow(ada, bob.username, other)).toEqual(done);
    expect(await seen(null, bob)).toMatchObject({ followers: 2 });
    const again = { followerAccounts: [ada.username.toUpperCase()] };
    expect(await on.changes.follow(ada, bob.username, again)).toEqual(nothing);
    expect(await on.changes.follow(ada, bob.username, { followerAccounts: [] })).toEqual(done);
    expect((await seen(null, bob)).followerAccounts).toEqual([cleo.username]);
  });

  test("of oneself, for others, or of nobody is refused", async () => {
    const [ada, bob, cleo] = await people();
    const change = (...[address, sent]: [string, Parameters<typeof on.changes.follow>[2]]) =>
      refusal(on.changes.follow(ada, address, sent));
    const adas = [ada.username];
    expect(await change(ada.email, { followerAccounts: adas })).toEqual(refused("self-follow"));
    expect(await change(ada.email, { followingAccounts: adas })).toEqual(refused("self-follow"));
    const bobs = { followingAccounts: [cleo.username] };
    expect(await change(bob.username, bobs)).toEqual(refused("not-yours"));
    const both = { followerAccounts: adas, followingAccounts: [] };
    expect(await change(bob.username, both)).toEqual(refused("not-yours"));
    expect(await change("nobody_at_all", { followerAccounts: adas })).toEqual(refused("not-found"));
    // The caller's followers are not the caller's to change, and no reason to fail.
    await on.follows.follow(bob, ada.id);
    expect(await on.changes.follow(ada, ada.email, { followerAccounts: [] })).toEqual(nothing);
    expect(await own(ada)).toMatchObject({ followers: 1, following: 0 });
    expect(await seen(null, bob)).toMatchObject({ followers: 0, following: 1 });
  });

  test("of several at once, or from a stale copy, is refused and changes nothing", async () => {
    const [ada, bob, cleo] = await people();
    const two = { followingAccounts: [bob.username, cleo.username] };
    expect(await refusal(on.changes.follow(ada, ada.email, two))).toEqual(refused("conflict"));
    expect((await own(ada)).following).toBe(0);
  });

  test("of one more works for somebody who follows more than a document shows", async () => {
    const [ada, bob] = await people();
    await insertFollows(db, [ada], await insertAccounts(db, 120));
    const { followingAccounts } = await own(ada);
    expect(followingAccounts).toHaveLength(100);
    const more = { followingAccounts: [...followingAccounts, bob.username] };
    expect(await on.changes.follow(ada, ada.email, more)).toEqual(done);
    const less = { followingAccounts: followingAccounts.slice(1) };
    // Since then the oldest of them is out of sight, so nothing of it is missing but bob.
    expect(await on.changes.follow(ada, ada.email, less)).toEqual(done);
    expect((await own(ada)).following).toBe(120);
    expect(await on.changes.follow(ada, ada.email, { followingAccounts })).toEqual(nothing);
  });
});

describe("posts", () => {
  test("are added one by one, with the server's number and clock and the author's zone", async () => {
    const [ada] = await people();
    const copy = await own(ada);
    const post = newPost(copy, "Hello");
    const sent = { postsCount: 1, idParam: 1, posts: [post] };
    const answer = await on.changes.upload(ada, ada.email, sent);
    expect(answer).toEqual({ ...done, postId: 1, time: expect.any(Number) });
    const now = await own(ada);
    expect(now).toMatchObject({ postsCount: 1, idParam: 1 });
    expect(now.posts).toMatchObject([{ caption: "Hello", postId: 1, time: answer.time }]);
    const utcHour = new Date(answer.time ?? 0).getUTCHours();
    // Made at 12:00 on the client's clock when it was 10:00 in UTC.
    expect(now.posts[0]?.currentHours).toMatch(new RegExp(`^${(utcHour + 2) % 12 || 12}:`));

    // The answer was lost: the client sends the same again.
    expect(await on.changes.upload(ada, ada.email, sent)).toEqual(nothing);
    // And continues with its own copy, which has its own time for the first one.
    const second = { ...newPost(copy, "Again"), postId: 2 };
    expect(await on.changes.upload(ada, ada.email, { posts: [post, second] })).toMatchObject(done);
    expect((await own(ada)).posts.map(({ caption }) => caption)).toEqual(["Hello", "Again"]);
    expect(await on.changes.upload(ada, ada.email, { posts: [second] })).toEqual(done);
    expect(await own(ada)).toMatchObject({ postsCount: 1, idParam: 2, posts: [{ postId: 2 }] });
  });

  test("stay as their author edited them, whatever an older copy says", async () => {
    const [ada, bob] = await people();
    const sent = { posts: [newPost(await own(ada), "Teh sea")] };
    await on.changes.upload(ada, ada.email, sent);
    const stale = await own(ada);
    await on.posts.edit(ada, ada.username, 1, { version: 0, caption: "The sea" });
    const captions = async () => (await own(ada)).posts.map(({ caption }) => caption);
    // a list with the old words is no change, in the client's first copy too
    expect(await on.changes.upload(ada, ada.email, { posts: stale.posts })).toEqual(nothing);
    expect(await on.changes.upload(ada, ada.email, sent)).toEqual(nothing);
    expect(await captions()).toEqual(["The sea"]);
    // nor does it prevent any other change with it
    const second = newPost(stale, "Again");
    const both = { posts: [...stale.posts, second] };
    expect(await on.changes.upload(ada, ada.email, both)).toMatchObject(done);
    expect(await captions()).toEqual(["The sea", "Again"]);
    const theirs = (await seen(bob, ada)).posts[0] as DocumentedPost;
    const [old] = stale.posts;
    const liking = {
      posts: [{ ...theirs, caption: old?.caption, likes: 1, likeAccounts: [bob.email] }],
    };
    expect(await on.changes.like(bob, ada.username, liking as never)).toEqual(done);
    const saving = { bookMarks: [{ ...theirs, caption: old?.caption }] };
    expect(await on.changes.bookmark(bob, bob.email, saving as never)).toEqual(done);
    expect((await own(bob)).bookMarks).toMatchObject([{ caption: "The sea", likes: 1 }]);
    expect(await captions()).toEqual(["The sea", "Again"]);
  });

  test("are added whatever else is missing: two clients of one author do not overwrite each other", async () => {
    const [ada] = await people();
    await insertTextPosts(db, [ada], 3);
    const copy = await own(ada);
    const [one, other] = [newPost(copy, "one"), newPost(copy, "other")];
    await on.changes.upload(ada, ada.email, { posts: [...copy.posts, one] });
    await on.changes.upload(ada, ada.email, { posts: [...copy.posts, other] });
    await on.changes.upload(ada, ada.email, { posts: [newPost(copy, "alone")] });
    const { posts, idParam } = await own(ada);
    expect(posts.map(({ caption }) => caption).slice(3)).toEqual(["one", "other", "alone"]);
    expect(idParam).toBe(6);
  });

  test("are deleted one by one, and copies of deleted ones do not bring them back", async () => {
    const [ada] = await people();
    await insertTextPosts(db, [ada], 4);
    const stale = await own(ada);
    const without = (number: number) => stale.posts.filter(({ postId }) => postId !== number);
    const remove = (number: number) =>
      on.changes.upload(ada, ada.email, { postsCount: 3, posts: without(number) });
    expect(await remove(2)).toEqual(done);
    expect(await remove(2)).toEqual(nothing);
    expect(await remove(4)).toEqual(done);
    expect((await own(ada)).posts.map(({ postId }) => postId)).toEqual([1, 3]);
    const gone = refused("conflict");
    expect(await refusal(on.changes.upload(ada, ada.email, { posts: [] }))).toEqual(gone);
    const two = [...stale.posts, newPost(stale, "a"), newPost(stale, "b")];
    expect(await refusal(on.changes.upload(ada, ada.email, { posts: two }))).toEqual(gone);
    const more = [...stale.posts, newPost(stale, "new")];
    expect(await on.changes.upload(ada, ada.email, { posts: more })).toMatchObject(done);
    expect((await own(ada)).posts.map(({ postId }) => postId)).toEqual([1, 3, 5]);
  });

  test("of the list of all accounts, which has the newest 20 only, delete nothing older", async () => {
    const [ada] = await people();
    await insertTextPosts(db, [ada], 30);
    const { items } = await on.documents.page(ada, null);
    const listed = items[0]?.posts ?? [];
    expect(listed).toHaveLength(20);
    expect(await on.changes.upload(ada, ada.email, { posts: listed })).toEqual(nothing);
    expect(await on.changes.upload(ada, ada.email, { posts: listed.slice(1) })).toEqual(done);
    expect((await own(ada)).postsCount).toBe(29);
    expect((await own(ada)).posts.some(({ postId }) => postId === 11)).toBe(false);
  });

  test("show an image that this server gave to their author, and no other", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const address = async (who: Viewer) => {
      const { picture } = await on.images.upload(who, await on.photo());
      return `http://localhost:3000/images/${picture.key}/96.webp`;
    };
    const uploadImg = await address(ada);
    const post = { ...newPost(await own(ada), "A photo"), uploadImg };
    await on.changes.upload(ada, ada.email, { posts: [post] });
    expect((await own(ada)).posts).toMatchObject([{ caption: "A photo", uploadImg }]);
    for (const wrong of [
      await address(bob),
      uploadImg,
      "https://elsewhere.example/p.gif",
      "http://localhost:3000.evil.example/images/0/96.webp",
      "javascript:alert(1)",
      "/images/../x/96.webp",
      "\0",
    ]) {
      const other = { ...newPost(await own(ada), "Another"), uploadImg: wrong };
      const sent = { posts: [post, other] };
      const said = await refusal(on.changes.upload(ada, ada.email, sent));
      expect(said, wrong).toEqual(refused("picture-unknown"));
    }
    expect((await own(ada)).postsCount).toBe(1);
  });

  test("of somebody else, or in another's name, or with nothing to show are refused", async () => {
    const [ada, bob] = await people();
    const copy = await own(ada);
    const post = newPost(copy, "Hello");
    const send = (address: string, one: object) =>
      refusal(on.changes.upload(ada, address, { posts: [{ ...post, ...one }] }));
    expect(await send(bob.username, {})).toEqual(refused("not-yours"));
    expect(await send("nobody_at_all", {})).toEqual(refused("not-found"));
    expect(await send(ada.email, { author: bob.username })).toEqual(refused("not-yours"));
    expect(await send(ada.email, { caption: " " })).toEqual(refused("post-empty"));
    const long = await send(ada.email, { caption: "x".repeat(2201) });
    expect(long).toMatchObject({ code: "input-invalid", fields: { caption: expect.any(String) } });
    expect((await own(ada)).postsCount).toBe(0);
    expect((await own(bob)).postsCount).toBe(0);
  });

  test("delete their image files only once the change is committed", async () => {
    const ada = await on.member("Ada");
    const post = await on.photoPost(ada, "gone");
    const [key = ""] = /[0-9a-f]{32}/.exec((await own(ada)).posts[0]?.uploadImg ?? "") ?? [];
    const isStored = async () => {
      const file = await on.store.open(key, 96);
      await file?.close();
      return file !== null;
    };
    await refusal(
      db.transaction(async () => {
        await on.posts.remove(ada, ada.username, post.number);
        throw new Error("the caller changed its mind");
      }),
    );
    expect([(await own(ada)).postsCount, await isStored()]).toEqual([1, true]);
    await on.changes.upload(ada, ada.email, { posts: [] });
    await expect.poll(isStored).toBe(false);
  });
});

describe("likes", () => {
  test("are the caller's own entry in one post of the list", async () => {
    const [ada, bob, cleo] = await people();
    await insertTextPosts(db, [ada], 3);
    const { posts } = await seen(bob, ada);
    const liking = (numbers: number[]) =>
      posts.map((post) =>
        numbers.includes(post.postId)
          ? { ...post, likes: 5, likeAccounts: [bob.email, "somebody"] }
          : post,
      );
    expect(await on.changes.like(bob, ada.username, { posts: liking([2]) })).toEqual(done);
    expect(await on.changes.like(bob, ada.username, { posts: liking([2]) })).toEqual(nothing);
    // cleo's copy does not have bob's like, and does not remove it.
    const cleos = posts.map((post) => ({ ...post, likes: 1, likeAccounts: [cleo.email] }));
    expect(await on.changes.like(cleo, ada.email, { posts: cleos.slice(0, 1) })).toEqual(done);
    expect((await seen(null, ada)).posts.map(({ likes }) => likes)).toEqual([1, 1, 0]);
    // A stale copy of bob's other client: like the third, and not the second any more?
    const stale = on.changes.like(bob, ada.username, { posts: liking([3]) });
    expect(await refusal(stale)).toEqual(refused("conflict"));
    expect(await on.changes.like(bob, ada.username, { posts: liking([]) })).toEqual(done);
    expect((await seen(bob, ada)).posts[1]).toMatchObject({ likes: 0, likeAccounts: [] });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("change nothing else of a post, whatever was sent with it", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 2);
    const before = await seen(bob, ada);
    const posts = before.posts.map((post) => ({ ...post, caption: "mine now", time: post.time }));
    expect(await on.changes.like(bob, ada.username, { posts })).toEqual(nothing);
    expect(await on.changes.like(bob, ada.username, { posts: [] })).toEqual(nothing);
    expect(await seen(bob, ada)).toEqual(before);
    // Nor does a list that came back without the likes.
    const [first] = before.posts;
    const { likeAccounts: _, ...rest } = first as DocumentedPost;
    expect(await on.changes.like(bob, ada.username, { posts: [rest] })).toEqual(nothing);
  });

  test("add no post to somebody else's, where copies may have deleted ones", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 2);
    const { posts } = await seen(bob, ada);
    const likes = posts.map((post) => ({ ...post, likeAccounts: [bob.email] }));
    const forged = { ...(posts[0] as DocumentedPost), postId: 99, caption: "put in her mouth" };
    for (const sent of [
      [...posts, forged],
      [likes[0] as DocumentedPost, { postId: forged.postId, time: 1 }],
    ]) {
      const adding = on.changes.like(bob, ada.username, { posts: sent });
      expect(await refusal(adding)).toEqual(refused("not-yours"));
    }
    expect((await seen(bob, ada)).posts).toEqual(posts);
    await on.posts.remove(ada, ada.username, 1);
    expect(await on.changes.like(bob, ada.username, { posts: likes })).toEqual(done);
    expect((await seen(bob, ada)).posts).toMatchObject([{ postId: 2, likes: 1 }]);
    // One's own list may have a post that was never sent.
    const mine = await own(ada);
    const unsent = [...mine.posts, newPost(mine, "not sent yet")];
    expect(await on.changes.like(ada, ada.email, { posts: unsent })).toEqual(nothing);
  });
});

describe("bookmarks", () => {
  test("are added and removed one by one, and nobody else's", async () => {
    const [ada, bob, cleo] = await people();
    await insertTextPosts(db, [ada, bob], 2);
    const [first, second] = (await seen(cleo, ada)).posts as [DocumentedPost, DocumentedPost];
    const save = (address: string, bookMarks: DocumentedPost[]) =>
      on.changes.bookmark(cleo, address, { bookMarks });
    expect(await save(cleo.email, [first])).toEqual(done);
    expect(await save(cleo.email, [first])).toEqual(nothing);
    expect(await save(cleo.email, [first, { ...second, author: ada.email }])).toEqual(done);
    expect((await own(cleo)).bookMarks).toEqual([first, second]);
    expect(await refusal(save(cleo.email, []))).toEqual(refused("conflict"));
    expect(await refusal(save(ada.username, [first]))).toEqual(refused("not-yours"));
    // Posts that are gone, or never were, say nothing.
    const odd = [first, second, { ...first, postId: 77 }, { ...first, author: "nobody" }];
    expect(await save(cleo.email, odd)).toEqual(nothing);
    expect(await save(cleo.email, [second])).toEqual(done);
    expect((await own(cleo)).bookMarks).toEqual([second]);
    await on.posts.remove(ada, ada.username, 2);
    expect(await save(cleo.email, [second])).toEqual(nothing);
    expect((await own(ada)).bookMarks).toEqual([]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("of a deleted post are deleted with it: its author gets that answer, nobody else", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 2);
    const post = (await seen(bob, ada)).posts[0] as DocumentedPost;
    await on.changes.bookmark(bob, bob.email, { bookMarks: [post] });
    // Still there: no bookmark is removed.
    expect(await on.changes.dropBookmarks(ada, ada.email, 1)).toEqual(nothing);
    expect((await own(bob)).bookMarks).toHaveLength(1);
    const { posts } = await own(ada);
    await on.changes.upload(ada, ada.email, { posts: posts.slice(1) });
    expect(await on.changes.dropBookmarks(ada, ada.email, 1)).toEqual(nothing);
    expect((await own(bob)).bookMarks).toEqual([]);
    const drop = (address: string, number: number) =>
      refusal(on.changes.dropBookmarks(bob, address, number));
    expect(await drop(ada.username, 1)).toEqual(refused("not-yours"));
    expect(await drop(bob.email, 1)).toEqual(refused("not-found"));
  });
});

describe("editing", () => {
  test("stores names, bio and avatar, and says that it matched", async () => {
    const [ada, bob] = [await on.member("Ada Lovelace"), await on.member("Bob")];
    const names = { fName: "Augusta", sName: "King" };
    expect(await on.changes.edit(ada, ada.id, { ...names, bio: "Numbers." })).toEqual(done);
    const { picture } = await on.images.upload(ada, await on.photo());
    const image = `http://localhost:3000/images/${picture.key}/96.webp`;
    expect(await on.changes.edit(ada, ada.id, { ...names, image })).toMatchObject(done);
    const full = { fullName: "Augusta King", bio: "Numbers.", image };
    expect(await own(ada)).toMatchObject({ ...names, ...full });
    // Sent back as it was read, it is accepted.
    expect(await on.changes.edit(ada, ada.id, { ...names, image })).toEqual(nothing);
    expect(await on.changes.edit(ada, ada.id, { ...names, bio: "" })).toEqual(done);

    const edit = (id: string, sent = {}) =>
      refusal(on.changes.edit(ada, id, { ...names, ...sent }));
    expect(await edit(bob.id)).toEqual(refused("not-yours"));
    expect(await edit("00000000-0000-7000-8000-000000000000")).toEqual(refused("not-found"));
    expect(await edit("1")).toEqual(refused("not-found"));
    const { image: bobs } = await own(bob);
    expect(await edit(ada.id, { image: bobs })).toEqual(refused("picture-unknown"));
    expect((await own(bob)).fName).toBe("Bob");
  });
});

describe("a copy that the client names by its tag", () => {
  test("is exact: one of two clients wins, the other loads again", async () => {
    const [ada, bob] = await people();
    await insertTextPosts(db, [ada], 21);
    const copy = await seen(bob, ada);
    const tag = tagOf(copy);
    const isCurrent = (now: string) => now === tag;
    const likeOf = (number: number) =>
      on.changes.like(
        bob,
        ada.username,
        {
          posts: copy.posts.map((post) =>
            post.postId === number ? { ...post, likeAccounts: [bob.email] } : post,
          ),
        },
        { isCurrent },
      );
    const both = await Promise.all([refusal(likeOf(1)), refusal(likeOf(2))]);
    expect(both).toHaveLength(2);
    expect(both).toContain(null);
    expect(both).toContainEqual(refused("precondition-failed"));

    // The oldest of 21 could be beyond the list of all accounts: with the tag it is not.
    const mine = await own(ada);
    const posts = mine.posts.slice(1);
    const send = (isCurrent?: (now: string) => boolean) =>
      on.changes.upload(ada, ada.email, { posts }, isCurrent ? { isCurrent } : null);
    expect(await refusal(send())).toEqual(refused("conflict"));
    expect(await send((now) => now === tagOf(mine))).toEqual(done);
    expect(await refusal(send((now) => now === tagOf(mine)))).toEqual(
      refused("precondition-failed"),
    );
  });
});
