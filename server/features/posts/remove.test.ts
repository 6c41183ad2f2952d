import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

/** Rows of everything that can be attached to a post. */
async function rowsOf(postId: string) {
  const tables = ["posts", "post_pictures", "likes", "comments", "bookmarks"] as const;
  const counts = tables.map(async (table) => {
    const column = table === "posts" ? "id" : "post_id";
    const text = `select count(*)::int as n from ${table} where ${column} = $1`;
    const [row] = await query<{ n: number }>(db, text, [postId]);
    return row?.n;
  });
  return Promise.all(counts);
}

async function isStored(key: string): Promise<boolean> {
  const file = await on.store.open(key, 96);
  await file?.close();
  return file !== null;
}

describe("deleting a post", () => {
  test("takes comments, likes, everybody's bookmarks and the image files with it", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const [post, other] = [await on.photoPost(ada, "gone"), await on.photoPost(ada, "stays")];
    for (const who of [ada, bob]) {
      for (const which of [post, other]) {
        await on.likes.like(who, which);
        await on.bookmarks.save(who, which);
        await on.comments.add(who, which, "Hello", null);
      }
    }
    expect(await rowsOf(post.postId)).toEqual([1, 1, 2, 2, 2]);
    const key = (await on.posts.get(null, ada.username, post.number))?.pictures[0]?.key as string;
    expect(await isStored(key)).toBe(true);

    await on.posts.remove(ada, ada.username, post.number);

    expect(await rowsOf(post.postId)).toEqual([0, 0, 0, 0, 0]);
    expect(await rowsOf(other.postId)).toEqual([1, 1, 2, 2, 2]);
    expect(await isStored(key)).toBe(false);
    expect(await on.store.openOriginal(key)).toBeNull();
    expect(await on.posts.get(ada, ada.username, post.number)).toBeNull();
    expect((await on.bookmarks.list(bob, "photos", null)).items).toMatchObject([
      { id: other.postId },
    ]);
    expect((await on.profiles.get(null, ada.id))?.counts).toMatchObject({ posts: 1, photos: 1 });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("never gives its number to another post", async () => {
    const ada = await on.member();
    await on.textPost(ada);
    const last = await on.textPost(ada);
    await on.posts.remove(ada, ada.username, last.number);
    expect((await on.textPost(ada)).number).toBe(3);
  });

  test("is its author's alone, and works once", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const { number } = await on.textPost(ada);
    await expect(on.posts.remove(bob, ada.username, number)).rejects.toMatchObject({
      code: "not-yours",
    });
    const both = await Promise.allSettled([
      on.posts.remove(ada, ada.username, number),
      on.posts.remove(ada, ada.username, number),
    ]);
    const outcomes = both.map((one) => (one.status === "rejected" ? one.reason.code : "deleted"));
    expect(outcomes.toSorted()).toEqual(["deleted", "not-found"]);
    expect((await on.profiles.get(null, ada.id))?.counts.posts).toBe(0);
  });

  test("leaves nothing behind when people like, bookmark and comment in the same moment", async () => {
    const ada = await on.member();
    const people = await on.members(8);
    for (let round = 0; round < 5; round += 1) {
      const post = await on.textPost(ada, `Round ${round}`);
      const settled = await Promise.allSettled([
        ...people.map((one) => on.likes.like(one, post)),
        ...people.map((one) => on.bookmarks.save(one, post)),
        ...people.map((one) => on.comments.add(one, post, "Wait", null)),
        on.posts.remove(ada, ada.username, post.number),
        ...people.map((one) => on.likes.unlike(one, post)),
      ]);
      const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      for (const reason of refused) expect(reason).toMatchObject({ code: "not-found" });
      expect(settled[people.length * 3]?.status).toBe("fulfilled");
      expect(await rowsOf(post.postId)).toEqual([0, 0, 0, 0, 0]);
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });
});
