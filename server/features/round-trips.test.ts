import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { Viewer } from "#shared/views.ts";

let on: TestFeatures;
let db: Database;
let sent: string[] = [];
/** Every statement that a counted read sent. */
const read: string[] = [];
let viewer: Viewer;
let one: Viewer;
let many: Viewer;

/** Statements that a read sent to PostgreSQL. */
async function roundTrips(ask: () => Promise<unknown>): Promise<number> {
  sent = [];
  await ask();
  read.push(...sent);
  return sent.length;
}

beforeAll(async () => {
  ({ db } = await freshDatabase((text) => void sent.push(text)));
  on = testFeatures(db);
  viewer = await on.member("Viewer");
  [one, many] = [await on.member("One"), await on.member("Many")];
  const fans = await on.members(20);
  for (const [author, count] of [
    [one, 1],
    [many, 20],
  ] as const) {
    for (let i = 0; i < count; i += 1) {
      const fan = fans[i] as Viewer;
      const posts = [await on.photoPost(author, "photo", ["a", "b"]), await on.textPost(author)];
      for (const post of posts) {
        await on.comments.add(fan, post, "first", null);
        await on.comments.add(viewer, post, "second", null);
        await on.likes.like(viewer, post);
      }
      for (const post of posts) await on.bookmarks.save(author, post);
      await on.follows.follow(fan, author.id);
      await on.follows.follow(author, fan.id);
    }
  }
});

describe("round trips", () => {
  test.each([
    [
      "home",
      2,
      (who: Viewer) => async () => {
        const reader = await on.member("Reader");
        await on.follows.follow(reader, who.id);
        sent = [];
        return on.feed.home(reader, null);
      },
    ],
    [
      "home, opened",
      2,
      (who: Viewer) => async () => {
        const reader = await on.member("Reader");
        await on.follows.follow(reader, who.id);
        sent = [];
        return on.feed.visit(reader, 20);
      },
    ],
    ["people to follow", 1, (who: Viewer) => () => on.suggestions.list(who)],
    ["a profile", 1, (who: Viewer) => () => on.profiles.get(viewer, who.id)],
    ["its photos", 1, (who: Viewer) => () => on.posts.photosOf(viewer, who.id, null)],
    ["its texts", 1, (who: Viewer) => () => on.posts.textsOf(viewer, who.id, null)],
    ["its followers", 1, (who: Viewer) => () => on.follows.followers(viewer, who.id, null)],
    ["whom it follows", 1, (who: Viewer) => () => on.follows.following(viewer, who.id, null)],
    ["bookmarked photos", 1, (who: Viewer) => () => on.bookmarks.list(who, "photos", null)],
    ["saved texts", 1, (who: Viewer) => () => on.bookmarks.list(who, "texts", null)],
    ["the number of bookmarks", 1, (who: Viewer) => () => on.bookmarks.counts(who)],
    ["a post", 1, (who: Viewer) => () => on.posts.get(viewer, who.username, 1)],
    ["a post by email", 1, (who: Viewer) => () => on.posts.get(viewer, who.email, 1)],
    ["recent photos", 2, (who: Viewer) => () => on.explore.recent(who, null)],
    ["the landing page", 2, () => () => on.explore.landing()],
    ["a search", 1, (who: Viewer) => () => on.search.accounts(viewer, who.name, null)],
  ])("%s takes %i, with one thing to show and with twenty", async (_what, count, readOf) => {
    expect(await roundTrips(readOf(one))).toBe(count);
    expect(await roundTrips(readOf(many))).toBe(count);
  });

  test("comments take 1", async () => {
    const few = await on.textPost(viewer);
    const lots = await on.textPost(viewer);
    await on.comments.add(one, few, "one", null);
    for (let i = 0; i < 20; i += 1) await on.comments.add(many, lots, `${i}`, null);
    expect(await roundTrips(() => on.comments.list(one, few, null))).toBe(1);
    expect(await roundTrips(() => on.comments.list(one, lots, null))).toBe(1);
  });

  test("a like, a comment and a message take few more statements than one another", async () => {
    const { number } = await on.textPost(one);
    const at = { address: one.username, number };
    await on.follows.follow(viewer, many.id);
    await on.follows.follow(many, viewer.id);
    const words = { body: "Hello", picture: null, clientKey: null };
    const { conversationId } = await on.chat.send(many, chatIdOf(many, viewer), words);
    // With begin and commit, without the count of what one writes in an hour.
    expect(await roundTrips(() => on.likes.like(viewer, at))).toBe(4);
    expect(await roundTrips(() => on.comments.add(viewer, at, "Hello", null))).toBe(6);
    expect(await roundTrips(() => on.chat.send(viewer, conversationId, words))).toBe(5);
    // Beside a post that may be hidden, any plan without values would look dear, and none be kept.
    expect(sent.filter((text) => /\bfrom posts\b/.test(text))).toEqual([]);
  });

  test("no read uses offset to skip rows", async () => {
    expect(read.length).toBeGreaterThan(25);
    for (const statement of read) expect(statement).not.toMatch(/\boffset\b/i);
  });
});
