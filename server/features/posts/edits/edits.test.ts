import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

type Input = Parameters<TestFeatures["posts"]["edit"]>[3];

/** The current post; fails where there is none. */
async function read({ author, number }: MadePost, viewer: Viewer | null = null): Promise<FeedPost> {
  const post = await on.posts.get(viewer, author.username, number);
  if (!post) throw new Error("the post is gone");
  return post;
}

/** Edits the current version of a post. */
async function edit(post: MadePost, input: Omit<Input, "version">): Promise<FeedPost> {
  const { version } = await read(post);
  await on.posts.edit(post.author, post.author.username, post.number, { version, ...input });
  return read(post);
}

async function isStored(key: string): Promise<boolean> {
  const file = await on.store.open(key, 96);
  await file?.close();
  return file !== null;
}

const notificationsOf = async (who: Viewer) =>
  (await on.notifications.list(who, "mentions", null)).items;
const alts = ({ pictures }: FeedPost) => pictures.map(({ alt }) => alt);
const code = (ended: PromiseSettledResult<unknown>) =>
  ended.status === "rejected" ? (ended.reason as { code?: string }).code : "done";

describe("editing a post", () => {
  test("changes its words, marks it with the time, and keeps likes, comments and bookmarks", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const post = await on.photoPost(ada, "Teh sea", ["waves"]);
    await on.likes.like(bob, post);
    await on.bookmarks.save(bob, post);
    await on.comments.add(bob, post, "Lovely", null);
    const before = await read(post);
    expect(before).toMatchObject({ editedAt: null, version: 0 });
    const after = await edit(post, { caption: " The sea\r\n " });
    expect(after.editedAt).toBeGreaterThanOrEqual(before.createdAt);
    expect(after).toEqual({ ...before, caption: "The sea", editedAt: after.editedAt, version: 1 });
    expect(await read(post, bob)).toMatchObject({ liked: true, saved: true, mine: false });
  });

  test("reorders photos, removes some for good and adds others", async () => {
    const ada = await on.member();
    const post = await on.photoPost(ada, "", ["one", "two", "three"]);
    const [one, two, three] = (await read(post)).pictures.map(({ key }) => key) as [
      string,
      string,
      string,
    ];
    const imageId = await on.upload(ada);
    const after = await edit(post, {
      pictures: [{ key: three }, { imageId, alt: "four" }, { key: one, alt: "first" }],
    });
    expect(alts(after)).toEqual(["three", "four", "first"]);
    expect(after.pictures.map(({ key }) => key)).toEqual([three, expect.any(String), one]);
    expect(after.editedAt).not.toBeNull();
    expect([await isStored(one), await isStored(two), await isStored(three)]).toEqual([
      true,
      false,
      true,
    ]);
    expect(await on.store.openOriginal(two)).toBeNull();
    expect(await on.images.find(two, 96)).toBeNull();
    // removed photos can no longer be fetched or counted
    await expect(edit(post, { pictures: [{ key: two }] })).rejects.toMatchObject({
      code: "picture-unknown",
    });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("does not mark the post for a better description", async () => {
    const ada = await on.member();
    const post = await on.photoPost(ada, "Sea", [""]);
    const [picture] = (await read(post)).pictures;
    const after = await edit(post, { pictures: [{ key: picture?.key ?? "", alt: "Grey waves" }] });
    expect(alts(after)).toEqual(["Grey waves"]);
    expect(after).toMatchObject({ editedAt: null, version: 1 });
    expect(await on.posts.earlierVersions(ada, ada.username, post.number)).toEqual([]);
  });

  test("moves a post between the tabs of profiles and of bookmarks", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const post = await on.textPost(ada, "Soon with a photo");
    await on.bookmarks.save(bob, post);
    const tabs = async () => [
      (await on.posts.photosOf(null, ada.id, null)).items.length,
      (await on.posts.textsOf(null, ada.id, null)).items.length,
      (await on.bookmarks.list(bob, "photos", null)).items.length,
      (await on.bookmarks.list(bob, "texts", null)).items.length,
    ];
    const photos = async () => (await on.profiles.get(null, ada.id))?.counts.photos;
    expect(await tabs()).toEqual([0, 1, 0, 1]);
    await edit(post, { pictures: [{ imageId: await on.upload(ada), alt: "" }] });
    expect(await tabs()).toEqual([1, 0, 1, 0]);
    expect(await photos()).toBe(1);
    await edit(post, { pictures: [] });
    expect(await tabs()).toEqual([0, 1, 0, 1]);
    expect((await on.profiles.get(null, ada.id))?.counts).toMatchObject({ posts: 1, photos: 0 });
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("leaves words or a photo, and allows no more than ten photos", async () => {
    const ada = await on.member();
    const [text, photo] = [await on.textPost(ada), await on.photoPost(ada, "Sea")];
    const nothing = { code: "post-empty" };
    await expect(edit(text, { caption: " \u200b" })).rejects.toMatchObject(nothing);
    await expect(edit(photo, { caption: "", pictures: [] })).rejects.toMatchObject(nothing);
    const many = Array.from({ length: 11 }, () => ({ key: "a" }));
    await expect(edit(photo, { pictures: many })).rejects.toMatchObject({ code: "input-invalid" });
    await expect(edit(photo, { caption: "x".repeat(2201) })).rejects.toMatchObject({
      code: "input-invalid",
      fields: { caption: expect.stringContaining("1 too many") },
    });
    expect(await edit(photo, { caption: "" })).toMatchObject({ caption: "", version: 1 });
  });

  test("refuses a photo of somebody else, of another post, named twice, or that does not exist", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const [post, other] = [await on.photoPost(ada), await on.photoPost(ada)];
    const key = (await read(post)).pictures[0]?.key ?? "";
    const foreign = await on.upload(bob);
    const wrong = [
      [{ key: (await read(other)).pictures[0]?.key ?? "" }],
      [{ key }, { key }],
      [{ imageId: foreign }],
      [{ imageId: "nonsense" }],
      [{}],
      [{ key: "gone", imageId: await on.upload(ada) }],
    ];
    for (const pictures of wrong) {
      await expect(edit(post, { pictures }), JSON.stringify(pictures)).rejects.toMatchObject({
        code: "picture-unknown",
      });
    }
    expect(await read(post)).toMatchObject({ version: 0, pictures: [{ key }] });
    expect(await isStored(key)).toBe(true);
  });

  test("is for its author alone, who sees the earlier versions", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob")];
    const post = await on.textPost(ada, "First");
    await edit(post, { caption: "Second" });
    const { editedAt } = await edit(post, { caption: "Third" });
    const versions = await on.posts.earlierVersions(ada, ada.username, post.number);
    expect(versions.map(({ caption }) => caption)).toEqual(["Second", "First"]);
    expect(Math.abs((versions[0]?.replacedAt ?? 0) - (editedAt ?? 0))).toBeLessThan(60_000);
    const where = [ada.username, post.number] as const;
    const yours = { code: "not-yours" };
    await expect(on.posts.earlierVersions(bob, ...where)).rejects.toMatchObject(yours);
    const input = { version: 2, caption: "Bob's" };
    await expect(on.posts.edit(bob, ...where, input)).rejects.toMatchObject(yours);
    await on.blocks.block(ada, bob.id);
    const missing = { code: "not-found" };
    await expect(on.posts.earlierVersions(bob, ...where)).rejects.toMatchObject(missing);
    await expect(on.posts.edit(bob, ...where, input)).rejects.toMatchObject(missing);
    expect(await on.posts.get(bob, ...where)).toBeNull();
  });

  test("stores the newest earlier versions, limited in number and in size", async () => {
    const ada = await on.member();
    const { most, bytes } = limits.earlierVersions;
    const post = await on.textPost(ada, "0");
    for (let n = 1; n <= most + 3; n += 1) await edit(post, { caption: `${n}` });
    const kept = () => on.posts.earlierVersions(ada, ada.username, post.number);
    expect((await kept()).map(({ caption }) => caption)).toEqual(
      Array.from({ length: most }, (_, n) => `${most + 2 - n}`),
    );
    const family = "👨‍👩‍👧‍👦".repeat(2199);
    for (let n = 0; n < 8; n += 1) await edit(post, { caption: `${family}${n}` });
    const size = Buffer.byteLength(family) + 1;
    expect(await kept()).toHaveLength(Math.floor(bytes / size));
  });
});

describe("edits at once", () => {
  test("let one of two through that began from the same version", async () => {
    const ada = await on.member();
    const post = await on.textPost(ada, "Before");
    const ends = await Promise.allSettled(
      ["One", "Two", "Three"].map((caption) =>
        on.posts.edit(ada, ada.username, post.number, { version: 0, caption }),
      ),
    );
    expect(ends.map(code).toSorted()).toEqual(["done", "post-changed", "post-changed"]);
    expect(await read(post)).toMatchObject({ version: 1 });
  });

  test("sent again change nothing, whichever version they name", async () => {
    const ada = await on.member();
    const post = await on.photoPost(ada, "Before", ["a"]);
    const { pictures } = await read(post);
    const again: Input = {
      version: 0,
      caption: "After",
      pictures: [
        { imageId: await on.upload(ada), alt: "b" },
        { key: pictures[0]?.key ?? "", alt: "c" },
      ],
    };
    const where = [ada, ada.username, post.number] as const;
    await Promise.all(Array.from({ length: 4 }, () => on.posts.edit(...where, again)));
    const after = await read(post);
    expect(after).toMatchObject({ version: 1, caption: "After" });
    expect(alts(after)).toEqual(["b", "c"]);
    await on.posts.edit(...where, { ...again, version: 7 });
    expect(await read(post)).toEqual(after);
    expect(await on.posts.earlierVersions(...where)).toHaveLength(1);
  });

  test("and a deletion leave the post deleted, with no file behind", async () => {
    const ada = await on.member();
    for (let round = 0; round < 4; round += 1) {
      const post = await on.photoPost(ada, "Before", ["a", "b"]);
      const keys = (await read(post)).pictures.map(({ key }) => key);
      const where = [ada, ada.username, post.number] as const;
      const edits = on.posts.edit(...where, { version: 0, pictures: [{ key: keys[1] ?? "" }] });
      const ends = await Promise.allSettled([edits, on.posts.remove(...where)]);
      expect(ends[1].status).toBe("fulfilled");
      expect(["done", "not-found"]).toContain(code(ends[0]));
      for (const key of keys) expect(await isStored(key)).toBe(false);
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });

  test("and likes, comments and bookmarks lose none of each other's changes", async () => {
    const ada = await on.member();
    const people = await on.members(6);
    const post = await on.textPost(ada, "Before");
    const imageId = await on.upload(ada);
    await Promise.all([
      ...people.map((one) => on.likes.like(one, post)),
      on.posts.edit(ada, ada.username, post.number, {
        version: 0,
        caption: "After",
        pictures: [{ imageId }],
      }),
      ...people.map((one) => on.bookmarks.save(one, post)),
      ...people.map((one) => on.comments.add(one, post, "Hello", null)),
    ]);
    expect(await read(post)).toMatchObject({
      caption: "After",
      likeCount: people.length,
      commentCount: people.length,
      version: 1,
    });
    for (const one of people) {
      expect((await on.bookmarks.list(one, "photos", null)).items).toHaveLength(1);
      expect((await on.bookmarks.list(one, "texts", null)).items).toHaveLength(0);
    }
    expect(await reconcileCounters(db)).toEqual([]);
  });
});

describe("mentions in an edit", () => {
  test("notify people whom no earlier version named, once", async () => {
    const [ada, bob, cleo] = [
      await on.member(),
      await on.member("Bob Mentioned"),
      await on.member("Cleo Mentioned"),
    ];
    const post = await on.textPost(ada, `With @${bob.username}`);
    expect(await notificationsOf(bob)).toHaveLength(1);
    await on.notifications.markAllRead(bob);
    const both = `With @${bob.username} and @${cleo.username}`;
    const made = Date.now();
    await edit(post, { caption: both });
    expect(await notificationsOf(bob)).toHaveLength(1);
    const [news, ...more] = await notificationsOf(cleo);
    expect(more).toEqual([]);
    expect(news).toMatchObject({
      kind: "mention",
      unread: true,
      text: both,
      people: [{ id: ada.id }],
      post: { path: `/post/${ada.username}/${post.number}` },
      commentId: null,
    });
    // it is as new as the edit, however old the post is
    expect(news?.at).toBeGreaterThanOrEqual(made - 1000);
    await on.notifications.markAllRead(cleo);
    // removed and added again, a name notifies only people it did not notify before
    await edit(post, { caption: "With nobody" });
    await edit(post, { caption: `${both}!` });
    expect(await notificationsOf(bob)).toHaveLength(1);
    expect(await notificationsOf(cleo)).toHaveLength(1);
    await on.posts.remove(ada, ada.username, post.number);
    expect([...(await notificationsOf(bob)), ...(await notificationsOf(cleo))]).toEqual([]);
  });

  test("notify nobody who blocked the author", async () => {
    const [ada, bob] = [await on.member(), await on.member("Bob Blocks")];
    const post = await on.textPost(ada, "Quiet");
    await on.blocks.block(bob, ada.id);
    await edit(post, { caption: `Look, @${bob.username}` });
    await on.blocks.unblock(bob, ada.id);
    expect(await notificationsOf(bob)).toEqual([]);
  });
});

describe("files of removed photos", () => {
  test("are left to the sweep when the process dies between the commit and their removal", async () => {
    const ada = await on.member();
    const post = await on.photoPost(ada, "Sea", ["a", "b"]);
    const keys = (await read(post)).pictures.map(({ key }) => key);
    const { remove } = on.store;
    on.store.remove = async () => {
      throw new Error("died here");
    };
    try {
      await edit(post, { pictures: [{ key: keys[0] ?? "" }] });
    } finally {
      on.store.remove = remove;
    }
    expect(await isStored(keys[1] ?? "")).toBe(true);
    const later = new Date(Date.now() + 3 * 60 * 60 * 1000);
    await on.images.sweep(later);
    expect([await isStored(keys[0] ?? ""), await isStored(keys[1] ?? "")]).toEqual([true, false]);
  });
});

test("counts edits within an hour", async () => {
  const { db: counted } = await freshDatabase();
  const strict = testFeatures(counted, { rateLimits: true });
  const ada = await strict.member();
  const { number } = await strict.textPost(ada, "0");
  const again = (version: number) =>
    strict.posts.edit(ada, ada.username, number, { version, caption: `${version + 1}` });
  const { newcomer } = limits.writes.edits;
  for (let version = 0; version < newcomer; version += 1) await again(version);
  await expect(again(newcomer)).rejects.toMatchObject({ code: "too-many-writes" });
  expect((await strict.posts.get(null, ada.username, number))?.caption).toBe(`${newcomer}`);
});
