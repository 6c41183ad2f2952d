import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

let on: TestFeatures;
let viewer: Viewer;
let friend: Viewer;
let gone: Viewer;
let stranger: Viewer;
let theirs: MadePost;
let friends: MadePost;

/** Everything a reader can open, as text, to see where an account is still shown. */
async function everythingSeen(): Promise<Record<string, string>> {
  const reads = {
    home: () => on.feed.home(viewer, null),
    suggestions: () => on.suggestions.list(stranger),
    "saved photos": () => on.bookmarks.list(viewer, "photos", null),
    "a collection": async () => {
      const [collection] = await on.collections.list(viewer);
      return on.collections.posts(viewer, collection?.id ?? "", null);
    },
    "saved texts": () => on.bookmarks.list(viewer, "texts", null),
    "own photos": () => on.posts.photosOf(viewer, gone.id, null),
    "own texts": () => on.posts.textsOf(viewer, gone.id, null),
    "post by username": () => on.posts.get(viewer, gone.username, 1),
    "post by email": () => on.posts.get(viewer, gone.email, 1),
    "a friend's post": () => on.posts.get(viewer, friend.username, 1),
    comments: () => on.comments.list(viewer, friends, null),
    followers: () => on.follows.followers(viewer, friend.id, null),
    following: () => on.follows.following(viewer, friend.id, null),
    profile: () => on.profiles.get(viewer, gone.id),
    "search by name": () => on.search.accounts(viewer, "gone person", null),
    "search by two letters": () => on.search.accounts(viewer, "go", null),
  };
  const seen: Record<string, string> = {};
  for (const [name, read] of Object.entries(reads)) seen[name] = JSON.stringify(await read());
  return seen;
}

beforeAll(async () => {
  const { db } = await freshDatabase();
  on = testFeatures(db);
  viewer = await on.member("Viewer");
  friend = await on.member("Friend");
  gone = await on.member("Gone Person");
  stranger = await on.member("Stranger");
  friends = await on.textPost(friend);
  theirs = await on.textPost(gone);
  const photo = await on.photoPost(gone);
  await on.follows.follow(viewer, gone.id);
  await on.follows.follow(viewer, friend.id);
  await on.follows.follow(gone, friend.id);
  await on.follows.follow(friend, gone.id);
  const into = { collections: [], title: "Saved", clientKey: "saved" };
  for (const post of [theirs, photo]) await on.collections.setOfPost(viewer, post, into);
  await on.comments.add(gone, friends, "a comment", null);
});

describe("a suspended account", () => {
  test("vanishes from everything that others see", async () => {
    const before = await everythingSeen();
    // shown before, or the test would prove nothing
    for (const [name, seen] of Object.entries(before)) expect(seen, name).toContain(gone.username);
    await on.suspend(gone);
    for (const [name, seen] of Object.entries(await everythingSeen())) {
      expect(seen, name).not.toContain(gone.id);
      expect(seen, name).not.toContain(gone.username);
    }
  });

  test("refuses every action that others try on it", async () => {
    const attempts = [
      () => on.likes.like(viewer, theirs),
      () => on.comments.add(viewer, theirs, "hello", null),
      () => on.comments.list(viewer, theirs, null),
      () => on.bookmarks.save(viewer, theirs),
      () => on.follows.follow(viewer, gone.id),
      () => on.follows.followers(viewer, gone.id, null),
      () => on.posts.remove(viewer, gone.username, 1),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: "not-found" });
    }
  });
});
