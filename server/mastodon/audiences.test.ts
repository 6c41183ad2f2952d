import { beforeEach, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { addCloseFriend, setPrivate } from "#server/test/audiences.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { MadePost } from "#server/test/factories.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);

type Headers = { authorization: string } | Record<string, never>;
type Json = Record<string, unknown> & { id: string };
let ada: Viewer, fay: Viewer, bob: Viewer;
let adas: Headers, fays: Headers, bobs: Headers;
const nobodys: Headers = {};

/** Ada, whom Fay follows and Bob does not. */
beforeEach(async () => {
  const joined = Date.now() - 48 * 3_600_000;
  ada = await features.member("Ada", joined);
  [fay, bob] = [await features.member("Fay"), await features.member("Bob")];
  await features.follows.follow(fay, ada.id);
  const headersOf = async (viewer: Viewer) => (await connectedApp(features, viewer)).headers;
  [adas, fays, bobs] = [await headersOf(ada), await headersOf(fay), await headersOf(bob)];
});

const get = (url: string, headers: Headers) => app.inject({ url: `/api/v1/${url}`, headers });
const list = async (url: string, headers: Headers) =>
  (await get(url, headers)).json<Json[]>().map(({ id }) => id);
const send = (
  method: "POST" | "PUT" | "PATCH",
  url: string,
  payload: object,
  headers: Headers = adas,
) => app.inject({ method, url: `/api/v1/${url}`, payload, headers });
const idOf = ({ postId }: MadePost) => decimalOf(postId);
const audienceOf = async (viewer: Viewer, number: number) =>
  (await features.posts.get(viewer, viewer.username, number))?.audience;

const notifiedTypes = async () =>
  (await get("notifications", bobs)).json<Json[]>().map(({ type }) => type);
const unreadCount = async () =>
  (await get("notifications/unread_count", bobs)).json<{ count: number }>().count;

const reply = async (post: MadePost, visibility?: string) => {
  const answered = { in_reply_to_id: idOf(post), status: "Lovely", visibility };
  const answer = await send("POST", "statuses", answered, fays);
  return answer.statusCode === 200 ? answer.json<Json>()["visibility"] : answer.statusCode;
};

const privacyOf = async () => {
  const own = (await get("accounts/verify_credentials", adas)).json<{
    source: { privacy: string };
  }>();
  const preferences = (await get("preferences", adas)).json<Json>();
  expect(preferences["posting:default:visibility"]).toBe(own.source.privacy);
  return own.source.privacy;
};

const changePrivacy = async (privacy: string) =>
  (await send("PATCH", "accounts/update_credentials", { source: { privacy } })).statusCode;

describe("a status that is not for everyone", () => {
  test("is private to whom it is for, and to others like an id that never was", async () => {
    const followers = await features.publish(ada, { caption: "Tide", audience: "followers" });
    const own = await features.publish(ada, { caption: "Tide", audience: "only-me" });
    const reply = await features.comments.add(fay, followers, "Lovely", null);
    for (const id of [idOf(followers), decimalOf(reply.id)]) {
      for (const headers of [adas, fays]) {
        const status = (await get(`statuses/${id}`, headers)).json<Json>();
        expect(status["visibility"]).toBe("private");
      }
    }
    expect((await get(`statuses/${idOf(own)}`, adas)).json<Json>()["visibility"]).toBe("private");
    const never = (await get("statuses/123456789012345678", bobs)).json<Json>();
    const parts = [
      "",
      "/context",
      "/history",
      "/favourited_by",
      "/reblogged_by",
      "/quotes",
      "/card",
    ];
    for (const [post, hidden] of [
      [idOf(followers), [bobs, nobodys]],
      [decimalOf(reply.id), [bobs, nobodys]],
      [idOf(own), [fays, bobs, nobodys]],
    ] as const) {
      for (const headers of hidden) {
        for (const part of parts) {
          const answer = await get(`statuses/${post}${part}`, headers);
          expect([answer.statusCode, answer.json()]).toEqual([404, never]);
        }
        expect(await list(`statuses?id[]=${post}`, headers)).toEqual([]);
      }
      for (const act of ["favourite", "unfavourite", "bookmark", "unbookmark"]) {
        const answer = await send("POST", `statuses/${post}/${act}`, {}, bobs);
        expect(answer.statusCode).toBe(404);
      }
      expect((await get(`statuses/${post}/source`, bobs)).statusCode).toBe(404);
      const answered = await send("POST", "statuses", { status: "x", in_reply_to_id: post }, bobs);
      expect(answered.statusCode).toBe(404);
    }
  });

  test("is in the lists of whom it is for, and in none for everyone", async () => {
    const post = await features.photoPost(ada, "A #tide", ["Boats"]);
    for (const headers of [fays, bobs, nobodys]) {
      expect(await list("timelines/tag/tide", headers)).toContain(idOf(post));
      expect(await list("timelines/public", headers)).toContain(idOf(post));
    }
    await features.likes.like(bob, post);
    await features.bookmarks.save(bob, post);
    await features.posts.edit(ada, ada.username, post.number, {
      version: 0,
      audience: "followers",
    });
    const account = `accounts/${decimalOf(ada.id)}`;
    for (const [headers, ids, count] of [
      [adas, [idOf(post)], 1],
      [fays, [idOf(post)], 1],
      [bobs, [], 0],
      [nobodys, [], 0],
    ] as const) {
      expect(await list("timelines/tag/tide", headers)).not.toContain(idOf(post));
      expect(await list("timelines/public", headers)).not.toContain(idOf(post));
      expect(await list(`${account}/statuses`, headers)).toEqual(ids);
      expect(await list(`${account}/statuses?min_id=1&only_media=true`, headers)).toEqual(ids);
      expect((await get(account, headers)).json<Json>()["statuses_count"]).toBe(count);
    }
    expect(await list("timelines/home", fays)).toEqual([idOf(post)]);
    expect(await list("favourites", bobs)).toEqual([]);
    expect(await list("bookmarks", bobs)).toEqual([]);
    const url = `http://localhost:3000/post/${ada.username}/${post.number}`;
    const found = async (headers: Headers) =>
      (await app.inject({ url: `/api/v2/search?q=${encodeURIComponent(url)}`, headers }))
        .json<{ statuses: Json[] }>()
        .statuses.map(({ id }) => id);
    expect(await found(fays)).toEqual([idOf(post)]);
    expect(await found(bobs)).toEqual([]);
  });

  test("takes the notifications about it with it, and brings them back", async () => {
    const post = await features.textPost(ada, `With @${bob.username}`);
    const comment = await features.comments.add(bob, post, "Lovely", null);
    await features.commentLikes.like(fay, post, comment.id);
    expect([await notifiedTypes(), await unreadCount()]).toEqual([["favourite", "mention"], 2]);
    await features.posts.edit(ada, ada.username, post.number, {
      version: 0,
      audience: "followers",
    });
    expect([await notifiedTypes(), await unreadCount()]).toEqual([[], 0]);
    await features.posts.edit(ada, ada.username, post.number, { version: 1, audience: "everyone" });
    expect([await notifiedTypes(), await unreadCount()]).toEqual([["favourite", "mention"], 2]);
  });

  test("names somebody who may not see it without telling them", async () => {
    await features.publish(ada, { caption: `About @${bob.username}`, audience: "followers" });
    expect(await list("notifications", bobs)).toEqual([]);
  });
});

describe("posting", () => {
  test.each([
    ["public", "everyone", "public"],
    ["private", "followers", "private"],
  ] as const)("as %s is for %s", async (visibility, audience, shown) => {
    const answer = await send("POST", "statuses", { status: "Words", visibility });
    expect([answer.statusCode, answer.json<Json>()["visibility"]]).toEqual([200, shown]);
    expect(await audienceOf(ada, 1)).toBe(audience);
  });

  test.each(["unlisted", "direct", "limited"])("as %s is refused", async (visibility) => {
    const answer = await send("POST", "statuses", { status: "Words", visibility });
    expect(answer.statusCode).toBe(422);
    expect(answer.json<{ error: string }>().error).toContain(`"${visibility}" isn't offered`);
    expect(await audienceOf(ada, 1)).toBeUndefined();
  });

  test("without a word about it starts where the last post did", async () => {
    await features.publish(ada, { caption: "For me", audience: "only-me" });
    await send("POST", "statuses", { status: "Words" });
    expect(await audienceOf(ada, 2)).toBe("only-me");
  });

  test("from a private account is private, whatever is asked", async () => {
    await setPrivate(db, ada);
    for (const visibility of ["public", "private", undefined]) {
      const answer = await send("POST", "statuses", { status: "Words", visibility });
      expect(answer.json<Json>()["visibility"]).toBe("private");
    }
    const account = `accounts/${decimalOf(ada.id)}`;
    expect((await get(account, bobs)).json<Json>()).toMatchObject({
      locked: true,
      hide_collections: true,
      noindex: true,
      statuses_count: 0,
      followers_count: 1,
    });
    expect(await list(`${account}/followers`, fays)).toEqual([decimalOf(fay.id)]);
    for (const headers of [bobs, nobodys])
      expect((await get(`${account}/followers`, headers)).json()).toEqual([]);
  });

  test("a reply has its post's visibility, and cannot be narrower", async () => {
    const [open, narrow] = [
      await features.textPost(ada),
      await features.publish(ada, { caption: "x", audience: "followers" }),
    ];
    expect([await reply(open), await reply(open, "public")]).toEqual(["public", "public"]);
    expect([await reply(narrow), await reply(narrow, "private")]).toEqual(["private", "private"]);
    expect(await reply(open, "private")).toBe(422);
    expect(await reply(narrow, "direct")).toBe(422);
  });
});

describe("editing", () => {
  test("changes whom a status is for where that is asked for, and else does not", async () => {
    const post = await features.textPost(ada);
    const edited = async (change: object) => {
      const answer = await send("PUT", `statuses/${idOf(post)}`, change);
      expect(answer.statusCode).toBe(200);
      return [answer.json<Json>()["visibility"], await audienceOf(ada, 1)];
    };
    expect(await edited({ status: "Words", visibility: "private" })).toEqual([
      "private",
      "followers",
    ]);
    expect(await edited({ status: "Others" })).toEqual(["private", "followers"]);
    await features.posts.edit(ada, ada.username, 1, { version: 2, audience: "close-friends" });
    // What an app read as private stays as narrow as it was.
    expect(await edited({ status: "More", visibility: "private" })).toEqual([
      "private",
      "close-friends",
    ]);
    expect(await edited({ visibility: "public" })).toEqual(["public", "everyone"]);
    const refused = await send("PUT", `statuses/${idOf(post)}`, { visibility: "unlisted" });
    expect(refused.statusCode).toBe(422);
  });

  test("is seen by close friends as such", async () => {
    await addCloseFriend(db, ada, bob);
    const post = await features.publish(ada, { caption: "x", audience: "close-friends" });
    const seenBy = async (headers: Headers) =>
      (await get(`statuses/${idOf(post)}`, headers)).statusCode;
    expect([await seenBy(bobs), await seenBy(fays)]).toEqual([200, 404]);
  });
});

describe("the default of one's posts", () => {
  test("is read and set, and is the last that was chosen", async () => {
    expect(await privacyOf()).toBe("public");
    expect([await changePrivacy("private"), await privacyOf()]).toEqual([200, "private"]);
    expect((await features.posts.nextAudience(ada)).audience).toBe("followers");
    await features.publish(ada, { caption: "x", audience: "close-friends" });
    // An app that sends back what it read widens nothing.
    expect([await changePrivacy("private"), await privacyOf()]).toEqual([200, "private"]);
    expect((await features.posts.nextAudience(ada)).audience).toBe("close-friends");
    expect([await changePrivacy("public"), await privacyOf()]).toEqual([200, "public"]);
    expect([await changePrivacy("direct"), await privacyOf()]).toEqual([422, "public"]);
  });

  test("of a private account is its followers at most", async () => {
    await setPrivate(db, ada);
    expect(await privacyOf()).toBe("private");
    expect((await features.posts.nextAudience(ada)).audience).toBe("followers");
    await setPrivate(db, ada, false);
    expect(await privacyOf()).toBe("public");
  });
});
