import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

describe("a private account", () => {
  test("says beforehand how many posts become those of how many followers", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    await on.textPost(ada);
    await on.photoPost(ada);
    await on.publish(ada, { caption: "for followers", audience: "followers" });
    await on.publish(ada, { caption: "for me", audience: "only-me" });
    await on.follows.follow(bob, ada.id);
    expect(await on.privacy.get(ada)).toEqual({ isPrivate: false, posts: 2, followers: 1 });
  });

  test("keeps its followers, who alone see its posts and lists, until it is public again", async () => {
    const [ada, bob, cleo] = [
      await on.member("Ada"),
      await on.member("Bob"),
      await on.member("Cleo"),
    ];
    const post = await on.textPost(ada, "Hello");
    await on.follows.follow(bob, ada.id);
    const seenBy = async (viewer: typeof bob | null) => ({
      post: (await on.posts.get(viewer, ada.username, post.number)) !== null,
      open: (await on.profiles.get(viewer, ada.id))?.listsOpen,
      posts: (await on.profiles.get(viewer, ada.id))?.counts.posts,
    });
    const all = { post: true, open: true, posts: 1 };
    const nothing = { post: false, open: false, posts: 0 };
    expect(await on.privacy.set(ada, true)).toEqual({ private: true });
    const since = await query(db, "select private_at from accounts where id = $1", [ada.id]);
    expect(await on.privacy.set(ada, true)).toEqual({ private: true });
    expect(await query(db, "select private_at from accounts where id = $1", [ada.id])).toEqual(
      since,
    );
    expect(await Promise.all([ada, bob, cleo, null].map(seenBy))).toEqual([
      all,
      all,
      nothing,
      nothing,
    ]);
    await on.follows.removeFollower(ada, bob.id);
    expect(await seenBy(bob)).toEqual(nothing);
    expect(await on.privacy.set(ada, false)).toEqual({ private: false });
    expect(await Promise.all([ada, bob, cleo, null].map(seenBy))).toEqual([all, all, all, all]);
  });

  test("is what the operator lets new accounts begin as", async () => {
    const isPrivate = async ({ id }: { id: string }) =>
      (await on.profiles.get(null, id))?.isPrivate;
    expect(await isPrivate(await on.signUp("Public Person"))).toBe(false);
    await on.operatorSettings.set("new-accounts", "private");
    expect(await isPrivate(await on.signUp("Private Person"))).toBe(true);
    await on.operatorSettings.set("new-accounts", "public");
  });
});
