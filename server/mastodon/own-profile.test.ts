import { beforeAll, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { mediaForm } from "#server/test/media-form.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
});

type Json = Record<string, unknown>;
const json = async (url: string) => (await app.inject({ url, headers })).json<Json>();
const send = (method: "POST" | "DELETE" | "PATCH", url: string, payload: object = {}) =>
  app.inject({ method, url, payload, headers });

test("a profile is edited, as far as its fields exist here", async () => {
  const saved = await send("PATCH", "/api/v1/accounts/update_credentials", {
    display_name: "Ada King",
    note: "Hello",
    fields_attributes: [{ name: "Website", value: "https://ada.example" }],
  });
  expect(saved.json(), saved.body).toMatchObject({
    display_name: "Ada King",
    note: "<p>Hello</p>",
    source: { note: "Hello", privacy: "public" },
    fields: [{ name: "Website" }],
  });
  for (const discoverable of [false, true]) {
    const answer = await send("PATCH", "/api/v1/accounts/update_credentials", { discoverable });
    expect(answer.json(), answer.body).toMatchObject({ discoverable, display_name: "Ada King" });
  }
  const tooLong = { display_name: "Somebody Else", note: "x".repeat(100_000) };
  expect((await send("PATCH", "/api/v1/accounts/update_credentials", tooLong)).statusCode).toBe(
    422,
  );
  expect(await json("/api/v1/accounts/verify_credentials")).toMatchObject({
    display_name: "Ada King",
    source: { note: "Hello" },
  });
  const one = await send("PATCH", "/api/v1/accounts/update_credentials", {
    display_name: "Ada",
    note: "Hello again",
  });
  expect(one.json(), one.body).toMatchObject({
    display_name: "Ada",
    source: { note: "Hello again" },
    fields: [{ name: "Website" }],
  });
});

test("a profile is read as it was typed, and its confirmation email can be sent again while it waits", async () => {
  const fields = [{ name: "Website", value: "https://ada.example/" }];
  const changed = await send("PATCH", "/api/v1/profile", {
    note: "Hello\n<b>you</b>",
    fields_attributes: fields,
  });
  const profile = { note: "Hello\n<b>you</b>", fields, header: null, locked: false };
  expect(changed.json()).toMatchObject(profile);
  expect(await json("/api/v1/profile")).toEqual(changed.json());
  const confirm = (payload: object) => send("POST", "/api/v1/emails/confirmations", payload);
  const asked = async () =>
    query(db, "select 1 from pgboss.job where data ->> 'accountId' = $1", [ada.id]);
  const before = (await asked()).length;
  expect((await confirm({ email: "other@example.org" })).statusCode).toBe(422);
  expect(await asked()).toHaveLength(before);
  const again = await confirm({});
  expect([again.statusCode, again.json()]).toEqual([200, {}]);
  expect(await asked()).toHaveLength(before + 1);
  await query(db, "update accounts set email_verified = true where id = $1", [ada.id]);
  expect((await confirm({})).statusCode).toBe(403);
  expect(await asked()).toHaveLength(before + 1);
});

test("an avatar is removed and set again in a form; removing a header that never existed succeeds", async () => {
  const photo = await features.photo();
  const form = await mediaForm(photo.path, { display_name: "Ada Pictured" }, "avatar");
  const sent = await app.inject({
    method: "PATCH",
    url: "/api/v1/accounts/update_credentials",
    payload: form.payload,
    headers: { ...headers, ...form.headers },
  });
  expect(sent.json(), sent.body).toMatchObject({ display_name: "Ada Pictured" });
  const { avatar } = sent.json<{ avatar: string }>();
  expect(avatar).toContain("/images/");
  const gone = await send("DELETE", "/api/v1/profile/avatar");
  expect(gone.json(), gone.body).toMatchObject({
    avatar: expect.stringMatching(/\/initials\/\d+\/[\w-]{10}\.png$/),
  });
  const [{ n } = { n: -1 }] = await query<{ n: number }>(
    db,
    "select count(*)::int as n from accounts where id = $1 and avatar_image_id is not null",
    [ada.id],
  );
  expect(n).toBe(0);
  expect((await send("DELETE", "/api/v1/profile/avatar")).statusCode).toBe(200);
  expect((await send("DELETE", "/api/v1/profile/header")).json()).toMatchObject({
    header: expect.stringMatching(/^http/),
  });
});

const noteIn = (answer: { body: string }) =>
  (JSON.parse(answer.body) as { source: { note: string } }).source.note;
const patch = (at: string, payload: string | Buffer | object | undefined, type?: string) =>
  app.inject({
    method: "PATCH",
    url: at,
    ...(payload !== undefined && { payload }),
    headers: { ...headers, ...(type && { "content-type": type }) },
  });

/** A part of a form (boundary `x`), as a browser sends an input without a chosen file. */
const noFile = (name: string) =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename=""\r\n` +
  "Content-Type: application/octet-stream\r\n\r\n\r\n";

test("images left empty in a form change nothing; a form with a header image is refused as a whole", async () => {
  const url = "/api/v1/accounts/update_credentials";
  const { path } = await features.photo();
  const sendForm = async (fields: Record<string, string>, file: string) => {
    const form = await mediaForm(path, fields, file);
    return patch(url, form.payload, form.headers["content-type"]);
  };
  const withAvatar = await sendForm({ display_name: "Ada" }, "avatar");
  const { avatar } = withAvatar.json<{ avatar: string }>();
  expect(avatar).toContain("/images/");
  const words = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nStill here\r\n--x--\r\n`;
  const body = noFile("header") + noFile("avatar") + words;
  const unchanged = await patch(url, body, "multipart/form-data; boundary=x");
  expect(unchanged.json(), unchanged.body).toMatchObject({
    avatar,
    source: { note: "Still here" },
  });
  expect((await sendForm({ note: "Not this" }, "header")).statusCode).toBe(422);
  expect(await json("/api/v1/accounts/verify_credentials")).toMatchObject({
    avatar,
    source: { note: "Still here" },
  });
});

test("parameters are read wherever they are: query, JSON, a form, multipart", async () => {
  const url = "/api/v1/accounts/update_credentials";
  expect(noteIn(await patch(`${url}?note=by%20query`, undefined))).toBe("by query");
  expect(noteIn(await patch(url, { note: "by JSON" }))).toBe("by JSON");
  const form = "application/x-www-form-urlencoded";
  expect(noteIn(await patch(url, "note=by+a+form", form))).toBe("by a form");
  const multipart = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nby parts\r\n--x--\r\n`;
  expect(noteIn(await patch(url, multipart, "multipart/form-data; boundary=x"))).toBe("by parts");
});
