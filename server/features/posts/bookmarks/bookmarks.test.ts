import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import {
  everyPage,
  testFeatures,
  type MadePost,
  type TestFeatures,
} from "#server/test/factories.ts";

let db: Database;
let on: TestFeatures;
let sent: string[] = [];

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
});

describe("bookmarking", () => {
  test("keeps photos and texts apart, latest saved first, for its owner only", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const [photo, words, late] = [
      await on.photoPost(ada, "photo"),
      await on.textPost(ada, "words"),
      await on.photoPost(bob, "late"),
    ];
    await on.bookmarks.save(bob, late);
    expect(await on.bookmarks.save(bob, photo)).toEqual({ saved: true });
    expect(await on.bookmarks.save(bob, photo)).toEqual({ saved: true });
    await on.bookmarks.save(bob, words);
    // bookmarking again does not move it to the front
    await on.bookmarks.save(bob, late);
    const captions = async (viewer: typeof bob, kind: "photos" | "texts") =>
      (await on.bookmarks.list(viewer, kind, null)).items.map(({ caption }) => caption);
    expect(await captions(bob, "photos")).toEqual(["photo", "late"]);
    expect(await captions(bob, "texts")).toEqual(["words"]);
    expect(await captions(ada, "photos")).toEqual([]);
    expect((await on.bookmarks.list(bob, "photos", null)).items[0]).toMatchObject({
      saved: true,
      mine: false,
      author: { name: "Ada" },
      pictures: [{ width: 96 }],
    });
    expect((await on.posts.get(ada, ada.username, photo.number))?.saved).toBe(false);

    expect(await on.bookmarks.unsave(bob, photo)).toEqual({ saved: false });
    expect(await on.bookmarks.unsave(bob, photo)).toEqual({ saved: false });
    expect(await captions(bob, "photos")).toEqual(["late"]);
    expect((await on.posts.get(bob, ada.username, photo.number))?.saved).toBe(false);
  });

  test("is one statement, by key and by address, and so is removing a bookmark", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const photo = await on.photoPost(ada, "photo");
    for (const at of [photo, { address: ada.username, number: photo.number }]) {
      for (const saved of [true, true, false, false]) {
        sent = [];
        await (saved ? on.bookmarks.save : on.bookmarks.unsave)(bob, at);
        expect(sent).toHaveLength(1);
        expect((await on.bookmarks.list(bob, "photos", null)).items).toHaveLength(Number(saved));
      }
    }
    for (const at of [
      { address: ada.username, number: 2 },
      { address: "nobody_is_here", number: 1 },
    ]) {
      await expect(on.bookmarks.save(bob, at)).rejects.toMatchObject({ code: "not-found" });
      await expect(on.bookmarks.unsave(bob, at)).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("while a post is deleted is refused, or goes with it", async () => {
    const [ada, ...others] = await on.members(9);
    if (!ada) throw new Error("somebody was asked for");
    const post = await on.textPost(ada);
    const at = { address: ada.username, number: post.number };
    await Promise.allSettled([
      ...others.slice(0, 4).map((one) => on.bookmarks.save(one, at)),
      on.posts.remove(ada, ada.username, post.number),
      ...others.slice(4).map((one) => on.bookmarks.save(one, post)),
    ]);
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("pages without gaps or duplicates while bookmarks are removed and posts deleted", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const made: MadePost[] = [];
    for (let i = 0; i < 45; i += 1) {
      const post = await on.textPost(ada, `${i}`);
      await on.bookmarks.save(bob, post);
      made.push(post);
    }
    let turn = 0;
    const seen = await everyPage(async (cursor) => {
      const page = await on.bookmarks.list(bob, "texts", cursor);
      turn += 1;
      // the newest one and the one that the cursor points to
      await on.posts.remove(ada, ada.username, 46 - turn);
      const last = made.find(({ postId }) => postId === page.items.at(-1)?.id);
      if (last) await on.bookmarks.unsave(bob, last);
      return page;
    });
    expect(seen.map(({ number }) => number)).toEqual(Array.from({ length: 45 }, (_, i) => 45 - i));
  });

  test("a missing post is refused; removing such a bookmark is not", async () => {
    const ada = await on.member();
    const post = await on.textPost(ada);
    await on.bookmarks.save(ada, post);
    await on.posts.remove(ada, ada.username, post.number);
    await expect(on.bookmarks.save(ada, post)).rejects.toMatchObject({ code: "not-found" });
    expect(await on.bookmarks.unsave(ada, post)).toEqual({ saved: false });
    const nonsense = { authorId: "x", postId: "\u0000" };
    await expect(on.bookmarks.save(ada, nonsense)).rejects.toMatchObject({ code: "not-found" });
    await expect(on.bookmarks.unsave(ada, nonsense)).rejects.toMatchObject({ code: "not-found" });
  });
});
