import { beforeAll, expect, test } from "vitest";
import { notOffered } from "#server/mastodon/routes/not-offered.ts";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let bob: Viewer;
let headers: { authorization: string };
let postId: string;

beforeAll(async () => {
  [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  await features.follows.follow(bob, ada.id);
  headers = (await connectedApp(features, ada)).headers;
  postId = decimalOf((await features.textPost(bob, "Words of #harbour")).postId);
});

const send = (method: "POST" | "PUT" | "PATCH", url: string, payload: object) =>
  app.inject({ method, url, payload, headers });

test("what does not exist here is refused with a sentence, even for statuses and accounts that do", async () => {
  for (const [method, path, , why] of notOffered) {
    const id = path.includes("accounts") ? decimalOf(bob.id) : postId;
    const url = `/api/${path}`
      .replace(":id", id)
      .replace(":name", "harbour")
      .replace(":year", "2026");
    const answer = await app.inject({
      method: method.toUpperCase() as "POST",
      url,
      headers: { ...headers, "content-type": "application/json" },
      payload: "{}",
    });
    expect([answer.statusCode, answer.json()], `${method} ${url}`).toEqual([422, { error: why }]);
    expect(why).toMatch(/^[A-Z].+\.$/);
  }
  const { json } = await app.inject({
    url: `/api/v1/accounts/relationships?id[]=${decimalOf(bob.id)}`,
    headers,
  });
  expect(json()).toMatchObject([{ followed_by: true, note: "", endorsed: false }]);
});

test("withdrawing what never was succeeds, as there is nothing of it", async () => {
  const [account, status, tag] = [
    { id: decimalOf(bob.id), endorsed: false, note: "" },
    { id: postId, reblogged: false, pinned: false, muted: false },
    { name: "harbour", following: false },
  ];
  for (const [path, expected] of [
    [`statuses/${postId}/unreblog`, status],
    [`statuses/${postId}/unpin`, status],
    [`statuses/${postId}/unmute`, status],
    [`accounts/${account.id}/unpin`, account],
    [`accounts/${account.id}/unendorse`, account],
    ["tags/harbour/unfeature", tag],
    ["tags/harbour/unfollow", tag],
  ] as const) {
    const answer = await send("POST", `/api/v1/${path}`, {});
    expect([answer.statusCode, answer.json()], path).toMatchObject([200, expected]);
  }
  for (const path of ["statuses/1234567890123456789/unpin"]) {
    expect((await send("POST", `/api/v1/${path}`, {})).statusCode, path).toBe(404);
  }
});

test("what could only be stored in part is refused as a whole", async () => {
  const path = `/api/v1/accounts/${decimalOf(bob.id)}`;
  const mine = "/api/v1/accounts/update_credentials";
  for (const [method, url, payload] of [
    ["POST", `${path}/follow`, { notify: true }],
    ["POST", `${path}/follow`, { languages: ["it"] }],
    ["POST", `${path}/mute`, { notifications: false }],
    ["PATCH", mine, { hide_collections: true }],
    ["PATCH", mine, { source: { privacy: "direct" } }],
  ] as const) {
    const answer = await send(method, url, payload);
    expect(answer.statusCode, url).toBe(422);
    expect(answer.json()).toEqual({ error: expect.stringMatching(/^[A-Z].+\.$/) });
  }
  const relation = { following: false, notifying: false, muting: false };
  const asked = `/api/v1/accounts/relationships?id[]=${decimalOf(bob.id)}`;
  expect((await app.inject({ url: asked, headers })).json()).toMatchObject([relation]);
  // Parameters that ask for what happens anyway are fine.
  const usual = { notify: false, reblogs: true };
  expect((await send("POST", `${path}/follow`, usual)).json()).toMatchObject({ following: true });
  await send("POST", `${path}/unfollow`, {});
});

test("a post has no boosts, quotes and previews, if it exists", async () => {
  for (const [name, nothing] of [
    ["reblogged_by", []],
    ["quotes", []],
    ["card", {}],
  ] as const) {
    const of = async (id: string) => app.inject({ url: `/api/v1/statuses/${id}/${name}`, headers });
    expect((await of(postId)).json()).toEqual(nothing);
    expect((await of("1234567890123456789")).statusCode, name).toBe(404);
  }
});

test("no notifications are held back, and nothing suggests it", async () => {
  const now = (await app.inject({ url: "/api/v2/notifications/policy", headers })).json();
  const same = await send("PATCH", "/api/v2/notifications/policy", { for_not_following: "accept" });
  expect([same.statusCode, same.json()]).toEqual([200, now]);
  for (const method of ["PUT", "PATCH"] as const) {
    const dropped = { for_not_following: "drop" };
    const filtered = await send(method, "/api/v2/notifications/policy", dropped);
    expect([filtered.statusCode, filtered.json<{ error: string }>().error]).toEqual([
      422,
      expect.stringMatching(/^Notifications aren't held back here/),
    ]);
  }
  for (const [flag, status] of [
    [false, 200],
    [true, 422],
  ]) {
    const old = await send("PUT", "/api/v1/notifications/policy", { filter_not_following: flag });
    expect(old.statusCode).toBe(status);
  }
  const requests = "/api/v1/notifications/requests";
  const merged = await app.inject({ url: `${requests}/merged`, headers });
  expect(merged.json()).toEqual({ merged: true });
  expect((await send("POST", `${requests}/dismiss`, { id: ["1"] })).json()).toEqual({});
});

test("an app learns whose token it holds, even with the profile right alone", async () => {
  const { headers: profile } = await connectedApp(features, ada, "profile");
  const answer = await app.inject({ url: "/oauth/userinfo", headers: profile });
  expect(answer.json()).toMatchObject({
    name: "Ada Lovelace",
    preferred_username: ada.username,
    picture: expect.stringMatching(/^http/),
  });
  const userInfo = answer.json<Record<string, string>>();
  expect(userInfo.sub).toMatch(/\/users\/[0-9a-f-]{36}$/);
  expect(userInfo.profile).toMatch(ada.username);
  expect(userInfo.sub?.startsWith(userInfo.iss ?? "?")).toBe(true);
  const { headers: other } = await connectedApp(features, ada, "write");
  expect((await app.inject({ url: "/oauth/userinfo", headers: other })).statusCode).toBe(403);
  const meta = await app.inject({ url: "/.well-known/oauth-authorization-server" });
  expect(meta.json()).toMatchObject({ userinfo_endpoint: `${userInfo.iss}oauth/userinfo` });
});
