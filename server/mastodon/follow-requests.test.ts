import { beforeAll, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let asking: Viewer[];
type Headers = Awaited<ReturnType<typeof connectedApp>>["headers"];
let headers: Headers;
let bobs: Headers;

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  asking = [await features.member("Bob Birch"), await features.member("Cleo Cassidy")];
  headers = (await connectedApp(features, ada)).headers;
  bobs = (await connectedApp(features, asking[0] as Viewer)).headers;
});

async function send(method: "GET" | "POST" | "PATCH", url: string, payload?: object, by = headers) {
  const answer = await app.inject({ method, url, headers: by, ...(payload && { payload }) });
  expect(answer.statusCode, `${url}: ${answer.body}`).toBe(200);
  return answer.json<Record<string, unknown>>();
}

const requests = "/api/v1/follow_requests";
const at = (account?: Viewer) => `/api/v1/accounts/${decimalOf(account?.id ?? "")}`;

test("an app locks the account, lists who asks, and answers them", async () => {
  const mine = "/api/v1/accounts/update_credentials";
  await send("PATCH", mine, { locked: true });
  expect(await features.privacy.get(ada)).toMatchObject({ isPrivate: true });
  await send("PATCH", mine, { note: "locked is left out, and stays" });
  expect(await features.privacy.get(ada)).toMatchObject({ isPrivate: true });

  for (const _ of ["once", "again"]) {
    expect(await send("POST", `${at(ada)}/follow`, {}, bobs)).toMatchObject({
      following: false,
      requested: true,
    });
  }
  const [bob, cleo] = asking as [Viewer, Viewer];
  await features.follows.follow(cleo, ada.id);
  expect(await send("GET", requests)).toMatchObject([
    { username: cleo.username },
    { username: bob.username },
  ]);
  expect(await send("GET", "/api/v1/accounts/verify_credentials")).toMatchObject({
    locked: true,
    source: { follow_requests_count: 2 },
  });
  const newest = await app.inject({ url: `${requests}?limit=1`, headers });
  expect(newest.json()).toMatchObject([{ username: cleo.username }]);
  const [, next = ""] = /<([^>]+)>; rel="next"/.exec(String(newest.headers.link)) ?? [];
  expect(await send("GET", next)).toMatchObject([{ username: bob.username }]);
  const related = `/api/v1/accounts/relationships?id[]=${decimalOf(bob.id)}`;
  expect(await send("GET", related)).toMatchObject([{ requested: false, requested_by: true }]);
  const [notified] = (await send("GET", "/api/v1/notifications")) as unknown as object[];
  expect(notified).toMatchObject({ type: "follow_request", account: { username: cleo.username } });

  expect(await send("POST", `${requests}/${decimalOf(bob.id)}/authorize`)).toMatchObject({
    followed_by: true,
    requested_by: false,
  });
  expect(await send("POST", `${requests}/${decimalOf(cleo.id)}/reject`)).toMatchObject({
    followed_by: false,
    requested_by: false,
  });
  expect(await send("GET", requests)).toEqual([]);
  const credentials = "/api/v1/accounts/verify_credentials";
  expect(await send("GET", credentials)).toMatchObject({ source: { follow_requests_count: 0 } });
  expect(await send("GET", "/api/v1/notifications")).toEqual([]);
  expect(await send("POST", `${at(bob)}/remove_from_followers`)).toMatchObject({
    followed_by: false,
  });
  expect(
    await send("GET", `/api/v1/accounts/relationships?id[]=${decimalOf(ada.id)}`, undefined, bobs),
  ).toMatchObject([{ following: false, requested: false }]);
});

test("an app withdraws a request, and unlocking accepts those that wait", async () => {
  const [bob, cleo] = asking as [Viewer, Viewer];
  await send("POST", `${at(ada)}/follow`, {}, bobs);
  expect(await send("POST", `${at(ada)}/unfollow`, {}, bobs)).toMatchObject({ requested: false });
  await features.follows.follow(cleo, ada.id);
  await send("PATCH", "/api/v1/accounts/update_credentials", { locked: false });
  await features.jobs.runDue();
  const followers = await features.follows.followers(null, ada.id, null);
  expect(followers.items.map(({ id }) => id)).toEqual([cleo.id]);
  const nobody = await app.inject({
    method: "POST",
    url: `${requests}/${decimalOf(bob.id)}/authorize`,
    headers,
  });
  expect(nobody.statusCode).toBe(404);
});
