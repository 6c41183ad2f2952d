import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { mediaIdOf } from "#server/mastodon/entities/media.ts";
import { afterFile } from "#server/test/after-file.ts";
import { testApp } from "#server/test/app.ts";
import { connectedApp } from "#server/test/connected-app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { mediaForm } from "#server/test/media-form.ts";
import { until } from "#server/test/until.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features } = await testApp(db);
let ada: Viewer;
let headers: { authorization: string };
let bobs: { authorization: string };

beforeAll(async () => {
  ada = await features.member("Ada Lovelace");
  headers = (await connectedApp(features, ada)).headers;
  bobs = (await connectedApp(features, await features.member("Bob Birch"))).headers;
});

type Media = { id: string; description: string | null; meta: { focus: { x: number; y: number } } };
type Status = { id: string; media_attachments: Media[]; edited_at: string | null };

async function send(fields: Record<string, string> = {}) {
  const { payload, headers: form } = await mediaForm((await features.photo()).path, fields);
  const url = "/api/v2/media";
  return app.inject({ method: "POST", url, payload, headers: { ...headers, ...form } });
}
const sent = async (fields: Record<string, string> = {}) => (await send(fields)).json<Media>();
const call = (method: "GET" | "POST" | "PUT" | "DELETE", url: string, payload?: object | string) =>
  app.inject({
    method,
    url,
    headers: {
      ...headers,
      ...(typeof payload === "string" && { "content-type": "application/x-www-form-urlencoded" }),
    },
    ...(payload !== undefined && { payload }),
  });
const post = async (status: string, media_ids: string[]) =>
  (await call("POST", "/api/v1/statuses", { status, media_ids })).json<Status>();
/** How our own grids crop the first photo of the newest post. */
const cut = async () => (await features.posts.photosOf(ada, ada.id, null)).items[0]?.picture?.focus;

test("an attachment has one id, before it is posted and after", async () => {
  const { id } = await sent();
  const got = (await call("GET", `/api/v1/media/${id}`)).json<Media>();
  const made = await post("One id", [id]);
  expect([got.id, made.media_attachments[0]?.id]).toEqual([id, id]);
  // Now it belongs to the post.
  expect((await call("GET", `/api/v1/media/${id}`)).statusCode).toBe(404);
  const other = await sent();
  const ids = [other.id, id];
  const edited = await call("PUT", `/api/v1/statuses/${made.id}`, { media_ids: ids });
  expect(edited.json<Status>().media_attachments.map((one) => one.id)).toEqual(ids);
});

test.each(["0", "nothing", "9223372036854775807", "%00", "1152921504606846975"])(
  "%s is no attachment",
  async (id) => {
    for (const method of ["GET", "PUT", "DELETE"] as const) {
      expect((await call(method, `/api/v1/media/${id}`)).statusCode).toBe(404);
    }
  },
);

test("an unused upload is deleted, by its owner alone", async () => {
  const { id } = await sent();
  const url = `/api/v1/media/${id}`;
  expect((await app.inject({ method: "DELETE", url, headers: bobs })).statusCode).toBe(404);
  const gone = await call("DELETE", url);
  expect([gone.statusCode, gone.json()]).toEqual([200, {}]);
  expect((await call("GET", url)).statusCode).toBe(404);
  const refused = await call("POST", "/api/v1/statuses", { status: "x", media_ids: [id] });
  expect(refused.statusCode).toBe(422);
});

describe("the focal point of a photo", () => {
  test("is sent with it or afterwards, goes into its post, and our own grids follow", async () => {
    const first = await sent({ focus: "-0.42,0.69", description: "A pier" });
    expect(first).toMatchObject({ description: "A pier", meta: { focus: { x: -0.42, y: 0.69 } } });
    const changed = await call("PUT", `/api/v1/media/${first.id}`, { focus: "1,-1.0" });
    expect(changed.json()).toMatchObject({
      description: "A pier",
      meta: { focus: { x: 1, y: -1 } },
    });
    const made = await post("Look there", [first.id]);
    expect(made.media_attachments[0]?.meta.focus).toEqual({ x: 1, y: -1 });
    // To the right of a wide photo, and to the bottom of a tall one.
    expect(await cut()).toBe(100);
    const at = `/api/v1/statuses/${made.id}`;
    const edit = (focus: string) =>
      call("PUT", at, { media_ids: [first.id], media_attributes: [{ id: first.id, focus }] });
    const middle = (await edit("0,0")).json<Status>();
    expect(middle).toMatchObject({
      edited_at: null,
      media_attachments: [{ description: "A pier", meta: { focus: { x: 0, y: 0 } } }],
    });
    expect(await cut()).toBe(50);
    await edit("-1,1");
    expect(await cut()).toBe(0);
    // Without the list of ids, as some apps edit; the same again changes nothing.
    const body = { media_attributes: [{ id: first.id, focus: "0.11,0.2", description: "Boats" }] };
    for (let again = 0; again < 2; again += 1) {
      expect((await call("PUT", at, body)).json()).toMatchObject({
        media_attachments: [{ description: "Boats", meta: { focus: { x: 0.11, y: 0.2 } } }],
      });
    }
  });

  test.each(["nonsense", "1", "1.01,0", "0,-2", "0,0,0", "0 0", "NaN,0", "1e1,0", "--1,0", ","])(
    "%s isn't a focal point, and nothing is changed",
    async (focus) => {
      const { id } = await sent({ focus: "0.5,0.5" });
      const url = `/api/v1/media/${id}`;
      const refused = [
        await call("PUT", url, { focus, description: "Other" }),
        await send({ focus }),
      ];
      for (const answer of refused) {
        expect([answer.statusCode, answer.json()]).toEqual([
          422,
          { error: "A focus is two numbers from -1.0 to 1.0: x,y." },
        ]);
      }
      const now = (await call("GET", url)).json<Media>();
      expect([now.description, now.meta.focus]).toEqual([null, { x: 0.5, y: 0.5 }]);
      const made = await post("Kept", [id]);
      const edit = { media_attributes: [{ id, focus }] };
      expect((await call("PUT", `/api/v1/statuses/${made.id}`, edit)).statusCode).toBe(422);
      await call("DELETE", `/api/v1/statuses/${made.id}`);
    },
  );

  test("is the one we found if none is sent", async () => {
    const imageId = await features.upload(ada);
    const { number } = await features.publish(ada, {
      caption: "",
      pictures: [{ imageId, alt: "" }],
    });
    const found = await features.posts.get(ada, ada.username, number);
    const [picture] = found?.pictures ?? [];
    expect(picture).toMatchObject({ focalPoint: null, focus: expect.any(Number) });
    const [status] = (
      await call("GET", `/api/v1/accounts/${decimalOf(ada.id)}/statuses?limit=1`)
    ).json<Status[]>();
    const { x, y } = status?.media_attachments[0]?.meta.focus ?? { x: 2, y: 2 };
    expect([Math.abs(x) <= 1, Math.abs(y) <= 1]).toEqual([true, true]);
    expect(status?.media_attachments[0]?.id).toBe(picture && mediaIdOf(picture));
  });
});

test.each([
  ["empty brackets", ["", ""]],
  ["numbers", ["0", "1"]],
])("several photos are described at once, in a form with %s", async (_how, [one, two]) => {
  const [first, second] = [await sent(), await sent()];
  const made = await post("Two", [first.id, second.id]);
  const form = new URLSearchParams([
    ["media_ids[]", first.id],
    ["media_ids[]", second.id],
    [`media_attributes[${one}][id]`, first.id],
    [`media_attributes[${one}][focus]`, "0.1,0.1"],
    [`media_attributes[${two}][id]`, second.id],
    [`media_attributes[${two}][description]`, "The second"],
  ]).toString();
  const at = `/api/v1/statuses/${made.id}`;
  const wanted = [
    { id: first.id, description: null, meta: { focus: { x: 0.1, y: 0.1 } } },
    { id: second.id, description: "The second" },
  ];
  expect((await call("PUT", at, form)).json()).toMatchObject({ media_attachments: wanted });
  const inQuery = form.replace("The+second", "Other+words");
  expect((await call("PUT", `${at}?${inQuery}`)).json()).toMatchObject({
    media_attachments: [wanted[0], { description: "Other words" }],
  });
});

test("no file stays of an app that disconnects before its answer", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "postcard-media-"));
  afterFile(() => rmSync(dataDir, { recursive: true, force: true }));
  const { app: served } = await testApp(db, { dataDir });
  await served.listen({ host: "127.0.0.1", port: 0 });
  const { port } = served.server.address() as AddressInfo;
  const files = () => (existsSync(join(dataDir, "tmp")) ? readdirSync(join(dataDir, "tmp")) : []);
  const { payload, headers: form } = await mediaForm((await features.photo()).path, {});
  let isAnswered = false;
  const length = { "content-length": payload.length };
  const asked = request(
    {
      host: "127.0.0.1",
      port,
      path: "/api/v2/media",
      method: "POST",
      headers: { ...headers, ...form, ...length },
    },
    () => (isAnswered = true),
  );
  asked.on("error", () => undefined);
  asked.end(payload);
  await until(() => files().some((name) => name.endsWith(".upload")));
  asked.destroy();
  await until(() => files().length === 0);
  expect(isAnswered).toBe(false);
});
