import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let ada: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  ada = await on.member();
});

async function read({ author, number }: MadePost, viewer: Viewer | null = null): Promise<FeedPost> {
  const post = await on.posts.get(viewer, author.username, number);
  if (!post) throw new Error("the post is gone");
  return post;
}

type Input = Parameters<TestFeatures["posts"]["edit"]>[3];

async function edit(post: MadePost, input: Omit<Input, "version">): Promise<FeedPost> {
  const { version } = await read(post);
  await on.posts.edit(post.author, post.author.username, post.number, { version, ...input });
  return read(post);
}

const warned = async (author: Viewer, warning: string, caption = "It bites") =>
  on.publish(author, {
    caption,
    warning,
    pictures: [{ imageId: await on.upload(author), alt: "" }],
  });

describe("a content warning", () => {
  test("is kept as it is cleaned, veils the photos, and one that shows nothing is none", async () => {
    const post = await warned(ada, "  Spiders,\r\nlarge ");
    expect(await read(post)).toMatchObject({ warning: "Spiders,\nlarge", sensitive: true });
    for (const blank of ["", "  ", "\u200b", null]) {
      const plain = await on.publish(ada, { caption: "A garden", warning: blank });
      expect(await read(plain)).toMatchObject({ warning: null, sensitive: false });
    }
    const veiled = await on.publish(ada, { caption: "A garden", sensitive: true });
    expect(await read(veiled)).toMatchObject({ warning: null, sensitive: true });
  });

  test("has 200 characters as people count them, and not one more", async () => {
    const { graphemes } = limits.warning;
    const family = "👨‍👩‍👧".repeat(50) + "x".repeat(graphemes - 50);
    expect((await read(await warned(ada, family))).warning).toBe(family);
    await expect(warned(ada, `${family}x`)).rejects.toMatchObject({
      code: "input-invalid",
      fields: { warning: "A content warning can have 200 characters; this is 1 too many." },
    });
    await expect(warned(ada, `x${"\u0301".repeat(4000)}`)).rejects.toMatchObject({
      fields: { warning: expect.stringContaining("too many combined characters") },
    });
  });

  test("is added, changed and taken away by edits, which people see; the photos stay veiled", async () => {
    const post = await on.photoPost(ada, "It bites");
    expect(await edit(post, { sensitive: true })).toMatchObject({ editedAt: null, version: 1 });
    const after = await edit(post, { warning: "Spiders" });
    expect(after).toMatchObject({ warning: "Spiders", sensitive: true, caption: "It bites" });
    expect(after.editedAt).not.toBeNull();
    expect(await edit(post, { caption: "It bit me" })).toMatchObject({ warning: "Spiders" });
    expect(await edit(post, { sensitive: false })).toMatchObject({ sensitive: true });
    const bare = await edit(post, { warning: null });
    expect(bare).toMatchObject({ warning: null, sensitive: true });
    expect(await edit(post, { sensitive: false })).toMatchObject({ sensitive: false });
    const said = await on.posts.earlierVersions(ada, ada.username, post.number);
    expect(said.map(({ caption, warning }) => [caption, warning])).toEqual([
      ["It bit me", "Spiders"],
      ["It bites", "Spiders"],
      ["It bites", null],
    ]);
  });

  test("without a veil is refused by the database too, and so is one of no letters", async () => {
    const { postId } = await warned(ada, "Spiders");
    for (const change of ["sensitive = false", "warning = ''", "warning = repeat('x', 3201)"]) {
      await expect(query(db, `update posts set ${change} where id = $1`, [postId])).rejects.toThrow(
        /check constraint/,
      );
    }
  });

  test("hides the post from who muted a word in it", async () => {
    const reader = await on.member("Muting");
    const post = await warned(ada, "Huge spiders", "No harm");
    await on.follows.follow(reader, ada.id);
    const shown = async (mutedWords: string[]) =>
      (await on.feed.home({ ...reader, mutedWords }, null)).items.map(({ id }) => id);
    expect(await shown([])).toContain(post.postId);
    expect(await shown(["spiders"])).not.toContain(post.postId);
  });

  test("stands in notifications in place of the words and the photo", async () => {
    const bob = await on.member("Bob");
    await warned(ada, "Spiders", `It bites @${bob.username}`);
    const plain = await warned(ada, "", `A garden @${bob.username}`);
    const { items } = await on.notifications.list(bob, "mentions", null);
    expect(items.map(({ text, post }) => [text, post?.picture?.key ?? null])).toEqual([
      [`A garden @${bob.username}`, (await read(plain)).pictures[0]?.key],
      ["Spiders", null],
    ]);
    expect(items.map(({ post }) => post?.hasPicture)).toEqual([true, true]);
  });

  test("comes with the tiles of grids, and the photo is on no card of a suggested account", async () => {
    const author = await on.member("Cleo");
    await warned(author, "Spiders");
    await on.photoPost(author, "", ["a boat"]);
    const { items } = await on.posts.photosOf(null, author.id, null);
    expect(items.map(({ warning, sensitive }) => [warning, sensitive])).toEqual([
      [null, false],
      ["Spiders", true],
    ]);
    const viewer = await on.member("Viewer");
    const card = (await on.suggestions.list(viewer)).find(({ id }) => id === author.id);
    expect(card?.photos.map(({ alt }) => alt)).toEqual(["a boat"]);
  });

  test("stands above the words in a report", async () => {
    const reporter = await on.member("Reporter");
    const { number } = await warned(ada, "Spiders");
    const reported = { kind: "post", author: ada.username, number } as const;
    await on.reports.report(reporter, reported, { reason: "spam", words: "" });
    const moderator = { ...(await on.member("Moderator")), moderator: true };
    const { items } = await on.moderation.queue(moderator, null);
    expect(items.map(({ said }) => said)).toEqual(["Content warning: Spiders\nIt bites"]);
  });

  test("leaves hashtags and mentions as they are", async () => {
    const { postId } = await warned(ada, "Spiders", "#arachnids");
    const { items } = await on.tags.posts(null, "arachnids", null);
    expect(items.map(({ id }) => id)).toEqual([postId]);
  });
});
