import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { fromBufferPromise } from "yauzl";
import { archiveFiles, archiveTest } from "#server/test/archives.ts";
import { everyPage } from "#server/test/factories.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { filesBelow, sha256 } from "#server/test/traces.ts";
import type { Viewer } from "#shared/views.ts";

const { db, on, archives } = await archiveTest();

type Entry = Record<string, unknown> & { picture: { file?: string; sha256?: string } | null };

/** The messages of an archive; every image that one names has the hash listed beside it. */
async function messagesOf(archive: Buffer): Promise<Entry[]> {
  const zip = await fromBufferPromise(archive);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  const names: string[] = JSON.parse(String(files.get("postcard.json"))).files.messages;
  const messages = names.flatMap((name): Entry[] => JSON.parse(String(files.get(name))).messages);
  for (const { picture } of messages) {
    if (picture?.file) expect(sha256(files.get(picture.file) as Buffer)).toBe(picture.sha256);
  }
  return messages;
}

/** As they were before they were exported. */
const unmarked = (messages: Entry[]) =>
  messages.map((message) => ({ ...message, imported: undefined }));

async function image(width: number) {
  const path = join(on.folder, `message-${width}.jpg`);
  const bytes = await (await scene(width, 60)).jpeg().toBuffer();
  await writeFile(path, bytes);
  return { path, bytes: bytes.length, filename: "p", mediaType: "image/jpeg" };
}

const idOf = (one: Viewer, two: Viewer) => `${one.username}.${two.username}`;

/** Two people who follow each other and wrote to each other; the first one's archive holds it all. */
async function talk(): Promise<{ ada: Viewer; bo: Viewer; archive: Buffer }> {
  const [ada, bo] = [await on.member("Ada Writer"), await on.member("Bo <b>Chen</b>")];
  await on.follows.follow(ada, bo.id);
  await on.follows.follow(bo, ada.id);
  const say = async (from: Viewer, to: Viewer, body: string, width?: number) => {
    const sent = { body, picture: width ? await image(width) : null, clientKey: null };
    return on.chat.send(from, idOf(from, to), sent);
  };
  await say(ada, bo, "Hello 👩‍🎨 <script>");
  await say(bo, ada, "שלום\n\tand more");
  await say(ada, bo, "", 71);
  await say(bo, ada, "mine", 72);
  const { conversationId, seq } = await say(ada, bo, "said too early");
  await on.chat.removeMessage(ada, conversationId, seq);
  await say(ada, bo, "with words", 73);
  return { ada, bo, archive: await archives.exported(ada) };
}

async function only(viewer: Viewer) {
  const { items } = await on.importedConversations.list(viewer, null);
  expect(items).toHaveLength(1);
  return on.importedConversations.conversation(viewer, items[0]?.id ?? "");
}

describe("messages in an archive", () => {
  test("come back as its owner's own copy, with their photos, and notify nobody", async () => {
    const { ada, bo, archive } = await talk();
    const before = await messagesOf(archive);
    expect(before).toHaveLength(6);
    await on.deletion.requestFor(ada.id, 0);
    await on.deletion.deleteDue();
    const next = await on.member("Ada Again");
    await on.follows.follow(next, bo.id);
    await on.follows.follow(bo, next.id);
    const outcome = await archives.imported(next, archive);
    expect(outcome).toMatchObject({
      state: "done",
      messages: { done: 6, total: 6, taken: 6, known: 0 },
      skipped: [],
    });

    const { messages, other, newestAt } = await only(next);
    expect(other).toEqual({ username: bo.username, name: "Bo <b>Chen</b>" });
    expect(newestAt).toBe(before.at(-1)?.["time"]);
    expect(messages.items).toMatchObject([
      { number: 1, sent: true, body: "Hello 👩‍🎨 <script>", picture: null },
      { number: 2, sent: false, body: "שלום\n\tand more" },
      { number: 3, sent: true, body: "", picture: { width: 71 } },
      { number: 4, sent: false, body: "mine", hasPicture: true, picture: null },
      { number: 5, sent: true, body: "", deleted: true, hasPicture: false },
      { number: 6, sent: true, body: "with words", picture: { width: 73 } },
    ]);
    expect(unmarked(await messagesOf(await archives.exported(next)))).toEqual(unmarked(before));

    // nothing of it is in a conversation, and the other person is not notified
    expect((await on.chat.conversation(next, idOf(next, bo))).messages.items).toEqual([]);
    expect((await on.chat.list(next, null)).items).toMatchObject([{ last: null }]);
    expect((await on.notifications.list(bo, "all", null)).items.map(({ kind }) => kind)).toEqual([
      "follow",
    ]);
    expect((await on.importedConversations.list(bo, null)).items).toEqual([]);
  });

  test("are imported once, also from an archive of the copy, and not into the account they came from", async () => {
    const { ada, archive } = await talk();
    const to = await on.member("Twice To");
    await archives.imported(to, archive);
    const files = await filesBelow(join(on.folder, "private"));
    const shown = await only(to);
    const again = await archives.exported(to);
    for (const one of [archive, again]) {
      const { messages } = await archives.imported(to, one);
      expect(messages).toEqual({ done: 6, total: 6, taken: 0, known: 6 });
    }
    expect(await only(to)).toEqual(shown);
    expect(await filesBelow(join(on.folder, "private"))).toEqual(files);
    const { messages } = await archives.imported(ada, archive);
    expect(messages).toMatchObject({ taken: 0, known: 6 });
    expect((await on.importedConversations.list(ada, null)).items).toEqual([]);
    // what an archive was made of later is there as well
    expect((await messagesOf(again)).every(({ imported }) => imported === true)).toBe(true);
  });

  test("belong to their owner alone, stay until they are deleted, and are then gone", async () => {
    const { archive } = await talk();
    const [to, nosy] = [await on.member("Own Er"), await on.member("No Sy")];
    await archives.imported(to, archive);
    const { id: threadId } = await only(to);
    const seen = { threadId, number: 3 };
    await (await on.importedConversations.openImage(to, seen, 71))?.close();
    const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
    await on.chat.sweep(later);
    const opened = await on.importedConversations.openImage(to, seen, 71);
    expect(opened).not.toBeNull();
    await opened?.close();

    expect(await on.importedConversations.openImage(nosy, seen, 71)).toBeNull();
    for (const wrong of [threadId, "", "..", "x'"]) {
      const asked = on.importedConversations.conversation(nosy, wrong);
      await expect(asked).rejects.toMatchObject({ code: "not-found" });
      const removed = on.importedConversations.remove(nosy, wrong);
      await expect(removed).rejects.toMatchObject({ code: "not-found" });
    }

    const named = async () =>
      query<{ key: string; width: number }>(
        db,
        "select key, widths[1] as width from imported_pictures where account_id = $1",
        [to.id],
      );
    const images = await named();
    const stored = async () => {
      const files = images.map(({ key, width }) => on.privateStore.open(key, width));
      const there = (await Promise.all(files)).flatMap((file) => file ?? []);
      for (const file of there) await file.close();
      return there;
    };
    expect(images).toHaveLength(2);
    expect(await stored()).not.toEqual([]);
    await on.importedConversations.remove(to, threadId);
    expect(await stored()).toEqual([]);
    expect((await on.importedConversations.list(to, null)).items).toEqual([]);

    await archives.imported(to, archive);
    images.push(...(await named()));
    expect(await stored()).not.toEqual([]);
    await on.deletion.requestFor(to.id, 0);
    await on.deletion.deleteDue();
    expect(await stored()).toEqual([]);
    for (const table of ["imported_threads", "imported_messages", "imported_pictures"]) {
      expect(await query(db, `select 1 from ${table} where account_id = $1`, [to.id])).toEqual([]);
    }
  });
});

const uuid = (nth: number) => `018f0000-0000-7000-8000-${String(nth).padStart(12, "0")}`;

const conversation = "018f0000-0000-7000-8000-0000000000aa";
const message = (number: number, fields: object = {}) => ({
  id: uuid(number),
  conversation,
  number,
  time: 1_700_000_000_000 + number,
  with: { username: "bo_chen", name: "Bo Chen" },
  sent: true,
  text: "words",
  ...fields,
});

function archiveOf(messages: object[], others: Record<string, string | Buffer> = {}) {
  const manifest = {
    format: "postcard-archive",
    version: 1,
    files: { profile: "profile.json", posts: [], messages: ["messages/0001.json"] },
  };
  return archives.zipOf(
    archiveFiles([], {
      "postcard.json": JSON.stringify(manifest),
      "messages/0001.json": JSON.stringify({ messages }),
      ...others,
    }),
  );
}

const pictured = (file: string, bytes: Buffer) => ({
  text: "",
  picture: { width: 88, height: 60, file, sha256: sha256(bytes) },
});

describe("messages that somebody made up", () => {
  test("put no words into the mouth of a member of that name", async () => {
    const [liar, bo] = [await on.member("Li Ar"), await on.member("Bo Victim")];
    await on.follows.follow(liar, bo.id);
    await on.follows.follow(bo, liar.id);
    const { conversationId } = await on.chat.send(liar, idOf(liar, bo), {
      body: "real",
      picture: null,
      clientKey: null,
    });
    const claim = {
      sent: false,
      text: "I owe you",
      with: { username: bo.username, name: bo.name },
    };
    // as if it belonged to the existing conversation, and to another one
    const forged = [message(2, { ...claim, conversation: conversationId }), message(1, claim)];
    const outcome = await archives.imported(liar, await archiveOf(forged));
    expect(outcome.messages).toMatchObject({ taken: 1, known: 1 });
    for (const viewer of [liar, bo]) {
      const other = viewer === liar ? bo : liar;
      const { messages } = await on.chat.conversation(viewer, idOf(viewer, other));
      expect(messages.items.map(({ body }) => body)).toEqual(["real"]);
    }
    const copy = await only(liar);
    expect(copy.messages.items).toMatchObject([{ sent: false, body: "I owe you" }]);
    expect(copy.other).not.toHaveProperty("id");
  });

  test("are imported one by one where the product could have written them, and skipped with a sentence otherwise", async () => {
    const to = await on.member("Partly Good");
    const good = await readFile((await image(88)).path);
    const page = Buffer.from("<script>alert(1)</script>");
    const soon = Date.now() + 10 * 365 * 86_400_000;
    const outcome = await archives.imported(
      to,
      await archiveOf(
        [
          message(1, pictured("pictures/message-1.jpg", page)),
          message(2, { text: "x".repeat(4001) }),
          message(3, { text: " \n" }),
          message(4, pictured("pictures/message-2.jpg", page)),
          message(5, pictured("pictures/message-3.jpg", good)),
          message(6, { time: soon }),
          message(6, { text: "the same place again" }),
          message(7, { ...pictured("pictures/message-4.jpg", good), sent: false, with: null }),
        ],
        {
          "pictures/message-1.jpg": page,
          "pictures/message-2.jpg": good,
          "pictures/message-3.jpg": good,
          "pictures/message-4.jpg": good,
        },
      ),
    );
    expect(outcome).toMatchObject({ state: "done", messages: { done: 8, total: 8 } });
    expect(outcome.skipped).toEqual([
      "Message 2 with @bo_chen was left out: A message can have 4,000 characters; this is 1 too many.",
      "Message 3 with @bo_chen was left out: it has nothing to show",
      "Message 1 with @bo_chen was left out: pictures/message-1.jpg: We can't use this file. Choose a JPEG, PNG, WebP, AVIF, HEIC or GIF.",
      "Message 4 with @bo_chen was left out: pictures/message-2.jpg in this archive isn't the original picture.",
    ]);
    const { messages } = await only(to);
    expect(messages.items).toMatchObject([
      { number: 5, picture: { width: 88 } },
      { number: 6, body: "words" },
      { number: 7, sent: false, hasPicture: true, picture: null },
    ]);
    expect(messages.items[1]?.sentAt).toBeLessThanOrEqual(Date.now());
  });

  test.each([
    ["without a position", [message(0)], /^messages\/0001\.json \(messages\.0\.number\)/],
    ["of another shape", [message(1, { text: 7 })], /messages\.0\.text/],
    [
      "whose image is elsewhere",
      [message(1, { picture: { width: 1, height: 1, file: "../secrets.json" } })],
      /messages\.0\.picture\.file/,
    ],
    [
      "whose image is missing",
      [message(1, { picture: { width: 1, height: 1, file: "pictures/message-9.jpg" } })],
      /^pictures\/message-9\.jpg is missing from this archive\.$/,
    ],
  ])("(%s) refuse the archive, and nothing of it stays", async (_what, messages, sentence) => {
    const to = await on.member("Hosti Le");
    const outcome = await archives.imported(to, await archiveOf(messages));
    expect(outcome.state).toBe("failed");
    expect(outcome.problem).toMatch(sentence);
    expect((await on.importedConversations.list(to, null)).items).toEqual([]);
  });

  test("in great number are read page by page, the newest conversation first", async () => {
    const to = await on.member("Many Many");
    const long = Array.from({ length: 250 }, (_, index) => message(index + 1));
    const short = Array.from({ length: 40 }, (_, index) =>
      message(1, { conversation: uuid(index + 1), time: index }),
    );
    const outcome = await archives.imported(to, await archiveOf([...long, ...short]));
    expect(outcome.messages).toMatchObject({ taken: 290 });
    const listed = await everyPage((cursor) => on.importedConversations.list(to, cursor));
    expect(listed.map(({ id }) => id)).toEqual([
      conversation,
      ...Array.from({ length: 40 }, (_, index) => uuid(40 - index)),
    ]);
    const numbers = await everyPage(async (cursor) => {
      const { messages } = await on.importedConversations.conversation(to, conversation, cursor);
      return messages;
    });
    expect(numbers.map(({ number }) => number)).toEqual(long.map(({ number }) => number));
  });
});
