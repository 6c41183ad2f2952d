import { stat, readFile } from "node:fs/promises";
import { normalize } from "node:path";
import { buffer } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import type { ReceivedUpload } from "#server/features/types.ts";
import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { archivesOf, contentsOf } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { insert } from "#server/test/bulk-insert.ts";
import { query } from "#server/test/query.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { goodPassword } from "#server/test/identity.ts";
import { namesIn, sha256 } from "#server/test/traces.ts";
import { newId, timeOf } from "#server/platform/db/ids.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db, { languages: ["en", "ar"] });
});

async function exported(viewer: Viewer) {
  const { id } = await on.exports.start(viewer);
  expect((await on.jobs.runDue()).failed).toEqual([]);
  const { file, name } = await on.exports.find(viewer, id);
  const bytes = await buffer(file.read());
  const files = await contentsOf(bytes);
  const json = (file: string) => JSON.parse(String(files.get(file)));
  return { id, bytes, name, files, json };
}

async function friends(one: Viewer, two: Viewer): Promise<void> {
  await on.follows.follow(one, two.id);
  await on.follows.follow(two, one.id);
}

function say(from: Viewer, to: Viewer, body: string, picture: ReceivedUpload | null = null) {
  const chatId = `${from.username}.${to.username}`;
  return on.chat.send(from, chatId, { body, picture, clientKey: null });
}

describe("an archive", () => {
  test("holds posts with their originals, comments, likes, bookmarks, follows, profile and settings", async () => {
    const [ada, bob] = [await on.member("Ada Archive"), await on.member("Bob <b>Bold</b>")];
    await on.settings.change(ada, { showEmail: true });
    await on.settings.change(ada, { altReminder: true });
    await on.settings.changeUsername(ada, "ada_now");
    const viewer = { ...ada, username: "ada_now" };
    const photo = await on.photoPost(viewer, "Two pictures & <i>words</i>\nשלום", ["one", '"two"']);
    const words = await on.textPost(viewer, "Only words");
    const theirs = await on.textPost(bob, "Bob's words");
    await on.comments.add(bob, photo, "Nice <script>alert(1)</script>", null);
    await on.comments.add(viewer, theirs, "My comment at Bob's", null);
    await on.likes.like(viewer, theirs);
    const [kept] = await on.collections.setOfPost(viewer, theirs, {
      collections: [],
      title: "Kept",
    });
    await on.follows.follow(viewer, bob.id);
    await on.follows.follow(bob, viewer.id);

    const { id, files, json, name } = await exported(viewer);
    if (on.files.folder) {
      const { mode } = await stat(on.files.locate(`exports/${id}.zip`));
      expect(mode & 0o777).toBe(0o600);
    }
    expect(name).toMatch(/^postcard-ada_now-\d{4}-\d\d-\d\d\.zip$/);
    expect(json("postcard.json")).toMatchObject({
      format: "postcard-archive",
      version: 1,
      origin: "http://localhost:3000",
      account: { id: ada.id, username: "ada_now" },
      counts: {
        posts: 2,
        pictures: 2,
        comments: 1,
        likes: 1,
        saves: 1,
        collections: 1,
        following: 1,
        followers: 1,
      },
      files: { profile: "profile.json", posts: ["posts/0001.json"], likes: ["likes/0001.json"] },
    });
    expect(json("profile.json")).toMatchObject({
      username: "ada_now",
      formerUsernames: [ada.username],
      firstName: "Ada",
      email: ada.email,
      settings: {
        showEmail: true,
        findableByEmail: true,
        showInExplore: true,
        altReminder: true,
        language: null,
      },
      picture: { file: "pictures/profile.jpg" },
    });
    const { posts } = json("posts/0001.json");
    expect(posts).toMatchObject([
      {
        id: photo.postId,
        number: photo.number,
        caption: "Two pictures & <i>words</i>\nשלום",
        commentCount: 1,
        pictures: [
          { file: "pictures/1-1.jpg", alt: "one", mediaType: "image/jpeg" },
          { file: "pictures/1-2.jpg", alt: '"two"' },
        ],
      },
      { id: words.postId, caption: "Only words", pictures: [] },
    ]);
    const original = await readFile((await on.photo()).path);
    for (const { file, bytes, sha256: hash } of posts[0].pictures) {
      expect(files.get(file)).toEqual(original);
      expect([bytes, hash]).toEqual([original.length, sha256(original)]);
    }
    expect(json("comments/0001.json").comments).toMatchObject([
      { text: "My comment at Bob's", post: { author: bob.username, number: 1 } },
    ]);
    expect(json("received/0001.json").received).toMatchObject([
      { post: 1, username: bob.username, text: "Nice <script>alert(1)</script>" },
    ]);
    const time = expect.any(Number);
    expect(json("saves/0001.json").saves).toMatchObject([
      { post: { author: bob.username }, collections: [{ id: kept, time }] },
    ]);
    expect(json("collections/0001.json").collections).toEqual([{ id: kept, time, title: "Kept" }]);
    expect(json("following/0001.json").following).toMatchObject([{ username: bob.username }]);
    expect(json("followers/0001.json").followers).toMatchObject([{ username: bob.username }]);

    const page = String(files.get("index.html"));
    expect(page).toContain("Two pictures &amp; &lt;i&gt;words&lt;/i&gt;\nשלום");
    expect(page).toContain('src="pictures/1-1.jpg"');
    expect(page).not.toContain("<script");
    expect(page).not.toMatch(/https?:\/\/(?!localhost)/);
    // everything that the page refers to exists
    for (const [, target = ""] of page.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      expect(files.has(target), target).toBe(true);
    }
    // nothing about anybody's sign-in methods, nobody else's email
    const all = [...files.values()].map(String).join("\n");
    expect(all).not.toContain(bob.email);
    expect(all).not.toMatch(/argon2/);
  });

  test("holds whom the account blocked, muted and dismissed, not who blocked it, and its notification settings", async () => {
    const viewer = await on.member("Choosy One");
    const [loud, rude, shy] = [
      await on.member("Loud Muted"),
      await on.member("Rude Blocked"),
      await on.member("Shy Blocker"),
    ];
    await on.blocks.mute(viewer, loud.id);
    await on.notes.set(viewer, loud.id, "Shouts");
    await on.notes.set(loud, viewer.id, "Never in it");
    await on.closeFriends.put(viewer, loud.id);
    await on.closeFriends.put(loud, viewer.id);
    const asked = await on.member("Asked Private");
    for (const one of [viewer, asked]) await on.privacy.set(one, true);
    await on.follows.follow(viewer, asked.id);
    await on.follows.follow(loud, viewer.id);
    await on.suggestions.dismiss(viewer, loud.id);
    await on.blocks.block(viewer, rude.id);
    await on.blocks.block(shy, viewer.id);
    await on.notifications.changeSettings(viewer, { like: false, digest: false });
    const bare = await on.photoPost(loud);
    const shown = await on.posts.get(viewer, loud.username, bare.number);
    const suggested = { key: shown?.pictures[0]?.key ?? "", alt: "A blue field" };
    await on.altSuggestions.suggest(viewer, loud.username, bare.number, suggested);
    const { files, json } = await exported(viewer);
    expect(json("altSuggestions/0001.json").altSuggestions).toEqual([
      {
        time: expect.any(Number),
        text: "A blue field",
        post: { author: loud.username, number: bare.number },
      },
    ]);
    expect(json("profile.json").private).toBe(true);
    expect(json("closeFriends/0001.json").closeFriends).toEqual([
      { time: expect.any(Number), username: loud.username, name: "Loud Muted" },
    ]);
    expect(json("requestsSent/0001.json").requestsSent).toEqual([
      { time: expect.any(Number), username: asked.username, name: "Asked Private" },
    ]);
    expect(json("requestsReceived/0001.json").requestsReceived).toEqual([
      { time: expect.any(Number), username: loud.username, name: "Loud Muted" },
    ]);
    expect(json("muted/0001.json").muted).toEqual([
      { time: expect.any(Number), username: loud.username, name: "Loud Muted" },
    ]);
    expect(json("notes/0001.json").notes).toEqual([
      { time: expect.any(Number), username: loud.username, name: "Loud Muted", text: "Shouts" },
    ]);
    expect(json("dismissed/0001.json").dismissed).toEqual([
      { time: expect.any(Number), username: loud.username, name: "Loud Muted" },
    ]);
    expect(json("blocked/0001.json").blocked).toEqual([
      { time: expect.any(Number), username: rude.username, name: "Rude Blocked" },
    ]);
    expect(json("postcard.json")).toMatchObject({
      version: 1,
      counts: { blocked: 1, muted: 1, dismissed: 1, messages: 0 },
      files: { blocked: ["blocked/0001.json"], messages: [] },
    });
    expect(json("profile.json").settings.notifications).toEqual({
      follow: true,
      request: true,
      accepted: true,
      like: false,
      comment: true,
      mention: true,
      message: true,
      alt: true,
      album: true,
      invited: true,
      digest: false,
    });
    expect(files.has("pages/messages.html")).toBe(false);
    expect([...files.values()].map(String).join("\n")).not.toContain(shy.username);
  });

  test("holds its conversations with both sides' words, and the photos that it sent itself", async () => {
    const [viewer, bo] = [await on.member("Vi Writer"), await on.member("Bo <i>Chen</i>")];
    await friends(viewer, bo);
    const photo = await on.photo();
    await say(viewer, bo, "Hello <b>Bo</b>");
    await say(bo, viewer, "مرحبا");
    await say(viewer, bo, "", photo);
    await say(bo, viewer, "mine", photo);
    const { conversationId, seq } = await say(viewer, bo, "said too early");
    await on.chat.removeMessage(viewer, conversationId, seq);
    const { files, json } = await exported(viewer);

    const { messages } = json("messages/0001.json");
    const other = { username: bo.username, name: "Bo <i>Chen</i>" };
    const size = { width: 96, height: 64 };
    expect(messages).toMatchObject([
      { with: other, conversation: conversationId, sent: true, text: "Hello <b>Bo</b>" },
      { with: other, sent: false, text: "مرحبا", deleted: false, picture: null },
      { sent: true, text: "", picture: { ...size, file: "pictures/message-1.jpg" } },
      { sent: false, text: "mine", picture: size },
      { sent: true, text: "", deleted: true, picture: null },
    ]);
    expect(messages[0].time).toBeGreaterThan(Date.now() - 60_000);
    expect(messages[3].picture).toEqual(size);
    const original = await readFile(photo.path);
    expect(files.get("pictures/message-1.jpg")).toEqual(original);
    expect(messages[2].picture).toMatchObject({
      bytes: original.length,
      sha256: sha256(original),
    });
    expect(files.has("pictures/message-2.jpg")).toBe(false);
    expect(json("postcard.json")).toMatchObject({
      counts: { messages: 5 },
      files: { messages: ["messages/0001.json"] },
    });

    expect(String(files.get("index.html"))).toContain('<a href="pages/messages.html">Messages</a>');
    const page = String(files.get("pages/messages.html"));
    for (const words of ["Hello &lt;b&gt;Bo&lt;/b&gt;", "Bo &lt;i&gt;Chen&lt;/i&gt;", "مرحبا"]) {
      expect(page).toContain(words);
    }
    expect(page).not.toContain("said too early");
    for (const [, target = ""] of page.matchAll(/(?:src|href)="([^"#]+)"/g)) {
      expect(files.has(normalize(`pages/${target}`)), target).toBe(true);
    }
  });

  test("includes the account's own messages to somebody it may no longer see, and none of theirs", async () => {
    const viewer = await on.member("Vera Writer");
    const others = [await on.member("Bea Blocker"), await on.member("Sue Suspended")] as const;
    for (const other of others) {
      await friends(viewer, other);
      await say(viewer, other, `to ${other.username}`);
      await say(other, viewer, "words of one who is gone");
    }
    const kept = others.map(({ username }) => ({ with: null, sent: true, text: `to ${username}` }));
    await on.blocks.block(others[0], viewer.id);
    await on.suspend(others[1]);
    const { files, json } = await exported(viewer);
    const { messages } = json("messages/0001.json");
    expect(messages).toHaveLength(2);
    expect(messages).toMatchObject(kept);
    const all = [...files.values()].map(String).join("\n");
    expect(all).not.toContain("words of one who is gone");
    expect(all).not.toContain("Sue Suspended");
  });

  test("of many messages has each of them once, in order, on pages that link to each other", async () => {
    const [viewer, bo] = [await on.member("Many Messages"), await on.member("Bo Listener")];
    await friends(viewer, bo);
    const { conversationId } = await say(viewer, bo, "message 1");
    const seq = Array.from({ length: 400 }, (_, index) => index + 2);
    await insert(db, "messages", {
      conversation_id: seq.map(() => conversationId),
      seq: seq.map(String),
      id: seq.map(() => newId()),
      sender_id: seq.map((nth) => (nth % 2 ? viewer.id : bo.id)),
      body: seq.map((nth) => `message ${nth}`),
    });
    const { files, json } = await exported(viewer);
    const names: string[] = json("postcard.json").files.messages;
    const texts = names.flatMap((name) =>
      json(name).messages.map(({ text }: { text: string }) => text),
    );
    expect(names).toHaveLength(3);
    expect(texts).toEqual([1, ...seq].map((nth) => `message ${nth}`));
    expect(String(files.get("pages/messages.html"))).toContain('href="../pages/messages-2.html"');
    const last = String(files.get("pages/messages-3.html"));
    expect(last).toContain("message 401");
    expect(last).not.toContain("messages-4.html");
  });

  test("has long lists with each item once, in one order across all their files", async () => {
    const [viewer, fan] = [await on.member("Long Lists"), await on.member("Busy Fan")];
    const [first, second] = [await on.textPost(viewer), await on.textPost(viewer)];
    const nth = Array.from({ length: 1100 }, (_, index) => index);
    // under two posts alternately, photos and texts alternately
    await insert(db, "comments", {
      author_id: nth.map(() => viewer.id),
      post_id: nth.map((index) => (index % 2 ? second : first).postId),
      id: nth.map(() => newId()),
      account_id: nth.map(() => fan.id),
      body: nth.map((index) => `comment ${index}`),
    });
    const saved = nth.map(() => newId());
    await insert(db, "bookmarks", {
      account_id: nth.map(() => viewer.id),
      author_id: nth.map(() => fan.id),
      post_id: nth.map(() => newId()),
      id: saved,
      has_picture: nth.map((index) => String(index % 3 === 0)),
    });
    const { json } = await exported(viewer);
    const { files } = json("postcard.json");
    expect([files.received.length, files.saves.length]).toEqual([3, 3]);
    type Item = { text: string; post: number; time: number };
    const itemsOf = (list: "received" | "saves") =>
      (files[list] as string[]).flatMap((name): Item[] => json(name)[list]);
    expect(itemsOf("received").map(({ post, text }) => [post, text])).toEqual([
      ...nth.filter((index) => index % 2 === 0).map((index) => [1, `comment ${index}`]),
      ...nth.filter((index) => index % 2 === 1).map((index) => [2, `comment ${index}`]),
    ]);
    expect(itemsOf("saves").map(({ time }) => time)).toEqual(saved.map((id) => timeOf(id)));
  });

  test("of an empty account is complete", async () => {
    const { files, json } = await exported(await on.member());
    expect(json("postcard.json").counts).toMatchObject({ posts: 0, pictures: 0 });
    expect(String(files.get("index.html"))).toContain("No posts yet.");
  });

  test("has its pages, and the email about it, in the language of its owner", async () => {
    const [ada, bob] = [await on.member("Ada Arabic"), await on.member("Bob Arabic")];
    await on.settings.changeLanguages(ada, { language: "ar" });
    const post = await on.textPost(ada, "Only words");
    await on.likes.like(bob, post);
    await friends(ada, bob);
    await say(bob, ada, "Hello");
    const { files } = await exported(ada);
    const page = String(files.get("index.html"));
    expect(page).toContain('<html lang="ar" dir="rtl">');
    expect(page).toContain(`<bdi>@${ada.username}</bdi>`);
    expect(page).toContain("إعجاب واحد");
    expect(page).toContain("الصفحة 1 من 1");
    expect(String(files.get("pages/messages.html"))).toContain("<h1>الرسائل</h1>");
    const emails = await emailsIn(on.files);
    const own = emails.findLast(({ to }) => to?.[0]?.address === ada.email);
    expect(own?.subject).toBe("أرشيفك جاهز");
    expect(own?.text).toContain("خلال 7 أيام");
  });

  test("leaves out people who cannot be seen", async () => {
    const [viewer, gone] = [await on.member("Vera"), await on.member("Gone Goner")];
    const post = await on.textPost(viewer);
    await on.comments.add(gone, post, "from one who is gone", null);
    await on.follows.follow(viewer, gone.id);
    await on.suspend(gone);
    const { files } = await exported(viewer);
    const all = [...files.values()].map(String).join("\n");
    expect(all).not.toContain(gone.username);
    expect(all).not.toContain("from one who is gone");
  });

  test("names nobody who blocked the account, and includes what it wrote to them", async () => {
    const [viewer, hidden] = [await on.member("Vilma"), await on.member("Hidden Henry")];
    const own = await on.textPost(viewer);
    const theirs = await on.textPost(hidden, "words of who is hidden");
    await on.comments.add(hidden, own, "from one who is hidden", null);
    await on.comments.add(viewer, theirs, "my own answer", null);
    await on.likes.like(viewer, theirs);
    await on.bookmarks.save(viewer, theirs);
    const before = [...(await exported(viewer)).files.values()].map(String).join("\n");
    expect(before).toContain(hidden.username);
    await on.blocks.block(hidden, viewer.id);
    const all = [...(await exported(viewer)).files.values()].map(String).join("\n");
    expect(all).not.toContain(hidden.username);
    expect(all).not.toContain("from one who is hidden");
    expect(all).toContain("my own answer");
  });

  test("has what one did about a post that one may not see any more, without the post", async () => {
    const [viewer, author] = [await on.member("Loses"), await on.member("Narrows")];
    const post = await on.textPost(author, "words of the author");
    const comment = await on.comments.add(viewer, post, "my own answer", null);
    await on.likes.like(viewer, post);
    await on.commentLikes.like(viewer, post, comment.id);
    await on.bookmarks.save(viewer, post);
    const lists = async () => {
      const { files, json } = await exported(viewer);
      const all = [...files.values()].map(String).join("\n");
      expect(all).toContain("my own answer");
      expect(all).not.toContain("words of the author");
      return ["comments", "likes", "comment-likes", "saves"].flatMap((list) =>
        (json(`${list}/0001.json`)[list] as { post: unknown }[]).map(({ post: one }) => one),
      );
    };
    const here = { author: author.username, number: post.number };
    expect(await lists()).toEqual([here, here, here, here]);
    const narrower = { version: 0, audience: "followers" } as const;
    await on.posts.edit(author, author.username, post.number, narrower);
    expect(await lists()).toEqual([null, null, null, null]);
    await on.posts.edit(author, author.username, post.number, {
      version: 1,
      audience: "everyone",
    });
    expect(await lists()).toEqual([here, here, here, here]);
  });

  const count = everything ? 10_000 : 2_000;

  test(`of ${count} posts is written a page at a time, in bounded memory`, async () => {
    const viewer = await on.member("Many Posts");
    const number = Array.from({ length: count }, (_, index) => String(index + 1));
    await insert(db, "posts", {
      author_id: number.map(() => viewer.id),
      id: number.map(() => newId()),
      number,
      caption: number.map((each) => `${"Long words. ".repeat(40)}${each}`),
    });
    await query(
      db,
      "update account_counters set posts = $2, last_post_number = $2 where account_id = $1",
      [viewer.id, count],
    );
    const seen: number[] = [];
    const { id } = await on.exports.start(viewer);
    global.gc?.();
    const before = process.memoryUsage().heapUsed;
    const watch = setInterval(() => seen.push(process.memoryUsage().heapUsed - before), 20);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    clearInterval(watch);
    const [made] = await on.exports.list(viewer);
    expect(made).toMatchObject({ id, state: "ready", done: count, total: count });
    const files = await contentsOf(await buffer((await on.exports.find(viewer, id)).file.read()));
    expect([...files.keys()].filter((name) => name.startsWith("posts/"))).toHaveLength(count / 50);
    expect([...files.keys()].filter((name) => name.endsWith(".html"))).toHaveLength(count / 50);
    // of 10,000: 5 MB of captions, twice, as JSON and as pages
    expect(Math.max(...seen)).toBeLessThan(200 * 1024 * 1024);
    expect(seen.length).toBeGreaterThan(1);
  });
});

describe("the sign-ins and changes in an archive", () => {
  test("are those of the account, and an import ignores them", async () => {
    const [viewer, other] = [await on.member("Ada Activity"), await on.member("Bob Activity")];
    await on.identity.notifyOwner(viewer.id, { what: "provider-connected", label: "Town" });
    await on.identity.notifyOwner(other.id, { what: "passkey-added" });
    const { json, bytes } = await exported(viewer);
    expect(json("activity/0001.json").activity).toEqual([
      {
        time: expect.any(Number),
        what: "signed-in",
        detail: "sign-up",
        count: 1,
        network: "192.0.2.1",
        device: "a test",
      },
      expect.objectContaining({ what: "provider-connected", detail: "Town", count: 1 }),
    ]);
    expect(json("postcard.json")).toMatchObject({
      counts: { activity: 2 },
      files: { activity: ["activity/0001.json"] },
    });

    await archivesOf(on).imported(other, bytes);
    const { items } = await on.identity.activity.list(other, null);
    expect(items.map(({ kind }) => kind)).toEqual(["passkey-added", "signed-in"]);
  });
});

describe("asking for an archive", () => {
  test("makes one at a time, sends an email when it is done, and keeps only the last one", async () => {
    const viewer = await on.member("One Ata Time");
    const first = await on.exports.start(viewer);
    expect(first).toMatchObject({ state: "waiting", total: 0 });
    await expect(on.exports.start(viewer)).rejects.toMatchObject({ code: "export-running" });
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const emails = await emailsIn(on.files);
    const subjects = emails.filter(({ to }) => to?.[0]?.address === viewer.email);
    expect(subjects.map(({ subject }) => subject)).toContain("Your archive is ready");
    await (await on.exports.find(viewer, first.id)).file.close();

    const second = await on.exports.start(viewer);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    expect((await on.exports.list(viewer)).map(({ id }) => id)).toEqual([second.id]);
    await expect(on.exports.find(viewer, first.id)).rejects.toMatchObject({ code: "not-found" });
    expect(await namesIn(on.files, `exports/${first.id}`)).toEqual([]);
  });

  test("asks for the password when the sign-in is more than ten minutes old", async () => {
    const viewer = await on.member("Left Alone");
    await query(
      db,
      "update sessions set created_at = now() - interval '11 minutes' where account_id = $1",
      [viewer.id],
    );
    for (const [password, code] of [
      ["", "input-invalid"],
      ["not this one", "wrong-password"],
    ] as const) {
      await expect(on.exports.start(viewer, { password })).rejects.toMatchObject({
        code,
        fields: { password: expect.any(String) },
      });
    }
    expect(await on.exports.list(viewer)).toEqual([]);
    await on.exports.start(viewer, { password: goodPassword });
    expect(await on.exports.list(viewer)).toHaveLength(1);
    await on.jobs.runDue();

    await query(db, "delete from credentials where account_id = $1", [viewer.id]);
    await query(db, "update sessions set confirmed_at = null where account_id = $1", [viewer.id]);
    await expect(on.exports.start(viewer), "who has no password").rejects.toMatchObject({
      code: "sign-in-again",
    });
  });

  test("is limited per day", async () => {
    const viewer = await on.member("Day Limit");
    for (let made = 0; made < limits.archive.exportsADay; made += 1) {
      await on.exports.start(viewer);
      await on.jobs.runDue();
    }
    await expect(on.exports.start(viewer)).rejects.toMatchObject({
      code: "export-limit",
      retryAfter: expect.any(Number),
    });
    const [latest] = await on.exports.list(viewer);
    expect(latest).toMatchObject({ state: "ready" });
  });

  test("gives it to nobody else, and to nobody after seven days", async () => {
    const [viewer, other] = [await on.member("Pri Vate"), await on.member("Nosy Other")];
    const { id } = await exported(viewer);
    for (const wrong of [id, "", "..", "x/../y", `${id}/..`]) {
      await expect(on.exports.find(other, wrong)).rejects.toMatchObject({ code: "not-found" });
    }
    await query(db, "update exports set expires_at = now() where id = $1", [id]);
    await expect(on.exports.find(viewer, id)).rejects.toMatchObject({ code: "not-found" });
    await on.exports.sweep();
    expect(await namesIn(on.files, `exports/${id}`)).toEqual([]);
    expect(await query(db, "select 1 from exports where id = $1", [id])).toEqual([]);
  });

  test("that fails again and again says so, leaves no file, and can be requested again", async () => {
    const viewer = await on.member("Bad Luck");
    await on.photoPost(viewer);
    // Nothing else reads originals.
    await on.db.query(sql`update images set avif_widths = '{}'`);
    const { openOriginal } = on.store;
    on.store.openOriginal = () => Promise.reject(new Error("the disk is broken"));
    const { id } = await on.exports.start(viewer);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect((await on.jobs.runDue({ later: true })).failed).toHaveLength(1);
    }
    on.store.openOriginal = openOriginal;
    expect(await on.exports.list(viewer)).toMatchObject([{ id, state: "failed" }]);
    expect(await namesIn(on.files, `exports/${id}`)).toEqual([]);
    expect((await exported(viewer)).files.has("pictures/1-1.jpg")).toBe(true);
  });

  test("leaves no file behind when the account is deleted", async () => {
    const viewer = await on.member("Takes Along");
    const { id } = await exported(viewer);
    expect(await namesIn(on.files, `exports/${id}`)).toEqual([`exports/${id}.zip`]);
    await on.deletion.requestFor(viewer.id, 0);
    await on.deletion.deleteDue();
    expect(await namesIn(on.files, `exports/${id}`)).toEqual([]);
  });
});
