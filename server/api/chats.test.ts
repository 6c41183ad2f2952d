import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type Caller } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { imageForm } from "#server/test/image-form.ts";
import { query } from "#server/test/query.ts";
import { keysIn } from "#server/test/traces.ts";
import type { MessageView, Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const { member, follows } = features;

let ada: Viewer;
let bob: Viewer;
let chat: string;

beforeAll(async () => {
  [ada, bob] = [await member("Ada Sender"), await member("Bob Reader")];
  await follows.follow(ada, bob.id);
  await follows.follow(bob, ada.id);
  chat = `/api/chats/${ada.username}.${bob.username}`;
});

const keyed = (key?: string) => (key ? { headers: { "idempotency-key": key } } : {});
const write = (caller: Caller, body: string, key?: string) =>
  call(caller, "POST", `${chat}/messages`, { payload: { body }, ...keyed(key) });
const written = async () =>
  (await query<{ body: string }>(db, "select body from messages order by seq")).map(
    ({ body }) => body,
  );

async function sendPhoto(
  caller: Caller,
  body: string | null,
  key?: string,
  url = `${chat}/photos`,
) {
  const form = await imageForm();
  if (body !== null) form.set("body", body);
  return call(caller, "POST", url, { payload: form, ...keyed(key) });
}

const privateImages = () => keysIn(features.privateStore);

describe("a program that writes a message", () => {
  test("with a key writes it once, however often it is sent", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => write(ada, "once", "mine")));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
    expect(replays).toHaveLength(5);
    expect(await written()).toEqual(["once"]);
    // the other member's same key is another one
    expect((await write(bob, "mine, too", "mine")).json()).toMatchObject({ seq: 2 });
  });

  test("is refused when the key belongs to another message, and nothing is written", async () => {
    const before = await written();
    const answer = await write(ada, "twice", "mine");
    expect(answer.statusCode).toBe(422);
    expect(answer.json()).toMatchObject({ error: { code: "key-reused" } });
    expect((await sendPhoto(ada, "once", "mine")).statusCode).toBe(422);
    expect(await written()).toEqual(before);
  });
});

describe("a program that sends a photo", () => {
  test("shows it to the two members and to nobody else", async () => {
    const sent = await sendPhoto(ada, " look ");
    expect(sent.statusCode).toBe(201);
    const message = sent.json<MessageView>();
    expect(message).toMatchObject({ body: "look", senderId: ada.id, picture: { width: 96 } });
    const { conversationId, seq } = message;
    const address = `/chat/pictures/${conversationId}/${seq}/96.webp`;
    for (const [caller, status] of [
      [ada, 200],
      [bob, 200],
      [await member("Cy Stranger"), 404],
      [null, 401],
    ] as const) {
      const answer = await call(caller, "GET", address);
      expect(answer.statusCode).toBe(status);
      expect(answer.headers["cache-control"]).toMatch(/private|no-store/);
    }
    const [first] = (await call(bob, "GET", `${chat}/messages`)).json<{ items: MessageView[] }>()
      .items;
    expect(first).toEqual(message);
    // without words, too
    expect((await sendPhoto(bob, null)).json()).toMatchObject({ body: "", seq: seq + 1 });
  });

  test("with a key sends it once, also in simultaneous requests, and stores no other image", async () => {
    const before = await written();
    const images = await privateImages();
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => sendPhoto(ada, "one photo", "photo")),
    );
    answers.push(await sendPhoto(ada, "one photo", "photo"));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const replays = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
    expect(replays).toHaveLength(4);
    expect(await written()).toEqual([...before, "one photo"]);
    expect(await privateImages()).toHaveLength(images.length + 1);
    const other = await sendPhoto(ada, "other words", "photo");
    expect(other.json()).toMatchObject({ error: { code: "key-reused" } });
    expect(await privateImages()).toHaveLength(images.length + 1);
  });

  test("is refused with a reason, and nothing of it is stored", async () => {
    const before = [await written(), await privateImages()];
    const wrong = new FormData();
    wrong.set("image", new Blob(["<script>"], { type: "image/png" }), "p.png");
    const none = new FormData();
    none.set("body", "words alone");
    const stranger = await member("Di Stranger");
    for (const [answer, status, code] of [
      [await call(ada, "POST", `${chat}/photos`, { payload: wrong }), 415, "picture-type"],
      [await call(ada, "POST", `${chat}/photos`, { payload: none }), 400, "input-invalid"],
      [await call(ada, "POST", `${chat}/photos`, { payload: { body: "x" } }), 400, "form-broken"],
      [await sendPhoto(ada, "x".repeat(4001)), 400, "input-invalid"],
      [await sendPhoto(ada, "key", "naïve"), 400, "input-invalid"],
      [await sendPhoto(stranger, "mine"), 404, "not-found"],
      [await sendPhoto(null, "mine"), 401, "sign-in-required"],
    ] as const) {
      expect(answer.json()).toMatchObject({ error: { code } });
      expect(answer.statusCode).toBe(status);
    }
    expect([await written(), await privateImages()]).toEqual(before);
  });

  test("is refused once the two no longer follow each other, but still gets the answer it missed", async () => {
    const first = await sendPhoto(ada, "just before", "before");
    await follows.unfollow(bob, ada.id);
    const again = await sendPhoto(ada, "just before", "before");
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect((await sendPhoto(ada, "after")).json()).toMatchObject({
      error: { code: "chat-closed" },
    });
    await features.blocks.block(bob, ada.id);
    expect((await sendPhoto(ada, "after")).json()).toMatchObject({ error: { code: "not-found" } });
  });
});
