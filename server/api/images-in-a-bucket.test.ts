import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { testApp } from "#server/test/app.ts";
import { archivesOf } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { plain } from "#server/test/images.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { keysIn, traceOf } from "#server/test/traces.ts";
import { chatIdOf } from "#shared/chat.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const s3 = await startS3Server();
const dataDir = mkdtempSync(join(tmpdir(), "postcard-bucket-"));
afterAll(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true, force: true });
});
const { imageStore } = readConfig(s3.environment("town"));
const stores = openStores(dataDir, imageStore, pino({ level: "silent" }));
const cdn = "https://cdn.example.org/town";
const { call, features } = await testApp(db, { imageBaseUrl: cdn }, { stores, pictures: stores });
const on = features;
const [ada, bob, eve] = (await on.members(3)) as [Viewer, Viewer, Viewer];
await on.follows.follow(ada, bob.id);
await on.follows.follow(bob, ada.id);
const photo = new Uint8Array(await plain(400, 300, [10, 120, 90]).png().toBuffer());

beforeEach(() => {
  s3.fails = () => null;
  s3.asked = [];
});

async function send(by: Viewer = ada) {
  const form = new FormData();
  form.set("image", new Blob([photo]), "photo.png");
  return call(by, "POST", "/api/images", { payload: form });
}

/** The address at which this server answers an image, whatever address browsers get. */
async function addressOf(by: Viewer): Promise<string> {
  const { key } = (await on.images.upload(by, await on.photo())).picture;
  s3.asked = [];
  return imageUrl(key, 96);
}

async function savedRows(): Promise<number> {
  return (await db.query(sql`select from images`)).length;
}

describe("with images in a bucket", () => {
  test("an upload costs one request a file, a first view one, and a repeated view none", async () => {
    const sent = await send();
    expect(sent.statusCode).toBe(201);
    // the original and 160, 320 and 400 pixels
    expect(s3.asked.map((request) => request.split(" ")[0])).toEqual(["PUT", "PUT", "PUT", "PUT"]);
    const path = new URL(sent.json().data.url).pathname.replace("/town", "");
    s3.asked = [];
    const seen = await call(null, "GET", path);
    expect([seen.statusCode, seen.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect(seen.rawPayload.length).toBe(Number(seen.headers["content-length"]));
    expect(s3.asked).toHaveLength(1);
    const tag = String(seen.headers["etag"]);
    const again = await call(null, "GET", path, { headers: { "if-none-match": tag } });
    expect(again.statusCode).toBe(304);
    expect(s3.asked).toHaveLength(1);
    const part = await call(null, "GET", path, { headers: { range: "bytes=4-7" } });
    expect([part.statusCode, part.rawPayload]).toEqual([206, seen.rawPayload.subarray(4, 8)]);
  });

  test("a suspended member's are gone at once, and the bucket is not asked for them", async () => {
    const gone = await on.member("Gone");
    const path = await addressOf(gone);
    expect((await call(null, "GET", path)).statusCode).toBe(200);
    await on.suspend(gone);
    s3.asked = [];
    expect((await call(null, "GET", path)).statusCode).toBe(404);
    expect(s3.asked).toEqual([]);
  });

  test("those of messages are read by their two members alone, deleted ones by nobody", async () => {
    const picture = await on.photo();
    const message = { body: "look", picture, clientKey: null };
    const { conversationId, seq } = await on.chat.send(ada, chatIdOf(ada, bob), message);
    const path = `/chat/pictures/${conversationId}/${seq}/96.webp`;
    const statuses = async () => {
      const answers = await Promise.all([ada, bob, eve, null].map((by) => call(by, "GET", path)));
      return answers.map(({ statusCode }) => statusCode);
    };
    expect(await statuses()).toEqual([200, 200, 404, 401]);

    const post = await on.photoPost(ada);
    const before = await keysIn(stores.store);
    await on.posts.remove(ada, ada.username, post.number);
    expect(await keysIn(stores.store)).toHaveLength(before.length - 1);
  });

  test("an account's archive holds its originals, and its deletion leaves no object", async () => {
    const leaving = await on.member("Leaving Soon");
    await on.photoPost(leaving, "one", ["a", "b"]);
    const archive = await archivesOf(on).exported(leaving);
    const { taken } = await archivesOf(on).imported(eve, archive);
    expect(taken).toBe(1);
    const { keys } = await traceOf({ db, store: on.store }, leaving);
    expect(keys).toHaveLength(3);
    await on.deletion.requestFor(leaving.id, 0);
    await on.deletion.deleteAccount(leaving.id);
    const left = await keysIn(stores.store);
    expect(left.filter((key) => keys.includes(key))).toEqual([]);
  });

  test("while it is away photos are refused with a sentence, nothing is stored, and texts still work", async () => {
    const path = await addressOf(ada);
    const post = await on.photoPost(ada);
    const [rows, objects] = [await savedRows(), await keysIn(stores.store)];
    s3.fails = () => ({ status: 503 });
    for (const answer of [await send(), await call(null, "GET", path)]) {
      expect([answer.statusCode, answer.headers["retry-after"]]).toEqual([503, "60"]);
      expect(answer.json().error).toMatchObject({
        code: "picture-host-away",
        message: expect.stringContaining("can't save or show pictures right now"),
      });
    }
    const ready = await call(null, "GET", "/health/ready");
    expect([ready.statusCode, ready.json()]).toEqual([200, { status: "ready", pictures: "away" }]);
    await on.textPost(ada, "words");
    // A post is deleted all the same; its files go with the next sweep.
    await on.posts.remove(ada, ada.username, post.number);
    expect(await savedRows()).toBe(rows - 1);

    s3.fails = () => null;
    expect(await keysIn(stores.store)).toEqual(objects);
    await on.images.sweep(new Date(Date.now() + 2 * 60 * 60 * 1000));
    const named = await db.query<{ key: string }>(sql`select key from images`);
    expect(await keysIn(stores.store)).toEqual(named.map(({ key }) => key).toSorted());
  });
});

describe("with a separate address for images", () => {
  test("programs get it and may send it, and browsers may load from it and from nowhere else", async () => {
    const sent = await send();
    const { url, id } = sent.json().data as { url: string; id: string };
    expect(url.startsWith(`${cdn}/images/`)).toBe(true);
    expect(await on.visitorUploads.resolveAddress(ada, url)).toBe(id);
    const elsewhere = url.replace("cdn.", "www.");
    await expect(on.visitorUploads.resolveAddress(ada, elsewhere)).rejects.toMatchObject({
      code: "picture-unknown",
    });

    const page = await call(ada, "GET", "/");
    expect(String(page.headers["content-security-policy"])).toContain(
      "img-src 'self' blob: https://cdn.example.org;",
    );
    // The proxy behind that address asks here, without cookies.
    const { pathname } = new URL(url);
    const image = await call(null, "GET", pathname.replace("/town", ""));
    expect(image.headers).toMatchObject({
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, s-maxage=600, immutable",
    });
  });

  test("documents and the signed-in member's own view say it", async () => {
    await on.photoPost(bob, "told");
    const document = await call(ada, "GET", `/api/users/${bob.email}`);
    expect(document.body).toContain(`${cdn}/images/`);
    expect(document.body).not.toContain("http://localhost:3000/images/");
    const session = await call(ada, "GET", "/api/session");
    expect(session.body).toContain(`"photoURL":"${cdn}/images/`);
  });
});
