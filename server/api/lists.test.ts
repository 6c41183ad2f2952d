import { beforeAll, describe, expect, test } from "vitest";
import { testApp, type Caller } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import type { AccountSummary, CommentView, MessageView, Page, Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features, call, cookieOf } = await testApp(db);
const { member, photoPost, textPost, follows } = features;

let ada: Viewer;
let bob: Viewer;
let photo: MadePost;
let words: MadePost;

beforeAll(async () => {
  [ada, bob] = [await member("Ada Ashdown"), await member("Bob Birchwood")];
  photo = await photoPost(ada, "A boat");
  words = await textPost(ada, "Words alone");
  await follows.follow(ada, bob.id);
  await follows.follow(bob, ada.id);
});

const read = async <Answer>(caller: Caller, url: string) =>
  (await call(caller, "GET", url)).json<Answer>();
const idsAt = async (caller: Caller, url: string) =>
  (await read<Page<{ id: string }>>(caller, url)).items.map(({ id }) => id);
/** Whether each of Ada's notifications is new. */
const unread = async (url = "/api/notifications") =>
  (await read<Page<{ unread: boolean }>>(ada, url)).items.map((one) => one.unread);
const chat = () => `/api/chats/${ada.username}.${bob.username}`;
const write = (from: Viewer, payload: object) =>
  call(from, "POST", `${chat()}/messages`, { payload });
const renewed = async (headers: Record<string, string>) =>
  (await app.inject({ url: "/api/feed", headers })).headers["set-cookie"];

describe("what an account shows", () => {
  test("are its photos and its text posts apart, for anybody, also by a former username", async () => {
    const path = `/api/accounts/${ada.username}`;
    expect(await idsAt(null, `${path}/photos`)).toEqual([photo.postId]);
    expect(await idsAt(bob, `${path}/texts`)).toEqual([words.postId]);
    await features.settings.changeUsername(ada, "ada_renamed");
    expect(await idsAt(null, `${path}/photos`)).toEqual([photo.postId]);
    ada = { ...ada, username: "ada_renamed" };
  });

  test("are its followers and the accounts it follows, with those the caller follows marked", async () => {
    const path = `/api/accounts/${ada.username}`;
    for (const list of ["followers", "following"]) {
      expect(await read(ada, `${path}/${list}`)).toMatchObject({
        items: [{ id: bob.id, following: true }],
        nextCursor: null,
      });
      expect(await read(null, `${path}/${list}`)).toMatchObject({ items: [{ following: false }] });
    }
  });

  test("is found by a part of its name, page by page", async () => {
    for (let n = 0; n < 31; n += 1) await member(`Quincy ${n}`);
    const first = await read<Page<AccountSummary>>(null, "/api/search?q=quinc");
    const rest = await read<Page<AccountSummary>>(
      null,
      `/api/search?${new URLSearchParams({ q: "quinc", cursor: first.nextCursor ?? "" })}`,
    );
    const found = [...first.items, ...rest.items].map(({ id }) => id);
    expect([first.items.length, new Set(found).size, rest.nextCursor]).toEqual([30, 31, null]);
    for (const empty of ["/api/search", "/api/search?q="]) {
      const refused = await call(null, "GET", empty);
      expect([refused.statusCode, refused.json().error.code]).toEqual([400, "input-invalid"]);
    }
  });
});

describe("what is a member's own", () => {
  test("is what they saved, photos and text posts apart", async () => {
    for (const post of [photo, words]) await features.bookmarks.save(bob, post);
    expect(await idsAt(bob, "/api/saved/photos")).toEqual([photo.postId]);
    expect(await idsAt(bob, "/api/saved/texts")).toEqual([words.postId]);
    expect(await idsAt(ada, "/api/saved/photos")).toEqual([]);
  });

  test("is how many posts their feed has above one", async () => {
    const newer = (than: string) => read(bob, `/api/feed/newer?than=${than}`);
    expect(await newer(photo.postId)).toEqual({ count: 1 });
    expect(await newer(words.postId)).toEqual({ count: 0 });
    expect((await call(bob, "GET", "/api/feed/newer?than=first")).statusCode).toBe(400);
  });

  test("are notifications, read by a page only where it says so", async () => {
    await features.likes.like(bob, photo);
    const before = await unread();
    expect(before).toContain(true);
    expect(await unread()).toEqual(before);
    expect(await unread("/api/notifications?mark=read&only=mentions")).toEqual([]);
    // still marked as new on the page that reads them
    expect(await unread("/api/notifications?mark=read")).toEqual(before);
    expect(await unread()).not.toContain(true);
  });
});

test("comments are read from one onwards, and the call says which still exist", async () => {
  const path = `/api/posts/${ada.username}/${words.number}/comments`;
  const ids: string[] = [];
  for (const body of ["one", "two", "three"]) {
    ids.push((await features.comments.add(bob, words, body, null)).id);
  }
  const [first = "", second = "", third = ""] = ids;
  const after = await read<Page<CommentView>>(null, `${path}?after=${first}`);
  expect(after.items.map(({ body }) => body)).toEqual(["two", "three"]);
  await call(bob, "DELETE", `${path}/${second}`);
  expect(await read(null, `${path}/standing?from=${first}&to=${third}`)).toEqual({
    ids: [first, third],
    to: third,
  });
  for (const wrong of ["?after=one", `/standing?from=${first}`]) {
    expect((await call(null, "GET", path + wrong)).statusCode).toBe(400);
  }
});

describe("a chat", () => {
  test("has a message once by its sender's own key, which both members read in it", async () => {
    const sent = [
      await write(ada, { body: "one", clientKey: "mine", senderId: ada.id }),
      await write(ada, { body: "one", clientKey: "mine", senderId: ada.id }),
    ];
    expect(sent.map(({ statusCode }) => statusCode)).toEqual([201, 201]);
    expect(sent[1]?.json()).toEqual(sent[0]?.json());
    const { items } = await read<Page<MessageView>>(bob, `${chat()}/messages`);
    expect(items).toMatchObject([{ seq: 1, clientKey: "mine" }]);
  });

  test("takes no message in the session of anybody but its sender", async () => {
    const refused = await write(bob, { body: "whose?", senderId: ada.id });
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, "sign-in-required"]);
    expect((await read<Page<MessageView>>(bob, `${chat()}/messages`)).items).toHaveLength(1);
  });

  test("is read before and after a message, and also by its conversation's id", async () => {
    for (const body of ["two", "three"]) await write(bob, { body });
    const [listed] = (await read<Page<{ id: string; conversationId: string }>>(ada, "/api/chats"))
      .items;
    expect(listed?.id).toBe(bob.id);
    const byId = `/api/chats/${listed?.conversationId}`;
    expect((await call(ada, "PUT", `${byId}/read`, { payload: { seq: 2 } })).statusCode).toBe(204);
    for (const path of [chat(), byId]) {
      const range = (side: string) => read(bob, `${path}/messages/range?${side}`);
      expect(await range("before=3")).toMatchObject({
        messages: [{ body: "one" }, { body: "two" }],
        more: false,
        otherReadSeq: 2,
      });
      expect(await range("after=2")).toMatchObject({ messages: [{ body: "three" }], more: false });
    }
    const stranger = await member("Cy Stranger");
    for (const [method, rest] of [
      ["GET", "/messages/range"],
      ["PUT", "/typing"],
      ["PUT", "/mute"],
    ] as const) {
      expect((await call(stranger, method, byId + rest)).statusCode).toBe(404);
    }
  });
});

describe("an answer to a browser", () => {
  test("is compressed where that is worth it, and says so to caches", async () => {
    const headers = { "accept-encoding": "gzip, br" };
    const whole = await call(null, "GET", "/api/search?q=quinc");
    const small = await call(null, "GET", "/api/search?q=quinc", { headers });
    expect(small.headers["content-encoding"]).toBe("br");
    expect(small.rawPayload.length * 2).toBeLessThan(whole.rawPayload.length);
    for (const { headers: told } of [whole, small]) expect(told.vary).toContain("Accept-Encoding");
    // its strong ETag names these bytes
    const document = await call(null, "GET", `/api/users/${ada.username}`, { headers });
    expect(document.headers.etag).toBeDefined();
    expect(document.headers["content-encoding"]).toBeUndefined();
  });

  test("renews the cookie of a session that it prolongs, not a program's", async () => {
    const cookie = await cookieOf(ada);
    const age = () =>
      query(
        db,
        "update sessions set expires_at = now() + interval '28 days' where account_id = $1",
        [ada.id],
      );
    await age();
    expect(String(await renewed({ cookie }))).toContain("Max-Age=2592000");
    await age();
    const token = decodeURIComponent(/session=([^;]+)/.exec(cookie)?.[1] ?? "");
    expect(await renewed({ authorization: `Bearer ${encodeURIComponent(token)}` })).toBeUndefined();
  });
});
