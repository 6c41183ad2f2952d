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
let bob: Viewer;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
});

async function read({ author, number }: MadePost): Promise<FeedPost> {
  const post = await on.posts.get(null, author.username, number);
  if (!post) throw new Error("the post is gone");
  return post;
}

async function suggest(who: Viewer, post: MadePost, alt: string, photo = 0) {
  const { pictures } = await read(post);
  const key = pictures[photo]?.key ?? "none";
  return on.altSuggestions.suggest(who, post.author.username, post.number, { key, alt });
}

const take = (who: Viewer, { author, number }: MadePost, id: string) =>
  on.altSuggestions.take(who, author.username, number, id);
const dismiss = (who: Viewer, { author, number }: MadePost, id: string) =>
  on.altSuggestions.dismiss(who, author.username, number, id);
const seen = async (who: Viewer, post: MadePost) =>
  (await on.altSuggestions.ofPost(who, post)).map(({ by, alt }) => `${by.name}: ${alt}`);
const notificationsOf = async (who: Viewer) =>
  (await on.notifications.list(who, "all", null)).items.filter(({ kind }) => kind === "alt");

describe("suggested alt text", () => {
  test("notifies the photo's author, grouped, and is seen only by them and its writer", async () => {
    const cem = await on.member("Cem");
    const post = await on.photoPost(ada, "Sea", ["", ""]);
    await suggest(bob, post, "Grey waves");
    await suggest(cem, post, " A pier\r\n", 1);
    expect(await seen(ada, post)).toEqual(["Bob: Grey waves", "Cem: A pier"]);
    expect(await seen(bob, post)).toEqual(["Bob: Grey waves"]);
    expect(await seen(await on.member("Dan"), post)).toEqual([]);
    expect(await notificationsOf(ada)).toMatchObject([
      { people: [{ name: "Cem" }, { name: "Bob" }], text: "A pier", others: 0, unread: true },
    ]);
    expect(await notificationsOf(bob)).toEqual([]);
  });

  test("is nobody's to make, see or withdraw under a post that one lost", async () => {
    const post = await on.photoPost(ada, "Sea");
    const { id } = await suggest(bob, post, "Grey waves");
    const { pictures } = await read(post);
    const narrow = { version: 0, audience: "followers" } as const;
    await on.posts.edit(ada, ada.username, post.number, narrow);
    expect(await seen(bob, post)).toEqual([]);
    expect(await seen(ada, post)).toEqual(["Bob: Grey waves"]);
    const again = { key: pictures[0]?.key ?? "", alt: "Waves" };
    const never = { code: "not-found" };
    const suggested = on.altSuggestions.suggest(bob, ada.username, post.number, again);
    await expect(suggested).rejects.toMatchObject(never);
    await expect(dismiss(bob, post, id)).rejects.toMatchObject(never);
    await on.posts.edit(ada, ada.username, post.number, { version: 1, audience: "everyone" });
    expect(await seen(bob, post)).toEqual(["Bob: Grey waves"]);
  });

  test("is one for each person and photo: a new one replaces it, under another id", async () => {
    const post = await on.photoPost(ada);
    const { id } = await suggest(bob, post, "Something rude, soon");
    await suggest(bob, post, "Grey waves");
    expect(await seen(ada, post)).toEqual(["Bob: Grey waves"]);
    // what the author read is gone, so they cannot accept a text they have not read
    await expect(take(ada, post, id)).rejects.toMatchObject({ code: "suggestion-gone" });
    const [notice] = await notificationsOf(ada);
    expect(notice).toMatchObject({ people: [{ name: "Bob" }], others: 0, text: "Grey waves" });
  });

  test("is accepted as an edit without a mark, which removes the other suggestions for the photo", async () => {
    const [cem, own] = [await on.member("Cem"), await on.member("Own")];
    const post = await on.photoPost(own, "Sea", ["", ""]);
    const { id } = await suggest(bob, post, "Grey waves");
    await suggest(cem, post, "Water");
    await suggest(cem, post, "A pier", 1);
    await take(own, post, id);
    const after = await read(post);
    expect(after.pictures.map(({ alt }) => alt)).toEqual(["Grey waves", ""]);
    expect(after).toMatchObject({ editedAt: null, version: 1 });
    expect(await seen(own, post)).toEqual(["Cem: A pier"]);
    expect(await notificationsOf(own)).toMatchObject([
      { people: [{ name: "Cem" }], text: "A pier" },
    ]);
    await expect(suggest(bob, post, "Waves")).rejects.toMatchObject({ code: "photo-described" });
    await expect(take(own, post, id)).rejects.toMatchObject({ code: "suggestion-gone" });
  });

  test("is dismissed by the author or withdrawn by its writer, and by nobody else", async () => {
    const [cem, own] = [await on.member("Cem"), await on.member("Own")];
    const post = await on.photoPost(own);
    const { id } = await suggest(bob, post, "One");
    const other = await suggest(cem, post, "Two");
    await expect(dismiss(cem, post, id)).rejects.toMatchObject({ code: "suggestion-gone" });
    await expect(take(cem, post, id)).rejects.toMatchObject({ code: "not-yours" });
    await expect(dismiss(own, post, "nonsense")).rejects.toMatchObject({ code: "suggestion-gone" });
    await dismiss(bob, post, id);
    await dismiss(own, post, other.id);
    expect(await seen(own, post)).toEqual([]);
    expect(await notificationsOf(own)).toEqual([]);
  });

  test("goes with its photo, its post, and a description the author writes", async () => {
    const own = await on.member("Own");
    const [kept, gone] = [await on.photoPost(own, "", ["", "", ""]), await on.photoPost(own)];
    for (const photo of [0, 1, 2]) await suggest(bob, kept, `Photo ${photo}`, photo);
    await suggest(bob, gone, "Of a post that goes");
    const [first, second, third] = (await read(kept)).pictures.map(({ key }) => key);
    await on.posts.edit(own, own.username, kept.number, {
      version: 0,
      pictures: [{ key: third }, { key: first, alt: "My own words" }],
    });
    expect(second).toBeDefined();
    expect(await seen(own, kept)).toEqual(["Bob: Photo 2"]);
    await on.posts.remove(own, own.username, gone.number);
    expect(await notificationsOf(own)).toMatchObject([{ text: "Photo 2" }]);
    const rows = await query(db, "select 1 from alt_suggestions where author_id = $1", [own.id]);
    expect(rows).toHaveLength(1);
  });

  test("is hidden by a block, a mute and a suspension; muted people do not learn that they are muted", async () => {
    const own = await on.member("Own");
    const [blocked, muted, suspended] = await on.members(3);
    if (!blocked || !muted || !suspended) throw new Error("nobody is there");
    const post = await on.photoPost(own);
    for (const who of [blocked, suspended]) await suggest(who, post, "Hm");
    await on.blocks.mute(own, muted.id);
    await on.notifications.markAllRead(own);
    const { id } = await suggest(muted, post, "From afar");
    expect(await seen(muted, post)).toEqual([`${muted.name}: From afar`]);
    await on.blocks.block(own, blocked.id);
    await on.suspend(suspended);
    expect(await seen(own, post)).toEqual([]);
    expect((await notificationsOf(own)).filter(({ unread }) => unread)).toEqual([]);
    await expect(take(own, post, id)).rejects.toMatchObject({ code: "suggestion-gone" });
    await expect(suggest(blocked, post, "Again")).rejects.toMatchObject({ code: "not-found" });
  });

  test("is limited in length and number, and is only for photos of others that have none", async () => {
    const own = await on.member("Own");
    const post = await on.photoPost(own, "", ["", "described"]);
    const invalid = { code: "input-invalid" };
    for (const alt of ["", " \u200b", "x".repeat(limits.altText + 1)]) {
      await expect(suggest(bob, post, alt)).rejects.toMatchObject(invalid);
    }
    await expect(suggest(own, post, "Mine")).rejects.toMatchObject({ code: "own-photo" });
    await expect(suggest(bob, post, "x", 1)).rejects.toMatchObject({ code: "photo-described" });
    await expect(suggest(bob, post, "x", 7)).rejects.toMatchObject({ code: "picture-unknown" });
    const crowd = await on.members(limits.altSuggestionsPerPost + 1);
    const last = crowd.pop();
    if (!last) throw new Error("nobody is there");
    for (const who of crowd) await suggest(who, post, "Waves");
    await expect(suggest(last, post, "Waves")).rejects.toMatchObject({
      code: "alt-suggestions-full",
    });
    // those who suggested something already may improve it
    await suggest(crowd[0] as Viewer, post, "Grey waves");
    expect(await seen(own, post)).toHaveLength(limits.altSuggestionsPerPost);
  });

  test("is subject to the hourly limit", async () => {
    const strict = testFeatures(db, { rateLimits: true });
    const own = await on.member("Own");
    const post = await on.photoPost(own);
    for (let n = 0; n < limits.writes.suggestions.newcomer; n += 1) {
      const { pictures } = await read(post);
      const input = { key: pictures[0]?.key ?? "", alt: `Words ${n}` };
      await strict.altSuggestions.suggest(bob, own.username, post.number, input);
    }
    const { pictures } = await read(post);
    const input = { key: pictures[0]?.key ?? "", alt: "One more" };
    await expect(
      strict.altSuggestions.suggest(bob, own.username, post.number, input),
    ).rejects.toMatchObject({ code: "too-many-writes" });
    expect(await seen(own, post)).toEqual([`Bob: Words ${limits.writes.suggestions.newcomer - 1}`]);
  });
});
