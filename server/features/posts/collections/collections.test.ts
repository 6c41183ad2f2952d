import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let ada: Viewer;
let bob: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

const captionsIn = async (viewer: Viewer, id: string) =>
  (await on.collections.posts(viewer, id, null)).items.map(({ caption }) => caption);

const refOf = ({ authorId, postId }: MadePost) => ({ authorId, postId });

async function two(): Promise<[Viewer, Viewer]> {
  return [await on.member("Ada"), await on.member("Bob")];
}

describe("a post", () => {
  test("goes into several collections and a new one, saved at once, latest added first", async () => {
    [ada, bob] = await two();
    const [photo, words] = [await on.photoPost(ada, "photo"), await on.textPost(ada, "words")];
    const [one, other] = [
      await on.collections.create(bob, { title: " One " }),
      await on.collections.create(bob, { title: "Other" }),
    ];
    expect(one).toMatchObject({ title: "One", cover: null });
    const chosen = { collections: [one.id, other.id], title: "New", clientKey: "key" };
    const into = await on.collections.setOfPost(bob, photo, chosen);
    expect(into).toHaveLength(3);
    expect(await on.collections.setOfPost(bob, photo, chosen)).toEqual(into);
    await on.collections.setOfPost(bob, words, { collections: [one.id] });
    expect(await captionsIn(bob, one.id)).toEqual(["words", "photo"]);
    expect((await on.bookmarks.list(bob, "texts", null)).items).toHaveLength(1);
    const all = await on.collections.list(bob);
    expect(all.map(({ title, cover }) => [title, cover !== null])).toEqual([
      ["New", true],
      ["Other", true],
      ["One", true],
    ]);

    await on.collections.setOfPost(bob, photo, { collections: [other.id] });
    expect(await captionsIn(bob, one.id)).toEqual(["words"]);
    expect((await on.bookmarks.list(bob, "photos", null)).items).toHaveLength(1);
  });

  test("that is unsaved or deleted is in none any more", async () => {
    [ada, bob] = await two();
    const [kept, gone] = [await on.photoPost(ada, "kept"), await on.photoPost(ada, "gone")];
    const { id } = await on.collections.create(bob, { title: "All" });
    for (const post of [kept, gone]) {
      await on.collections.setOfPost(bob, post, { collections: [id] });
    }
    await on.posts.remove(ada, ada.username, gone.number);
    expect(await captionsIn(bob, id)).toEqual(["kept"]);
    await on.bookmarks.unsave(bob, kept);
    await on.bookmarks.save(bob, kept);
    expect(await captionsIn(bob, id)).toEqual([]);
  });

  test("is shown while it may be seen, and stands for its collection as long", async () => {
    [ada, bob] = await two();
    const post = await on.photoPost(ada, "mine");
    const { id } = await on.collections.create(bob, { title: "All" });
    await on.collections.setOfPost(bob, post, { collections: [id] });
    const shown = async () => [
      (await captionsIn(bob, id)).length,
      (await on.collections.get(bob, id)).cover !== null,
    ];
    expect(await shown()).toEqual([1, true]);
    const narrowed = { version: 0, audience: "only-me" } as const;
    await on.posts.edit(ada, ada.username, post.number, narrowed);
    expect(await shown()).toEqual([0, false]);
    await on.posts.edit(ada, ada.username, post.number, { version: 1, audience: "everyone" });
    expect(await shown()).toEqual([1, true]);
    const unseen = on.collections.setOfPost(
      bob,
      { authorId: ada.id, postId: newId() },
      { collections: [] },
    );
    await expect(unseen).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("a collection", () => {
  test("takes saved posts by the page, and no others", async () => {
    [ada, bob] = await two();
    const posts = [await on.photoPost(ada, "a"), await on.photoPost(ada, "b")];
    const unsaved = await on.photoPost(ada, "c");
    for (const post of posts) await on.bookmarks.save(bob, post);
    const { id } = await on.collections.create(bob, { title: "All" });
    const put = [...posts.toReversed(), unsaved].map(refOf);
    await on.collections.change(bob, id, { put });
    await on.collections.change(bob, id, { put });
    expect(await captionsIn(bob, id)).toEqual(["b", "a"]);
    const [first] = put;
    expect(await on.collections.among(bob, id, put)).toHaveLength(2);
    await on.collections.change(bob, id, { takeOut: first ? [first] : [] });
    expect(await captionsIn(bob, id)).toEqual(["a"]);
    expect((await on.bookmarks.list(bob, "photos", null)).items).toHaveLength(2);
  });

  test("is its owner's alone: nobody else reads, changes or fills it", async () => {
    [ada, bob] = await two();
    const post = await on.photoPost(ada, "photo");
    const { id } = await on.collections.create(bob, { title: "Mine" });
    await on.collections.setOfPost(bob, post, { collections: [id] });
    const refused = [
      () => on.collections.get(ada, id),
      () => on.collections.edit(ada, id, { title: "Theirs" }),
      () => on.collections.remove(ada, id),
      () => on.collections.change(ada, id, { takeOut: [refOf(post)] }),
      () => on.collections.get(bob, "none"),
      () => on.collections.remove(bob, newId()),
    ];
    for (const act of refused) await expect(act()).rejects.toMatchObject({ code: "not-found" });
    expect(await on.collections.posts(ada, id, null)).toMatchObject({ items: [] });
    expect(await on.collections.list(ada)).toEqual([]);
    expect(await on.collections.setOfPost(ada, post, { collections: [id] })).toEqual([]);
    expect(await on.collections.list(bob)).toMatchObject([{ title: "Mine" }]);
    expect(await captionsIn(bob, id)).toEqual(["photo"]);
  });

  test("is renamed and deleted; its posts stay saved", async () => {
    [ada, bob] = await two();
    const post = await on.photoPost(ada, "photo");
    const { id } = await on.collections.create(bob, { title: "Old", clientKey: "again" });
    expect(await on.collections.create(bob, { title: "Old", clientKey: "again" })).toMatchObject({
      id,
    });
    await on.collections.setOfPost(bob, post, { collections: [id] });
    expect(await on.collections.edit(bob, id, { title: "New" })).toMatchObject({ title: "New" });
    for (const title of ["", " ​", "x".repeat(101)]) {
      await expect(on.collections.edit(bob, id, { title })).rejects.toMatchObject({
        code: "input-invalid",
      });
    }
    await on.collections.remove(bob, id);
    expect(await on.collections.list(bob)).toEqual([]);
    expect((await on.bookmarks.list(bob, "photos", null)).items).toHaveLength(1);
  });

  test("is the last of 100, however many are made at once", async () => {
    bob = await on.member("Bob");
    const owner = bob;
    for (let n = 2; n <= limits.collections.ofOne; n += 1) {
      await on.collections.create(owner, { title: `${n}` });
    }
    const made = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => on.collections.create(owner, { title: `one of ${n}` })),
    );
    const refused = made.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(7);
    expect(refused[0]).toMatchObject({ reason: { code: "collections-full" } });
    expect(await on.collections.list(owner)).toHaveLength(limits.collections.ofOne);
  });

  test("takes 10,000 posts and not one more, of which nothing is lost", async () => {
    [ada, bob] = await two();
    const { id } = await on.collections.create(bob, { title: "Full" });
    const [last, over] = [await on.photoPost(ada, "last"), await on.photoPost(ada, "over")];
    const rows = [bob.id, limits.collections.posts - 1];
    await query(
      db,
      `insert into bookmarks (account_id, author_id, post_id, id, has_picture)
      select $1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), true
      from generate_series(1, $2)`,
      rows,
    );
    await query(
      db,
      `insert into collection_items (account_id, collection_id, author_id, post_id, id)
      select account_id, $2, author_id, post_id, id from bookmarks where account_id = $1`,
      [bob.id, id],
    );
    await on.collections.setOfPost(bob, last, { collections: [id] });
    const one = on.collections.setOfPost(bob, over, { collections: [id], title: "Also" });
    await expect(one).rejects.toMatchObject({ code: "collection-full" });
    expect(await on.collections.list(bob)).toHaveLength(1);
    await on.bookmarks.save(bob, over);
    const several = on.collections.change(bob, id, { put: [refOf(last), refOf(over)] });
    await expect(several).rejects.toMatchObject({ code: "collection-full" });
    await on.collections.change(bob, id, { put: [refOf(over)], takeOut: [refOf(last)] });
    expect(await captionsIn(bob, id)).toContain("over");
  });
});
