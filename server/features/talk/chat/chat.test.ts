import { randomUUID } from "node:crypto";
import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { writeCursor } from "#server/platform/db/cursors.ts";
import { unreadOf } from "#server/features/talk/live/live.queries.ts";
import { insertAccounts, insertFollows } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everyPage, testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { notificationPath } from "#shared/notifications.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
});

async function befriend(one: Viewer, two: Viewer): Promise<void> {
  await on.follows.follow(one, two.id);
  await on.follows.follow(two, one.id);
}

/** Two members who follow each other. */
async function friends(): Promise<[Viewer, Viewer]> {
  const pair: [Viewer, Viewer] = [await on.member("Ana Berg"), await on.member("Bo Chen")];
  await befriend(...pair);
  return pair;
}

const idOf = (one: Viewer, two: Viewer) => `${one.username}.${two.username}`;

function say(from: Viewer, to: Viewer, body: string, clientKey: string | null = null) {
  return on.chat.send(from, idOf(from, to), { body, picture: null, clientKey });
}

/** In how many conversations something is new for a member. */
async function unreadChats({ id }: Viewer): Promise<number> {
  const [counts] = await unreadOf(db, [id]);
  return counts?.messages ?? Number.NaN;
}

async function bodies(viewer: Viewer, other: Viewer): Promise<string[]> {
  const { messages } = await on.chat.conversation(viewer, idOf(viewer, other));
  return messages.items.map(({ body }) => body);
}

describe("a conversation", () => {
  test("shows both sides the same messages in the same order", async () => {
    const [ana, bo] = await friends();
    await say(ana, bo, "one");
    await say(bo, ana, "two");
    await say(ana, bo, "three 👨‍👩‍👧 שלום");
    expect(await bodies(ana, bo)).toEqual(["three 👨‍👩‍👧 שלום", "two", "one"]);
    expect(await bodies(bo, ana)).toEqual(await bodies(ana, bo));
    const { messages } = await on.chat.conversation(bo, idOf(bo, ana));
    expect(messages.items.map(({ seq }) => seq)).toEqual([3, 2, 1]);
    expect(messages.items.map(({ senderId }) => senderId)).toEqual([ana.id, bo.id, ana.id]);
  });

  test("numbers what comes at once without a gap, and once for each client key", async () => {
    const [ana, bo] = await friends();
    const keys = Array.from({ length: 20 }, () => randomUUID());
    const sends = keys.flatMap((key, i) => {
      const [from, to] = i % 2 === 0 ? [ana, bo] : [bo, ana];
      return [0, 1, 2].map(() => say(from, to, `message ${i}`, key));
    });
    const sent = await Promise.all(sends);
    const { messages } = await on.chat.conversation(ana, idOf(ana, bo));
    const seqs = messages.items.map(({ seq }) => seq).toReversed();
    expect(seqs).toEqual(keys.map((_, i) => i + 1));
    expect(new Set(sent.map(({ seq }) => seq)).size).toBe(20);
    expect(new Set(messages.items.map(({ body }) => body)).size).toBe(20);
  });

  test("goes back page by page, and on from where a client was", async () => {
    const [ana, bo] = await friends();
    for (let i = 1; i <= 95; i += 1) await say(i % 3 ? ana : bo, i % 3 ? bo : ana, `${i}`);
    const { conversationId } = await on.chat.conversation(ana, idOf(ana, bo));
    const all = await everyPage((cursor) => on.chat.older(bo, conversationId ?? "", cursor));
    expect(all.map(({ body }) => Number(body))).toEqual(
      Array.from({ length: 95 }, (_, i) => 95 - i),
    );
    const later = await on.chat.since(bo, conversationId ?? "", 90);
    expect(later.messages.map(({ body }) => body)).toEqual(["91", "92", "93", "94", "95"]);
    expect(later.more).toBe(false);
    expect((await on.chat.since(bo, conversationId ?? "", 10)).more).toBe(true);
    const earlier = await on.chat.before(bo, conversationId ?? "", 4);
    expect(earlier.messages.map(({ body }) => body)).toEqual(["1", "2", "3"]);
    expect(earlier.more).toBe(false);
    const newest = await on.chat.before(ana, conversationId ?? "", 0);
    expect(newest.messages.at(-1)?.body).toBe("95");
    expect(newest.more).toBe(true);
    await on.chat.markRead(bo, conversationId ?? "", 94);
    await on.chat.markRead(ana, conversationId ?? "", 95);
    const marks = await on.chat.marks(ana, conversationId ?? "");
    expect(marks).toEqual({ readSeq: 95, otherReadSeq: 94 });
  });

  test("can be read but not gone on with after an unfollow, and goes on after the next follow", async () => {
    const [ana, bo] = await friends();
    await say(ana, bo, "hello");
    await on.follows.unfollow(bo, ana.id);
    for (const [from, to] of [
      [ana, bo],
      [bo, ana],
    ] as const) {
      await expect(say(from, to, "still there?")).rejects.toMatchObject({
        code: "chat-closed",
        status: 403,
      });
      expect(await on.chat.conversation(from, idOf(from, to))).toMatchObject({ open: false });
    }
    expect(await bodies(bo, ana)).toEqual(["hello"]);
    await on.follows.follow(bo, ana.id);
    await say(bo, ana, "back");
    expect(await bodies(ana, bo)).toEqual(["back", "hello"]);
  });

  test("is not there for two who do not follow each other", async () => {
    const [ana, bo] = [await on.member("Ana"), await on.member("Bo")];
    await on.follows.follow(ana, bo.id);
    await expect(on.chat.conversation(ana, idOf(ana, bo))).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(say(ana, bo, "hi")).rejects.toMatchObject({ code: "not-found" });
    const rows = await db.query(sql`select from conversations
      where ${ana.id} in (low_id, high_id)`);
    expect(rows).toHaveLength(0);
  });

  test("keeps what the other one wrote when an account is gone", async () => {
    const [ana, bo] = await friends();
    await say(ana, bo, "from Ana");
    await say(bo, ana, "from Bo");
    await db.query(sql`delete from accounts where id = ${ana.id}`);
    const { items } = await on.chat.list(bo, null);
    const [conversation] = items;
    expect(conversation?.other).toBeNull();
    const opened = await on.chat.conversation(bo, conversation?.chatId ?? "");
    expect(opened).toMatchObject({ other: null, open: false });
    expect(opened.messages.items.map(({ body }) => body)).toEqual(["from Bo"]);
  });

  test("is not shown while the other account is suspended", async () => {
    const [ana, bo] = await friends();
    await say(ana, bo, "hello");
    await on.suspend(ana);
    expect((await on.chat.list(bo, null)).items).toEqual([]);
    await expect(on.chat.conversation(bo, idOf(bo, ana))).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(say(bo, ana, "hello?")).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("what is sent", () => {
  test.each([
    ["nothing", ""],
    ["spaces", " \n\t "],
  ])("is refused when it is %s", async (_what, body) => {
    const [ana, bo] = await friends();
    await expect(say(ana, bo, body)).rejects.toMatchObject({
      code: "input-invalid",
      fields: { body: "required*" },
    });
  });

  test("may have 4,000 characters as people count them", async () => {
    const [ana, bo] = await friends();
    const most = "👩‍🚀".repeat(4000);
    expect((await say(ana, bo, most)).body).toBe(most);
    await expect(say(ana, bo, `${most}!`)).rejects.toMatchObject({ code: "input-invalid" });
  });

  test("can be a photo, which its two members may open and nobody else", async () => {
    const [ana, bo] = await friends();
    const eve = await on.member("Eve");
    const message = await on.chat.send(ana, idOf(ana, bo), {
      body: "",
      picture: await on.photo(),
      clientKey: null,
    });
    expect(message.picture).toMatchObject({ width: 96, height: 64 });
    const [width = 0] = message.picture?.widths ?? [];
    for (const member of [ana, bo]) {
      const file = await on.chat.openImage(member, message, width);
      expect(file?.bytes).toBeGreaterThan(0);
      await file?.close();
    }
    await expect(on.chat.openImage(eve, message, width)).rejects.toMatchObject({
      code: "not-found",
    });
    const rows = await db.query<{ key: string }>(sql`select key from message_pictures`);
    // nothing of it is in the public store
    expect(await on.store.open(rows[0]?.key ?? "", width)).toBeNull();
  });

  test("twice with one key leaves one image in the store", async () => {
    const [ana, bo] = await friends();
    const photo = await on.photo();
    const key = randomUUID();
    const before = await storedImages();
    const sending = { body: "", picture: photo, clientKey: key };
    const sent = await Promise.all([1, 2, 3].map(() => on.chat.send(ana, idOf(ana, bo), sending)));
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(await storedImages()).toBe(before + 1);
  });

  test("from a form sent twice is there once; other text or another photo is another message", async () => {
    const [ana, bo] = await friends();
    const photo = await on.photo();
    const send = (body: string, picture: typeof photo | null, formKey = "of one page") =>
      on.chat.sendFromForm(ana, idOf(ana, bo), { body, picture, formKey });
    const first = await send("hello", null);
    expect(await send("hello", null)).toEqual(first);
    await send("hello", photo);
    await send("hello again", null);
    await send("hello", null, "of the next page");
    expect(await bodies(bo, ana)).toEqual(["hello", "hello again", "hello", "hello"]);
    // Without a key a repeated one is not recognized.
    await send("twice", null, "");
    await send("twice", null, "");
    expect(await bodies(bo, ana)).toHaveLength(6);
  });

  test("can be taken back by its sender: text and photo go, the number stays", async () => {
    const [ana, bo] = await friends();
    const message = await on.chat.send(ana, idOf(ana, bo), {
      body: "a secret",
      picture: await on.photo(),
      clientKey: null,
    });
    const { conversationId, seq, picture } = message;
    await expect(on.chat.removeMessage(bo, conversationId, seq)).rejects.toMatchObject({
      code: "not-yours",
    });
    await on.chat.removeMessage(ana, conversationId, seq);
    await on.chat.removeMessage(ana, conversationId, seq);
    const { messages } = await on.chat.conversation(bo, idOf(bo, ana));
    expect(messages.items).toMatchObject([{ seq, body: "", picture: null, deleted: true }]);
    const width = picture?.widths[0] ?? 0;
    expect(await on.chat.openImage(bo, message, width)).toBeNull();
    await expect(on.chat.removeMessage(ana, conversationId, 99)).rejects.toMatchObject({
      code: "not-found",
    });
  });
});

describe("the list of conversations", () => {
  test("has the newest first, then connections without a message", async () => {
    const me = await on.member("Me");
    const [first, second, third, stranger] = await on.members(4);
    if (!first || !second || !third || !stranger) throw new Error("nobody there");
    for (const friend of [first, second, third]) await befriend(me, friend);
    await on.follows.follow(me, stranger.id);
    await say(first, me, "early");
    await say(me, second, "late");
    const { items } = await on.chat.list(me, null);
    expect(items.map(({ other }) => other?.id)).toEqual([second.id, first.id, third.id]);
    expect(items.map(({ last }) => last?.body ?? null)).toEqual(["late", "early", null]);
    expect(items.map(({ unread }) => unread)).toEqual([0, 1, 0]);
    expect(items[0]?.chatId).toBe(idOf(me, second));
  });

  test("goes through many pages without losing or repeating one", async () => {
    const me = await on.member("Me");
    const others = await on.members(35);
    for (const other of others) {
      await befriend(me, other);
      await say(other, me, "hi");
    }
    const fresh = await insertAccounts(db, 65);
    await insertFollows(db, [me], fresh);
    await insertFollows(db, fresh, [me]);
    const all = await everyPage((cursor) => on.chat.list(me, cursor));
    const expected = [...others.toReversed(), ...fresh.toReversed()];
    expect(all.map(({ other }) => other?.id)).toEqual(expected.map(({ id }) => id));
    const foreign = writeCursor(["elsewhere", me.id]);
    await expect(on.chat.list(me, foreign)).rejects.toMatchObject({ code: "input-invalid" });
  });

  test("counts what was not seen, until it was; one's own messages count as seen", async () => {
    const [ana, bo] = await friends();
    for (let i = 0; i < 3; i += 1) await say(bo, ana, `${i}`);
    const unread = async () => [
      (await on.chat.list(ana, null)).items[0]?.unread,
      await unreadChats(ana),
    ];
    expect(await unread()).toEqual([3, 1]);
    const { conversationId } = await on.chat.conversation(ana, idOf(ana, bo));
    await on.chat.markRead(ana, conversationId ?? "", 2);
    expect(await unread()).toEqual([1, 1]);
    // never back, never past the newest
    await on.chat.markRead(ana, conversationId ?? "", 1);
    await on.chat.markRead(ana, conversationId ?? "", 4000);
    expect(await unread()).toEqual([0, 0]);
    expect((await on.chat.conversation(bo, idOf(bo, ana))).otherReadSeq).toBe(3);
    await say(bo, ana, "again");
    await say(ana, bo, "answer");
    expect(await unread()).toEqual([0, 0]);
  });

  test("counts truly when one reads while the other writes", async () => {
    const [ana, bo] = await friends();
    const { conversationId } = await say(bo, ana, "0");
    for (let round = 0; round < 5; round += 1) {
      const writing = Array.from({ length: 4 }, (_, i) => say(bo, ana, `${i}`));
      const reading = Array.from({ length: 4 }, (_, i) =>
        on.chat.markRead(ana, conversationId, 4 * round + i + 1),
      );
      await Promise.all([...writing, ...reading]);
      const { items } = await on.chat.list(ana, null);
      expect(await unreadChats(ana)).toBe((items[0]?.unread ?? 0) > 0 ? 1 : 0);
      await on.chat.markRead(ana, conversationId, 4000);
      expect(await unreadChats(ana)).toBe(0);
    }
  });

  test("is silent about a muted conversation", async () => {
    const [ana, bo] = await friends();
    const { conversationId } = await say(bo, ana, "hello");
    await on.chat.mute(ana, conversationId, true);
    expect(await unreadChats(ana)).toBe(0);
    expect((await on.chat.conversation(ana, idOf(ana, bo))).muted).toBe(true);
    expect((await on.chat.conversation(bo, idOf(bo, ana))).muted).toBe(false);
    await on.chat.mute(ana, conversationId, false);
    expect(await unreadChats(ana)).toBe(1);
  });
});

describe("a notification of a message", () => {
  test("goes to its receiver, until it was seen or taken back, and not where the conversation is muted", async () => {
    const [ana, bo] = await friends();
    const kinds = async () =>
      (await on.notifications.list(bo, "all", null)).items.map(({ kind }) => kind);
    const { conversationId, seq } = await say(ana, bo, "hello");
    expect(await kinds()).toContain("message");
    await on.chat.removeMessage(ana, conversationId, seq);
    expect(await kinds()).not.toContain("message");
    await on.chat.mute(bo, conversationId, true);
    await say(ana, bo, "quietly");
    expect(await kinds()).not.toContain("message");
  });
});

describe("a chatId", () => {
  test("is read from two addresses in either order, of whatever kind", async () => {
    const [ana, bo] = await friends();
    await say(ana, bo, "hello");
    const own = [ana.username, ana.email, ana.email.toUpperCase()];
    const others = [bo.username, bo.email];
    for (const one of own) {
      for (const two of others) {
        for (const chatId of [`${one}${two}`, `${two}${one}`]) {
          const opened = await on.chat.conversation(ana, chatId);
          expect(opened.other?.id, chatId).toBe(bo.id);
        }
      }
    }
  });

  test("can be the conversation's own, as notifications have it, for its two members", async () => {
    const [ana, bo] = await friends();
    const { conversationId } = await say(ana, bo, "hello");
    const { items } = await on.notifications.list(bo, "all", null);
    const paths = items.map(notificationPath);
    expect(paths).toContain(`/chat/${conversationId}`);
    const opened = await on.chat.conversation(bo, conversationId);
    expect(opened).toEqual(await on.chat.conversation(bo, idOf(bo, ana)));
    expect(opened).toMatchObject({ other: { id: ana.id }, open: true });
    await on.chat.send(bo, conversationId, { body: "back", picture: null, clientKey: null });
    expect(await bodies(ana, bo)).toEqual(["back", "hello"]);
    const stranger = await on.member("Stranger");
    for (const hidden of [
      () => on.chat.conversation(stranger, conversationId),
      async () => {
        await on.blocks.block(ana, bo.id);
        return on.chat.conversation(bo, conversationId);
      },
    ]) {
      await expect(hidden()).rejects.toMatchObject({ code: "not-found" });
    }
  });

  test("that fits two accounts is refused", async () => {
    const me = await on.member("aaa");
    const [long, short] = [await on.member("aaabbb"), await on.member("bbb")];
    await befriend(me, short);
    await befriend(me, long);
    // me + "bbbaaa…": from the start or from the end
    const left = await on.member("bbbaaa");
    await befriend(me, left);
    expect([me.username, left.username]).toEqual(["aaa", "bbbaaa"]);
    const ambiguous = `${me.username}bbb${me.username}`;
    await on.member("aaabbb_");
    await expect(on.chat.conversation(me, ambiguous)).rejects.toMatchObject({ code: "not-found" });
    expect((await on.chat.conversation(me, idOf(me, left))).other?.id).toBe(left.id);
  });

  test.each([
    "",
    ".",
    "a",
    "..",
    "\0",
    "x".repeat(5000),
    "'; drop table messages; --",
    "%",
    randomUUID(),
  ])("that is %j is nobody's", async (chatId) => {
    const [ana] = await friends();
    await expect(on.chat.conversation(ana, chatId)).rejects.toMatchObject({ code: "not-found" });
  });

  test("of others is nobody's", async () => {
    const [ana, bo] = await friends();
    const eve = await on.member("Eve");
    const { conversationId, seq } = await say(ana, bo, "between us");
    await expect(on.chat.conversation(eve, idOf(ana, bo))).rejects.toMatchObject({
      code: "not-found",
    });
    for (const act of [
      () => on.chat.older(eve, conversationId, null),
      () => on.chat.since(eve, conversationId, 0),
      () => on.chat.removeMessage(eve, conversationId, seq),
      () => on.chat.markRead(eve, conversationId, seq),
      () => on.chat.typing(eve, conversationId),
      () => on.chat.mute(eve, conversationId, true),
    ]) {
      await expect(act()).rejects.toMatchObject({ code: "not-found" });
    }
  });
});

describe("a message costs", () => {
  test("one insert, whatever its conversation holds already", async () => {
    const { db: counted } = await countedDatabase();
    const there = testFeatures(counted.db);
    const [ana, bo] = [await there.member("Ana"), await there.member("Bo")];
    await there.follows.follow(ana, bo.id);
    await there.follows.follow(bo, ana.id);
    const send = async () => {
      counted.sent.length = 0;
      await there.chat.send(ana, idOf(ana, bo), { body: "hi", picture: null, clientKey: null });
      return counted.sent.filter((text) => /insert into messages/.test(text)).length;
    };
    await send();
    expect([await send(), await send()]).toEqual([1, 1]);
  });
});

async function storedImages(): Promise<number> {
  const rows = await db.query<{ n: number }>(sql`
    select count(*)::integer as n from message_pictures`);
  return rows[0]?.n ?? 0;
}

async function countedDatabase() {
  const sent: string[] = [];
  const { db: database } = await freshDatabase((text) => void sent.push(text));
  return { db: { db: database, sent } };
}
