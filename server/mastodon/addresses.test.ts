import { expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { withLocalNames } from "#server/mastodon/addresses.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);

type Json = Record<string, unknown>;

test("an account mentioned by its full address is mentioned, and notified, in posts, replies and profiles", async () => {
  const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  const [adas, bobs] = [await connectedApp(features, ada), await connectedApp(features, bob)];
  const send = async (method: "POST" | "PUT" | "PATCH", url: string, payload: object) =>
    (await app.inject({ method, url, payload, headers: bobs.headers })).json<Json>();
  const address = `@${ada.username}@localhost:3000`;
  const named = { mentions: [{ id: decimalOf(ada.id) }] };

  const post = await send("POST", "/api/v1/statuses", { status: `With ${address}, and tea` });
  expect(post).toMatchObject(named);
  expect(post["content"]).toContain(`@<span>${ada.username}</span></a></span>, and tea`);
  const edited = { status: `After ${address.toUpperCase()}` };
  expect(await send("PUT", `/api/v1/statuses/${String(post["id"])}`, edited)).toMatchObject(named);
  const reply = { status: `${address} too`, in_reply_to_id: post["id"] };
  const comment = await send("POST", "/api/v1/statuses", reply);
  expect(comment).toMatchObject(named);
  const again = { status: `${address} as well` };
  expect(await send("PUT", `/api/v1/statuses/${String(comment["id"])}`, again)).toMatchObject(
    named,
  );
  const notifications = await app.inject({ url: "/api/v1/notifications", headers: adas.headers });
  expect(
    notifications.json<Json[]>().map(({ type, status }) => [type, (status as Json)["id"]]),
  ).toEqual([
    ["mention", comment["id"]],
    ["mention", post["id"]],
  ]);
  const note = `Friend of ${address}.`;
  const profile = await send("PATCH", "/api/v1/accounts/update_credentials", { note });
  expect(profile).toMatchObject({ source: { note: `Friend of @${ada.username}.` } });
});

test("an email address mentions nobody, so no reply of an app does", async () => {
  const [ada, bob] = [await features.member("Ada Lovelace"), await features.member("Bob Birch")];
  const { headers } = await connectedApp(features, bob);
  const status = `Write to tea@${ada.username}.example, or @${ada.username}@elsewhere.example`;
  const payload = { status };
  const post = await app.inject({ method: "POST", url: "/api/v1/statuses", payload, headers });
  expect(post.json()).toMatchObject({ mentions: [], content: `<p>${status}</p>` });
  const { id } = post.json<Json>();
  const read = await app.inject({ url: `/api/v1/statuses/${String(id)}`, headers });
  expect(read.json()).toMatchObject({ mentions: [] });
});

test.each([
  ["@ada@photos.example.org", "@ada"],
  ["(@ada@Photos.Example.org.) @bob@photos.example.org's", "(@ada.) @bob's"],
  ["@ada@photos.example.org:3000", "@ada@photos.example.org:3000"],
  ["@ada@example.org and @ada@photos.example.org.uk", null],
  ["@ada@photos.example.org_x @ada@photos.example.org@y", null],
  ["mail ada@photos.example.org, x@ada@photos.example.org", null],
  ["https://photos.example.org/@ada@photos.example.org", null],
  ["@ @@ @ada@ @ada@. @a@photos.example.org", null],
])("in %j only the host of an address is left out, and only our own", (text, left) => {
  expect(withLocalNames(text, "https://photos.example.org")).toBe(left ?? text);
});
