import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { setPrivate } from "#server/test/audiences.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
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
  [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
});

const found = async (viewer: Viewer | null, tag: string) =>
  (await on.tags.posts(viewer, tag, null)).items.map(({ caption }) => caption);

const mentionsIn = async (viewer: Viewer | null, number: number) =>
  (await on.posts.get(viewer, ada.username, number))?.mentions;

async function edit(author: Viewer, number: number, caption: string) {
  const post = await on.posts.get(author, author.username, number);
  await on.posts.edit(author, author.username, number, { version: post?.version ?? 0, caption });
}

describe("the posts of a tag", () => {
  test("are photos and words, newest first, for visitors too", async () => {
    await on.photoPost(ada, "The ferry at the #Harbour");
    await on.textPost(bob, "#ｈａｒｂｏｕｒ in fog");
    await on.textPost(bob, "No harbour here, and no https://example.org/#harbour");
    for (const viewer of [null, ada, bob]) {
      const { items, nextCursor } = await on.tags.posts(viewer, "#HARBOUR", null);
      expect(items.map(({ caption }) => caption)).toEqual([
        "#ｈａｒｂｏｕｒ in fog",
        "The ferry at the #Harbour",
      ]);
      expect(items.map(({ picture }) => picture !== null)).toEqual([false, true]);
      expect(nextCursor).toBeNull();
    }
  });

  test("follow an edit of the words, and do not change when only photos do", async () => {
    const { number } = await on.photoPost(ada, "#low #tide");
    await edit(ada, number, "#tide only");
    expect(await found(null, "low")).toEqual([]);
    expect(await found(null, "tide")).toEqual(["#tide only"]);
    await edit(ada, number, "#tide #low");
    expect(await found(null, "low")).toEqual(["#tide #low"]);
    const [picture] = (await on.posts.get(ada, ada.username, number))?.pictures ?? [];
    const described = [{ key: picture?.key, alt: "Sand" }];
    await on.posts.edit(ada, ada.username, number, { version: 2, pictures: described });
    expect(await found(null, "low")).toEqual(["#tide #low"]);
  });

  test("go with the post, and leave no row", async () => {
    const { number, postId } = await on.textPost(ada, "#gone soon");
    expect(await found(bob, "gone")).toEqual(["#gone soon"]);
    await on.posts.remove(ada, ada.username, number);
    expect(await found(bob, "gone")).toEqual([]);
    expect(await query(db, "select 1 from post_tags where post_id = $1", [postId])).toEqual([]);
  });

  test("leave out authors whom the reader muted or blocked, and suspended ones", async () => {
    const [muted, blocked, suspended] = await on.members(3);
    if (!muted || !blocked || !suspended) throw new Error("three people");
    for (const who of [muted, blocked, suspended]) await on.textPost(who, "#crowd of three");
    await on.blocks.mute(ada, muted.id);
    await on.blocks.block(ada, blocked.id);
    await on.suspend(suspended);
    expect(await found(ada, "crowd")).toEqual([]);
    expect(await found(bob, "crowd")).toHaveLength(2);
    expect(await found(blocked, "crowd")).toHaveLength(2);
    expect(await on.tags.beginning(ada, "crow")).toEqual([]);
    expect(await on.tags.beginning(bob, "crow")).toEqual([{ tag: "crowd", posts: 2 }]);
  });

  test("come in pages", async () => {
    for (let number = 1; number <= 26; number += 1) await on.textPost(bob, `#many ${number}`);
    const first = await on.tags.posts(ada, "many", null);
    expect(first.items).toHaveLength(24);
    const second = await on.tags.posts(ada, "many", first.nextCursor);
    expect(second.items.map(({ caption }) => caption)).toEqual(["#many 2", "#many 1"]);
    expect(second.nextCursor).toBeNull();
  });

  test("are counted as the reader may see them, and no further than a number that is said", async () => {
    const [muted, alone] = [await on.member("Muted"), await on.member("Alone")];
    for (const who of [ada, bob, muted, alone]) await on.textPost(who, "#counted by everybody");
    await on.publish(ada, { caption: "#counted for me", audience: "only-me" });
    await setPrivate(db, alone);
    await on.blocks.mute(ada, muted.id);
    expect(await on.tags.count(null, "counted")).toEqual({ posts: 3, more: false });
    expect(await on.tags.count(ada, "#Counted")).toEqual({ posts: 2, more: false });
    expect(await on.tags.count(ada, "uncounted")).toEqual({ posts: 0, more: false });
    const counted = limits.tagPostsCounted;
    for (let number = 1; number <= counted + 5; number += 1) {
      await on.textPost(bob, `#endless ${number}`);
    }
    expect(await on.tags.count(null, "endless")).toEqual({ posts: counted, more: true });
  });

  test.each(["", "#", "12", "two words", "a#b"])("%s is no tag", async (tag) => {
    await expect(on.tags.posts(ada, tag, null)).rejects.toMatchObject({ code: "input-invalid" });
    await expect(on.tags.count(ada, tag)).rejects.toMatchObject({ code: "input-invalid" });
  });
});

describe("tags suggested while typing", () => {
  test("begin with what was typed, in any case, most used first", async () => {
    await on.textPost(ada, "#Sunset #sunrise");
    await on.textPost(ada, "#sunset #sun");
    await on.textPost(bob, "#SUNSET #moon");
    expect(await on.tags.beginning(ada, "#Sun")).toEqual([
      { tag: "sunset", posts: 3 },
      { tag: "sun", posts: 1 },
      { tag: "sunrise", posts: 1 },
    ]);
    expect(await on.tags.beginning(ada, "sunb")).toEqual([]);
  });

  test.each(["", "#", "!", "sun set", "%"])("there are none for %s", async (typed) => {
    expect(await on.tags.beginning(ada, typed)).toEqual([]);
  });
});

test("posts from before there were tags are read in the background, once", async () => {
  const { postId, number } = await on.textPost(ada, "#before there were tags");
  const edited = await on.textPost(ada, "#before as well");
  await query(db, "delete from post_tags where post_id in ($1, $2)", [postId, edited.postId]);
  await query(
    db,
    "insert into untagged_posts (author_id, post_id) select author_id, id from posts where id in ($1, $2)",
    [postId, edited.postId],
  );
  await edit(ada, edited.number, "#afterwards");
  expect(await found(null, "before")).toEqual([]);
  await on.tags.sweep();
  expect(await found(null, "before")).toEqual(["#before there were tags"]);
  expect(await found(null, "afterwards")).toEqual(["#afterwards"]);
  expect(await query(db, "select 1 from untagged_posts")).toEqual([]);
  await on.posts.remove(ada, ada.username, number);
  await on.tags.sweep();
  expect(await found(null, "before")).toEqual([]);
});

describe("names in a post and a comment", () => {
  test("are links where somebody has that name, also a former one, and not otherwise", async () => {
    const cleo = await on.member("Cleo");
    const text = `@${cleo.username.toUpperCase()} and @nobody_at_all, mail@${bob.username}`;
    const post = await on.photoPost(ada, text);
    // Names inside an email address are skipped where the text is read.
    const names = [cleo.username, bob.username].toSorted();
    expect((await mentionsIn(null, post.number))?.toSorted()).toEqual(names);
    await on.settings.changeUsername(cleo, `${cleo.username}_2`);
    expect((await mentionsIn(null, post.number))?.toSorted()).toEqual(names);
    const comment = await on.comments.add(bob, post, `@${cleo.username} look`, null);
    expect(comment.mentions).toEqual([cleo.username]);
    const { items } = await on.comments.list(null, post, null);
    expect(items.map(({ mentions }) => mentions)).toEqual([[cleo.username]]);
    await on.blocks.block(cleo, bob.id);
    expect(await mentionsIn(bob, post.number)).toEqual([bob.username]);
    await on.suspend(cleo);
    expect(await mentionsIn(null, post.number)).toEqual([bob.username]);
  });

  test("of a text that names hundreds, the first are looked up", async () => {
    const hundreds = Array.from({ length: 300 }, (_, index) => `@none_${index}`).join(" ");
    const post = await on.textPost(ada, `@${bob.username} ${hundreds.slice(0, 2100)}`);
    expect(await mentionsIn(null, post.number)).toEqual([bob.username]);
  });
});

describe("people suggested after typing @", () => {
  test("are first those one follows, then those whom a search finds, never oneself", async () => {
    const reader = await on.member("Quentin Reader");
    const stranger = await on.member("Quentin Abel");
    const followed = await on.member("Quentin Zeta");
    await on.follows.follow(reader, followed.id);
    const ids = async (typed: string) =>
      (await on.search.offered(reader, typed)).map(({ id }) => id);
    expect(await ids("Quen")).toEqual([followed.id, stranger.id]);
    expect(await ids(`@${stranger.username}`)).toEqual([stranger.id]);
    expect(await ids("")).toEqual([followed.id]);
    expect(await ids(stranger.email)).toEqual([]);
    await on.blocks.block(followed, reader.id);
    expect(await ids("Quen")).toEqual([stranger.id]);
  });
});
