import { describe, expect, test } from "vitest";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let sent: string[] = [];
const { db } = await freshDatabase((text) => void sent.push(text));
const on = testFeatures(db);

/** The member as the next request has them. */
async function muting(viewer: Viewer, ...words: string[]): Promise<Viewer> {
  let mutedWords: string[] = [];
  for (const word of words) mutedWords = await on.mutedWords.mute(viewer, word);
  return { ...viewer, mutedWords };
}

async function statements(work: () => Promise<unknown>): Promise<number> {
  sent = [];
  await work();
  return sent.length;
}

const captions = (page: { items: { caption: string }[] }) =>
  page.items.map(({ caption }) => caption);

/** Somebody and an author they follow, who is old enough for Explore. */
async function readerAndAuthor() {
  const reader = await on.member("Rita Reader");
  const author = await on.member("Ada Author", Date.now() - 48 * 3_600_000);
  await on.follows.follow(reader, author.id);
  return { reader, author };
}

describe("the list", () => {
  test("stores words as they were typed, each once however it is written", async () => {
    const ada = await on.member();
    expect(await on.mutedWords.mute(ada, "  Season\n finale ")).toEqual(["Season finale"]);
    expect(await on.mutedWords.mute(ada, "SEASON  FINALÉ")).toEqual(["Season finale"]);
    expect(await on.mutedWords.mute(ada, "🍕")).toEqual(["Season finale", "🍕"]);
    expect(await on.mutedWords.unmute(ada, "nothing")).toHaveLength(2);
    expect(await on.mutedWords.unmute(ada, "season finale")).toEqual(["🍕"]);
    expect(await on.mutedWords.unmute(ada, "season finale")).toEqual(["🍕"]);
    expect(await on.mutedWords.unmute(ada, "🍕")).toEqual([]);
    expect(await on.mutedWords.list(ada)).toEqual([]);
    const rows = "select 1 from muted_words where account_id = $1";
    expect(await query(db, rows, [ada.id])).toEqual([]);
  });

  test.each([
    ["", "required*"],
    [" \n ", "required*"],
    ["\u200b\u0301", "required*"],
    ["x".repeat(61), "A word or phrase can have 60 characters; this is 1 too many."],
    [
      `a${"\u0301".repeat(300)}`,
      "A word or phrase has too many combined characters. Please shorten it.",
    ],
  ])("refuses %j with a sentence", async (word, sentence) => {
    const ada = await on.member();
    for (const act of [on.mutedWords.mute, on.mutedWords.unmute]) {
      await expect(act(ada, word)).rejects.toMatchObject({
        code: "input-invalid",
        fields: { word: sentence },
      });
    }
  });

  test("takes 60 characters, be they families, quotes or backslashes, a hundred of them", async () => {
    const ada = await on.member();
    const longest = Array.from({ length: limits.mutedWords }, (_, at) => `${at}${"\\".repeat(57)}`);
    for (const word of longest) await on.mutedWords.mute(ada, word);
    const bob = await on.member();
    await on.mutedWords.mute(bob, "👨‍👩‍👧‍👦".repeat(19));
    expect(await on.mutedWords.list(ada)).toEqual(longest);
  });

  test("ends at a hundred, also when they come at once, and the database says so as well", async () => {
    const ada = await on.member();
    const words = Array.from({ length: limits.mutedWords + 8 }, (_, at) => `word ${at}`);
    const added = await Promise.allSettled(words.map((word) => on.mutedWords.mute(ada, word)));
    const refused = added.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
    expect(refused).toHaveLength(8);
    for (const reason of refused) expect(reason).toMatchObject({ code: "muted-words-full" });
    const kept = await on.mutedWords.list(ada);
    expect(kept).toHaveLength(limits.mutedWords);
    // Muted already, it is not added again.
    expect(await on.mutedWords.mute(ada, kept[0]?.toUpperCase() ?? "")).toHaveLength(kept.length);
    await expect(
      query(
        db,
        "update muted_words set words = array_append(words, 'more') where account_id = $1",
        [ada.id],
      ),
    ).rejects.toThrow("muted_words");
  });
});

describe("the home feed", () => {
  test("leaves out posts with a muted word, in the text or in photos' descriptions, and stays full", async () => {
    const { reader, author } = await readerAndAuthor();
    await on.photoPost(author, "the sea", ["a spoiler on a poster"]);
    for (let at = 0; at < 30; at += 1) {
      await on.textPost(author, at % 3 === 0 ? `Spoiler ${at}!` : `words ${at}`);
    }
    const muted = await muting(reader, "spoiler");
    const [all, first, opened] = [
      await everyPage((cursor) => on.feed.home(muted, cursor)),
      await on.feed.home(muted, null),
      await on.feed.visit(muted, limits.feedPage),
    ];
    const left = Array.from({ length: 30 }, (_, at) => at)
      .filter((at) => at % 3 !== 0)
      .map((at) => `words ${at}`)
      .reverse();
    expect(captions({ items: all })).toEqual(left);
    expect(captions(first)).toEqual(left.slice(0, limits.feedPage));
    expect(captions(opened.page)).toEqual(left.slice(0, limits.feedPage));
    expect(first.nextCursor).not.toBeNull();
    expect(await everyPage((cursor) => on.feed.home(reader, cursor))).toHaveLength(31);
  });

  test("does bounded work where nearly everything is hidden, and continues from there", async () => {
    const { reader, author } = await readerAndAuthor();
    await on.textPost(author, "the oldest");
    for (let at = 0; at < 110; at += 1) await on.textPost(author, "spoiler");
    const muted = await muting(reader, "spoiler");
    expect(await statements(() => on.feed.home(muted, null))).toBe(10);
    const page = await on.feed.home(muted, null);
    expect(page.items).toEqual([]);
    expect(page.nextCursor).not.toBeNull();
    expect(captions(await on.feed.home(muted, page.nextCursor))).toEqual(["the oldest"]);
    const [oldest] = await everyPage((cursor) => on.feed.home(muted, cursor));
    expect(await on.feed.newerCount(reader, oldest?.id ?? "")).toBe(limits.newerPosts);
    expect(await on.feed.newerCount(muted, oldest?.id ?? "")).toBe(0);
    await on.textPost(author, "the newest");
    expect(await on.feed.newerCount(muted, oldest?.id ?? "")).toBe(1);
  });

  test("shows one's own posts and comments, and cards without the comments that have the word", async () => {
    const { reader, author } = await readerAndAuthor();
    const post = await on.textPost(author, "What happens next?");
    await on.comments.add(author, post, "A spoiler: they marry.", null);
    await on.comments.add(reader, post, "Spoiler? Mine.", null);
    const muted = await muting(reader, "spoiler");
    const [card] = (await on.feed.home(muted, null)).items;
    expect(card?.comments.map(({ body }) => body)).toEqual(["Spoiler? Mine."]);
    await on.textPost(reader, "my own spoiler");
    expect(captions(await on.posts.textsOf(muted, reader.id, null))).toEqual(["my own spoiler"]);
  });
});

describe("elsewhere", () => {
  test("Explore and the posts of a tag leave it out; a tag asked for by name shows its posts", async () => {
    const { reader, author } = await readerAndAuthor();
    await on.photoPost(author, "#harbour spoiler");
    await on.photoPost(author, "#harbour");
    const muted = await muting(reader, "SPOILER", "#harbour");
    expect(captions(await on.explore.recent(muted, null))).toEqual([]);
    const other = await muting(await on.member(), "spoiler");
    expect(captions(await on.explore.recent(other, null))).toContain("#harbour");
    expect(captions(await on.explore.recent(other, null))).not.toContain("#harbour spoiler");
    expect(captions(await on.tags.posts(muted, "harbour", null))).toEqual(["#harbour"]);
    expect(await on.tags.beginning(muted, "harb")).toEqual([]);
    expect(await on.tags.beginning(other, "harb")).toMatchObject([{ tag: "harbour" }]);
    // One's own photos are always shown.
    const writer = await muting(author, "spoiler");
    expect(captions(await on.tags.posts(writer, "harbour", null))).toHaveLength(2);
  });

  test("a profile, a post opened by its address and bookmarks are shown whole", async () => {
    const { reader, author } = await readerAndAuthor();
    const post = await on.textPost(author, "a spoiler");
    await on.bookmarks.save(reader, post);
    const muted = await muting(reader, "spoiler");
    expect(captions(await on.posts.textsOf(muted, author.id, null))).toEqual(["a spoiler"]);
    expect(await on.posts.get(muted, author.username, post.number)).toMatchObject({
      caption: "a spoiler",
    });
    expect(captions(await on.bookmarks.list(muted, "texts", null))).toEqual(["a spoiler"]);
  });

  test("comments and replies come marked with the word, only for those who muted it", async () => {
    const { reader, author } = await readerAndAuthor();
    const post = await on.textPost(author);
    const root = await on.comments.add(author, post, "They marry: a spoiler.", null);
    const reply = await on.comments.add(author, post, "SPOILER!", null, root.id);
    await on.comments.add(reader, post, "No spoilers, no spoiler!", null);
    const muted = await muting(reader, "Spoiler");
    const read = [
      (await on.comments.list(muted, post, null)).items,
      (await on.comments.listFrom(muted, post, reply.id)).items,
    ];
    for (const items of read) {
      expect(items.map(({ mutedWord }) => mutedWord)).toEqual(["Spoiler", undefined]);
      expect(items[0]?.replies.items).toMatchObject([{ mutedWord: "Spoiler", body: "SPOILER!" }]);
    }
    expect((await on.comments.replies(muted, post, root.id, null)).items).toMatchObject([
      { mutedWord: "Spoiler" },
    ]);
    expect(await on.comments.get(muted, post, root.id)).toMatchObject({ mutedWord: "Spoiler" });
    for (const viewer of [reader, null]) {
      for (const item of (await on.comments.list(viewer, post, null)).items) {
        expect(item).not.toHaveProperty("mutedWord");
      }
    }
  });
});

const unread = async ({ id }: Viewer) => {
  const rows = "select 1 from notifications where account_id = $1 and unread";
  return (await query(db, rows, [id])).length;
};
const notificationsOf = async (viewer: Viewer) =>
  (await everyPage((cursor) => on.notifications.list(viewer, "all", cursor))).map(
    ({ kind, text }) => [kind, text],
  );

describe("notifications", () => {
  test("are not made of a comment, a reply or a mention with a muted word; of others they are", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    const mine = await on.comments.add(ada, post, "Well?", null);
    const muted = await muting(ada, "spoiler");
    await on.comments.add(bob, post, "A spoiler!", null);
    await on.comments.add(bob, post, "Spoiler.", null, mine.id);
    await on.textPost(bob, `@${ada.username} spoiler`);
    expect(await unread(ada)).toBe(0);
    await on.comments.add(bob, post, "Nothing of the kind", null);
    await on.textPost(bob, `@${ada.username} hello`);
    await on.likes.like(bob, post);
    expect(await notificationsOf(muted)).toEqual([
      ["like", "A few words"],
      ["mention", `@${ada.username} hello`],
      ["comment", "Nothing of the kind"],
    ]);
    expect(await unread(ada)).toBe(3);
  });

  test("go to everybody else concerned, at no more cost where nobody muted anything", async () => {
    const [ada, bob, cleo, dan] = (await on.members(4)) as [Viewer, Viewer, Viewer, Viewer];
    const post = await on.textPost(ada);
    const words = `A spoiler for @${cleo.username} and @${dan.username}`;
    const usual = await statements(() => on.comments.add(bob, post, words, null));
    await muting(cleo, "spoiler");
    expect(await statements(() => on.comments.add(bob, post, words, null))).toBe(usual);
    await muting(dan, "other words");
    expect(await statements(() => on.comments.add(bob, post, words, null))).toBe(usual + 1);
    // Her earlier notification is marked as read with the muting; he is notified every time.
    expect([await unread(cleo), await unread(dan)]).toEqual([0, 3]);
    expect(await notificationsOf(ada)).toHaveLength(1);
  });

  test("that came before a word was muted leave the list, and the count with it", async () => {
    const [ada, bob] = [await on.member("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada, "My own spoiler");
    await on.comments.add(bob, post, "A spoiler!", null);
    await on.textPost(bob, `@${ada.username} hello`);
    await on.likes.like(bob, post);
    expect(await unread(ada)).toBe(3);
    const muted = await muting(ada, "spoiler");
    // A like notification shows one's own words.
    expect((await notificationsOf(muted)).map(([kind]) => kind)).toEqual(["like", "mention"]);
    expect(await unread(ada)).toBe(2);
    expect(await notificationsOf(ada)).toHaveLength(3);
  });
});
