import { beforeAll, describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";

let on: TestFeatures;

beforeAll(async () => {
  const { db } = await freshDatabase();
  on = testFeatures(db);
});

describe("the two tabs of a profile", () => {
  test("have photos newest first with their first photo, and texts newest first", async () => {
    const ada = await on.member();
    const first = await on.photoPost(ada, "one", ["a", "b"]);
    const words = await on.textPost(ada, "two");
    const last = await on.photoPost(ada, "three", ["c"]);
    const photos = await on.posts.photosOf(null, ada.id, null);
    expect(photos.items).toMatchObject([
      { id: last.postId, number: 3, pictureCount: 1, picture: { alt: "c" } },
      { id: first.postId, number: 1, pictureCount: 2, picture: { alt: "a" } },
    ]);
    expect(photos.items[0]?.authorUsername).toBe(ada.username);
    const texts = await on.posts.textsOf(ada, ada.id, null);
    expect(texts.items).toMatchObject([{ id: words.postId, caption: "two", mine: true }]);
    expect([photos.nextCursor, texts.nextCursor]).toEqual([null, null]);
  });

  test("page without gaps or duplicates while posts are added and deleted", async () => {
    const ada = await on.member();
    const made = [];
    for (let i = 1; i <= 50; i += 1) made.push(await on.textPost(ada, `${i}`));
    const seen: number[] = [];
    let cursor: string | null = null;
    do {
      const page = await on.posts.textsOf(null, ada.id, cursor);
      seen.push(...page.items.map(({ number }) => number));
      cursor = page.nextCursor;
      await on.textPost(ada, "meanwhile");
      // the post that the cursor points to is deleted
      await on.posts.remove(ada, ada.username, seen.at(-1) as number);
    } while (cursor);
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => 50 - i));
  });

  test("end exactly: a full last page has no next one", async () => {
    const ada = await on.member();
    for (let i = 0; i < 20; i += 1) await on.textPost(ada);
    expect((await on.posts.textsOf(null, ada.id, null)).nextCursor).toBeNull();
    await on.textPost(ada);
    expect((await on.posts.textsOf(null, ada.id, null)).nextCursor).not.toBeNull();
    expect(await everyPage((cursor) => on.posts.textsOf(null, ada.id, cursor))).toHaveLength(21);
  });

  test("are empty for ids that name nobody, and refuse invalid cursors", async () => {
    const nobody = ["nonsense", "", "00000000-0000-7000-8000-000000000000", "a\u0000"];
    for (const id of nobody) {
      expect(await on.posts.photosOf(null, id, null)).toEqual({ items: [], nextCursor: null });
      expect(await on.posts.textsOf(null, id, null)).toEqual({ items: [], nextCursor: null });
    }
    const id = nobody[2] as string;
    const broken = ["", "x", "WyJub25zZW5zZSJd", "bnVsbA", "\u0000", "A".repeat(100_000)];
    for (const cursor of broken) {
      const refused = { code: "input-invalid" };
      await expect(on.posts.photosOf(null, id, cursor), cursor).rejects.toMatchObject(refused);
      await expect(on.posts.textsOf(null, id, cursor), cursor).rejects.toMatchObject(refused);
    }
  });
});
