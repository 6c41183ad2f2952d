import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import {
  everyPage,
  testFeatures,
  type MadePost,
  type TestFeatures,
} from "#server/test/factories.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

describe("saving", () => {
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
    // saving again does not move it to the front
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

  test("pages without gaps or doubles while posts are unsaved and deleted", async () => {
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
      // the newest and the one the cursor stands on
      await on.posts.remove(ada, ada.username, 46 - turn);
      const last = made.find(({ postId }) => postId === page.items.at(-1)?.id);
      if (last) await on.bookmarks.unsave(bob, last);
      return page;
    });
    expect(seen.map(({ number }) => number)).toEqual(Array.from({ length: 45 }, (_, i) => 45 - i));
  });

  test("of what is not there is refused; letting go of it is not", async () => {
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
