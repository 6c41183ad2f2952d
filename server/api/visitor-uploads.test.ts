import { describe, expect, test } from "vitest";
import { testApp, type Caller } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader } from "#server/test/identity.ts";
import { imageForm } from "#server/test/image-form.ts";
import { query } from "#server/test/query.ts";
import { limits } from "#shared/limits.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db, {}, { rateLimits: true });
const { member, upload } = features;

/** Networks are counted apart: each test has its own. */
let network = 0;
const anotherNetwork = () => `198.51.100.${(network += 1)}`;

async function send(caller: Caller, remoteAddress: string, cookie?: string) {
  const answer = await call(caller, "POST", "/api/images", {
    payload: await imageForm(),
    remoteAddress,
    ...(cookie ? { headers: { cookie } } : {}),
  });
  const cookies = [answer.headers["set-cookie"] ?? []].flat();
  const body = answer.json<{ data: { id: string; display_url: string } }>();
  return { status: answer.statusCode, cookie: asCookieHeader(cookies), body, data: body.data };
}

const path = (address: string) => new URL(address).pathname;
const keyOf = async (id: string) =>
  (await query<{ key: string }>(db, "select key from visitor_images where id = $1", [id]))[0]?.key;

describe("a visitor's image", () => {
  test("is seen by the browser that sent it and by nobody else", async () => {
    const { status, cookie, data } = await send(null, anotherNetwork());
    expect(status).toBe(201);
    const mine = await call(null, "GET", path(data.display_url), { headers: { cookie } });
    expect(mine.statusCode).toBe(200);
    expect(mine.headers["content-type"]).toBe("image/webp");
    expect(mine.headers["cache-control"]).toBe("private, no-store");
    expect(mine.rawPayload.subarray(8, 12).toString()).toBe("WEBP");
    const ada = await member();
    for (const [caller, headers] of [
      [null, {}],
      [null, { cookie: "postcard.upload=AAAAAAAAAAAAAAAAAAAAAA" }],
      [ada, {}],
    ] as const) {
      expect((await call(caller, "GET", path(data.display_url), { headers })).statusCode).toBe(404);
    }
    // nor does its address reveal the public one
    expect(JSON.stringify(data)).not.toContain(await keyOf(data.id));
  });

  test("is one of five an hour from a network; a file that isn't an image doesn't count", async () => {
    const from = anotherNetwork();
    const form = new FormData();
    form.set("image", new Blob(["no picture at all"]), "a.png");
    const none = await call(null, "POST", "/api/images", { payload: form, remoteAddress: from });
    expect(none.statusCode).toBe(415);
    const { cookie } = await send(null, from);
    for (let count = 2; count <= 5; count += 1) {
      expect((await send(null, from, cookie)).status).toBe(201);
    }
    const more = await send(null, from, cookie);
    expect(more.status).toBe(429);
    expect(more.body).toMatchObject({ error: { code: "too-many-attempts" } });
    expect((await send(null, anotherNetwork())).status).toBe(201);
    // members are counted otherwise
    expect((await send(await member(), from)).status).toBe(201);
  });

  test("is removed with its files after an hour, and its address then shows nothing", async () => {
    const { data, cookie } = await send(null, anotherNetwork());
    const key = await keyOf(data.id);
    await query(db, "update visitor_images set created_at = now() - interval '61 minutes'");
    const seen = () => call(null, "GET", path(data.display_url), { headers: { cookie } });
    expect((await seen()).statusCode).toBe(404);
    const ada = await member();
    await expect(
      features.visitorUploads.resolveAddress(ada, data.display_url),
    ).rejects.toMatchObject({ code: "picture-unknown" });
    await features.visitorUploads.sweep();
    expect(await query(db, "select 1 from visitor_images")).toEqual([]);
    expect(await features.store.openOriginal(String(key))).toBeNull();
  });

  test("outlives the sweep of files without rows while it waits", async () => {
    const { data } = await send(null, anotherNetwork());
    const key = String(await keyOf(data.id));
    await features.images.sweep(new Date(Date.now() + 2 * 60 * 60 * 1000));
    const stored = await features.store.openOriginal(key);
    expect(stored).not.toBeNull();
    await stored?.close();
  });

  test("becomes the image of a member who signed in meanwhile, once", async () => {
    const [ada, grace] = [await member(), await member()];
    const { data } = await send(null, anotherNetwork());
    const { resolveAddress } = features.visitorUploads;
    const id = await resolveAddress(ada, data.display_url);
    expect(id).toBe(data.id);
    // the address still shows the same image to her, and nothing to anybody else
    expect(await resolveAddress(ada, data.display_url)).toBe(id);
    await expect(resolveAddress(grace, data.display_url)).rejects.toMatchObject({
      code: "picture-unknown",
    });
    const led = await call(ada, "GET", path(data.display_url));
    expect(led.statusCode).toBe(302);
    expect(led.headers.location).toMatch(/^\/images\/[0-9a-f]{32}\/96\.webp$/);
    expect(await resolveAddress(ada, `http://127.0.0.1:3000${led.headers.location}`)).toBe(id);
  });
});

test("a member has at most forty images waiting, even when they come at once", async () => {
  const ada = await member();
  const most = limits.unclaimedImages;
  await query(
    db,
    `insert into images (account_id, id, key, width, height, widths, thumbhash, bytes, media_type)
     select $1, gen_random_uuid(), md5(random()::text), 9, 9, '{9}', '\\x0102030405', 9, 'image/png'
     from generate_series(1, $2)`,
    [ada.id, most - 1],
  );
  const answers = await Promise.allSettled([upload(ada), upload(ada), upload(ada)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  const refused = await send(ada, anotherNetwork());
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({ error: { code: "too-many-uploads" } });
  expect(
    await query(db, "select 1 from images where account_id = $1 and claimed_at is null", [ada.id]),
  ).toHaveLength(most);
});
