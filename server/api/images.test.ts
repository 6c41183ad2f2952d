import type { ZodTypeProvider } from "fastify-type-provider-zod";
import fastify, { type FastifyInstance } from "fastify";
import { randomUUIDv7 } from "node:crypto";
import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { NewImage } from "#server/features/posts/images/images.queries.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { addCalls } from "#server/api/calls.ts";
import type { RequestHeaders } from "#server/features/types.ts";
import { imageRoutes } from "#server/api/images.ts";
import { createUploads } from "#server/http/uploads.ts";
import { createVisitorUploads } from "#server/features/posts/images/visitor-uploads.ts";
import { createLargeImages } from "#server/features/posts/images/large-images.ts";
import { createImagePasses } from "#server/features/posts/images/image-pass.ts";
import { createImages } from "#server/features/posts/images/images.ts";
import { addErrorMapper } from "#server/http/errors.ts";
import { addSecurityHeaders } from "#server/http/security-headers.ts";
import { freshDatabase } from "#server/test/database.ts";
import { bombPng, heicHead, scene, secretInMetadata } from "#server/test/images.ts";
import { largeImageUrl } from "#shared/large-images.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

const queries: string[] = [];
const { db } = await freshDatabase((text) => queries.push(text));
const publicUrl = "https://photos.example.org";

let app: FastifyInstance;
let port: number;
let dataDir: string;
let photo: Buffer;
let ana: Viewer;
let moderator: Viewer;
const lines: string[] = [];

async function member(username: string): Promise<Viewer> {
  const id = randomUUIDv7();
  const email = `${username}@example.org`;
  const account = { id, username, email, email_as_typed: email };
  await db.query(sql`insert into accounts ${sql.row(account)}`);
  const names = { name: username, firstName: "", secondName: "" };
  return { id, username, email, ...names, avatar: null, sessionId: "", emailVerified: true };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postcard-api-"));
  photo = await (
    await scene(1200, 900)
  )
    .withExif({ IFD0: { Make: secretInMetadata } })
    .jpeg()
    .toBuffer();
  ana = await member("ana");
  moderator = await member("moderator");
  await db.query(sql`update accounts set role = 'moderator' where id = ${moderator.id}`);

  const store = createDiskStore({ dataDir });
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const images = createImages({ db, store, log });
  const visitorUploads = createVisitorUploads({
    db,
    images,
    origins: [publicUrl],
    publicUrl,
    imagesUrl: publicUrl,
    secret: "a secret",
    countUpload: async () => ({ refund: async () => undefined }),
  });
  const identity = {
    sessions: {
      tokenHashIn: () => null,
      renewedCookies: () => [],
      viewerOf: async ({ cookie }: RequestHeaders) =>
        [ana, moderator].find(({ username }) => username === cookie) ?? null,
    },
  };
  const largeImages = createLargeImages({
    db,
    store,
    log,
    dataDir,
    count: async () => ({ refund: async () => undefined }),
  });
  const imagePasses = createImagePasses({ secret: "a secret" });
  const features = { images, imagePasses, visitorUploads, identity, largeImages };
  const uploads = createUploads({ folder: join(dataDir, "tmp") });
  app = fastify({ logger: { level: "error", stream: { write: (line) => void lines.push(line) } } });
  await addSecurityHeaders(app, { https: false, development: false, imageBaseUrl: null });
  addErrorMapper(app);
  app.decorateRequest("viewer", null);
  await app.register(async (scope) => {
    const calls = scope.withTypeProvider<ZodTypeProvider>();
    await addCalls(calls, { features, publicUrl });
    await calls.register(
      imageRoutes({
        features,
        store,
        uploads,
        config: { publicUrl },
      }),
    );
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await db.query(sql`delete from images`);
  queries.length = 0;
});

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Sends the path as it is: fetch would tidy it up, and the untidy forms are what is tested. */
function call(
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    httpRequest({ port, path, method, headers, host: "127.0.0.1" }, (answer) => {
      buffer(answer).then(
        (body) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }),
        reject,
      );
    })
      .on("error", reject)
      .end();
  });
}

function form(content: Buffer | string, name = "photo.jpg", field = "image"): FormData {
  const data = new FormData();
  data.set(field, new Blob([new Uint8Array(Buffer.from(content))]), name);
  return data;
}

function send(body: FormData | string, headers: Record<string, string> = { cookie: "ana" }) {
  return fetch(`http://127.0.0.1:${port}/api/images`, { method: "POST", headers, body });
}

const rows = () => db.query<NewImage>(sql`select * from images`);
const waitingFiles = () => readdir(join(dataDir, "tmp")).catch(() => []);

/** The key of an uploaded image. */
async function uploaded(file = photo): Promise<string> {
  const answer = await send(form(file));
  expect(answer.status).toBe(201);
  return (await rows()).at(-1)!.key;
}

describe("sending an image", () => {
  test("answers where it is shown, and it is there", async () => {
    const answer = await send(form(photo));
    expect(answer.status).toBe(201);
    const [row] = await rows();
    const url = `${publicUrl}/images/${row!.key}/1200.webp`;
    expect(await answer.json()).toEqual({
      data: {
        id: row!.id,
        display_url: url,
        url,
        width: 1200,
        height: 900,
        thumbhash: row!.thumbhash.toString("base64"),
      },
      success: true,
      status: 201,
    });
    expect(row).toMatchObject({ account_id: ana.id, claimed_at: null });
    expect((await call(new URL(url).pathname)).status).toBe(200);
    expect(await waitingFiles()).toEqual([]);
  });

  test.each([
    ["no image", () => new FormData(), 400, "input-invalid"],
    ["an image under another name", () => form(photo, "a.jpg", "picture"), 400, "input-invalid"],
    ["an empty file", () => form("", "a.jpg"), 422, "picture-unreadable"],
    [
      "an SVG",
      () => form("<svg xmlns='http://www.w3.org/2000/svg'/>", "a.svg"),
      415,
      "picture-type",
    ],
    ["an SVG named .jpg", () => form("<svg/>", "a.jpg"), 415, "picture-type"],
    ["a text named .png", () => form("hello", "a.png"), 415, "picture-type"],
    ["a HEIC", () => form(heicHead(), "a.heic"), 422, "picture-unreadable"],
    ["a truncated JPEG", () => form(photo.subarray(0, 20_000)), 422, "picture-unreadable"],
    ["a PNG bomb", () => form(bombPng(20_000, 20_000), "a.png"), 422, "picture-too-large"],
    ["a 26 MB file", () => form(Buffer.alloc(26 * 1024 * 1024)), 413, "picture-too-heavy"],
  ])("%s is refused in words and nothing is created", async (_what, body, status, code) => {
    const answer = await send(body());
    expect(answer.status).toBe(status);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    expect(error.code).toBe(code);
    expect(error.message).toMatch(/^[A-Z].*\.$/);
    expect(await rows()).toEqual([]);
    expect(await waitingFiles()).toEqual([]);
  });

  test.each([
    ["no boundary", "multipart/form-data"],
    ["another boundary than announced", "multipart/form-data; boundary=x"],
    ["JSON", "application/json"],
    ["a bare image", "image/jpeg"],
    ["a text", "text/plain"],
  ])("%s is a broken form", async (_what, type) => {
    const answer = await send("--y\r\nno form\r\n--y--", { cookie: "ana", "content-type": type });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "form-broken" } });
    expect(await rows()).toEqual([]);
  });

  test("broken off in the middle leaves neither row nor file", async () => {
    const headers = {
      cookie: "ana",
      "content-type": "multipart/form-data; boundary=b",
      "content-length": "900000",
    };
    const sending = httpRequest({ port, path: "/api/images", method: "POST", headers });
    sending.on("error", () => undefined);
    sending.write('--b\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n');
    sending.write(photo.subarray(0, 30_000));
    while ((await waitingFiles()).length === 0) await wait(5);
    sending.destroy();
    while ((await waitingFiles()).length > 0) await wait(5);
    expect(await rows()).toEqual([]);
  });
});

describe("reading an image", () => {
  test("may be cached for a while, and costs one query", async () => {
    const path = imageUrl(await uploaded(), 320);
    queries.length = 0;
    const answer = await call(path);
    expect(answer.status).toBe(200);
    expect(queries).toHaveLength(1);
    expect(answer.headers).toMatchObject({
      "cache-control": "public, max-age=31536000, s-maxage=600, immutable",
      "content-type": "image/webp",
      "content-length": String(answer.body.length),
      "content-disposition": 'inline; filename="picture.webp"',
      "content-security-policy": "default-src 'none'; sandbox",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
      "accept-ranges": "bytes",
    });
    expect((await sharp(answer.body).metadata()).width).toBe(320);
    expect(answer.body.includes(secretInMetadata)).toBe(false);
  });

  test("a second time costs no bytes", async () => {
    const path = imageUrl(await uploaded(), 320);
    const { headers } = await call(path);
    const tag = String(headers.etag);
    expect(tag).toMatch(/^"[^"]+"$/);
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, "*"]) {
      const again = await call(path, { headers: { "if-none-match": known } });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      expect(again.headers.etag).toBe(tag);
      expect(again.headers["cache-control"]).toBe(headers["cache-control"]);
    }
    const changed = await call(path, { headers: { "if-none-match": '"other"' } });
    expect(changed.status).toBe(200);
  });

  test("whose account is suspended or being deleted is shown to nobody but moderators", async () => {
    const path = imageUrl(await uploaded(), 320);
    const { headers } = await call(path);
    for (const hidden of ["suspended_at", "deleted_at"] as const) {
      const set = (at: Date | null) =>
        db.query(sql`update accounts set ${sql.ref(hidden)} = ${at} where id = ${ana.id}`);
      await set(new Date());
      const conditional = { "if-none-match": String(headers.etag) };
      const asked: Record<string, string>[] = [{}, conditional, { cookie: "ana" }];
      for (const more of asked) {
        const answer = await call(path, { headers: more });
        expect([answer.status, answer.headers["cache-control"]]).toEqual([404, "no-store"]);
      }
      const looked = await call(path, { headers: { cookie: "moderator" } });
      expect([looked.status, looked.headers["cache-control"]]).toEqual([200, "private, no-store"]);
      await set(null);
      expect((await call(path)).status).toBe(200);
    }
  });

  test("with all of its original's pixels follows the rules of every other variant", async () => {
    const key = await uploaded(await (await scene(2400, 300)).jpeg().toBuffer());
    const path = largeImageUrl(key);
    const answer = await call(path);
    expect([answer.status, answer.headers["content-type"]]).toEqual([200, "image/webp"]);
    expect((await sharp(answer.body).metadata()).width).toBe(2400);
    const again = await call(path, { headers: { "if-none-match": String(answer.headers.etag) } });
    expect(again.status).toBe(304);
    const head = await call(path, { method: "HEAD" });
    expect(head.headers["content-length"]).toBe(String(answer.body.length));
    // It isn't a width that one could ask for.
    expect((await call(imageUrl(key, 2400))).status).toBe(404);
    for (const hidden of ["suspended_at", "deleted_at"] as const) {
      const set = (at: Date | null) =>
        db.query(sql`update accounts set ${sql.ref(hidden)} = ${at} where id = ${ana.id}`);
      await set(new Date());
      expect((await call(path)).status).toBe(404);
      expect((await call(path, { headers: { cookie: "ana" } })).status).toBe(404);
      const looked = await call(path, { headers: { cookie: "moderator" } });
      expect([looked.status, looked.headers["cache-control"]]).toEqual([200, "private, no-store"]);
      await set(null);
    }
    await db.query(sql`delete from images`);
    expect((await call(path)).status).toBe(404);
    expect((await call(largeImageUrl("0".repeat(32)))).status).toBe(404);
  });

  test("that no row names any more is gone at once, though its files still exist", async () => {
    const path = imageUrl(await uploaded(), 320);
    await db.query(sql`delete from images`);
    const answer = await call(path);
    expect([answer.status, answer.headers["cache-control"]]).toEqual([404, "no-store"]);
  });

  test("whose file is missing or truncated is never answered as whole, and the log says so", async () => {
    const key = await uploaded();
    const fileOf = (width: number) =>
      join(dataDir, "images", key.slice(0, 2), key, `${width}.webp`);
    await truncate(fileOf(320), 1000);
    await rm(fileOf(640));
    lines.length = 0;
    for (const method of ["GET", "HEAD"]) {
      const cut = await call(imageUrl(key, 320), { method });
      expect([cut.status, cut.headers["cache-control"]]).toEqual([500, "no-store"]);
      const missing = await call(imageUrl(key, 640), { method });
      expect([missing.status, missing.headers["cache-control"]]).toEqual([404, "no-store"]);
      expect([cut, missing].map(({ headers }) => headers.etag)).toEqual([undefined, undefined]);
    }
    expect(lines.join("")).toContain("is not whole");
    expect(lines.join("")).toContain("check-pictures");
    expect((await call(imageUrl(key, 160))).status).toBe(200);
  });

  test("HEAD answers the size alone", async () => {
    const path = imageUrl(await uploaded(), 640);
    const whole = await call(path);
    const head = await call(path, { method: "HEAD" });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers["content-length"]).toBe(String(whole.body.length));
    expect(head.headers.etag).toBe(whole.headers.etag);
  });

  test("by ranges", async () => {
    const path = imageUrl(await uploaded(), 640);
    const whole = await call(path);
    const size = whole.body.length;
    const range = (value: string, more = {}) => call(path, { headers: { range: value, ...more } });
    for (const [value, from, to] of [
      ["bytes=0-99", 0, 99],
      ["bytes=100-", 100, size - 1],
      ["bytes=-50", size - 50, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
    ] as const) {
      const part = await range(value);
      expect(part.status).toBe(206);
      expect(part.headers["content-range"]).toBe(`bytes ${from}-${to}/${size}`);
      expect(part.headers["content-length"]).toBe(String(to - from + 1));
      expect(part.body.equals(whole.body.subarray(from, to + 1))).toBe(true);
    }
    for (const value of [`bytes=${size}-`, "bytes=-0"]) {
      const beyond = await range(value);
      expect(beyond.status).toBe(416);
      expect(beyond.headers["content-range"]).toBe(`bytes */${size}`);
      expect(beyond.headers["cache-control"]).toBe("no-store");
    }
    for (const value of ["bytes=5-1", "lines=1-2", "bytes=0-1,5-6", "bytes=-", "x"]) {
      expect((await range(value)).status).toBe(200);
    }
    expect((await range("bytes=0-9", { "if-range": whole.headers.etag })).status).toBe(206);
    expect((await range("bytes=0-9", { "if-range": '"other"' })).status).toBe(200);
  });

  test("only what exists, by its one name", async () => {
    const key = await uploaded();
    await writeFile(join(dataDir, "secrets.json"), "{}");
    const [prefix, original] = [key.slice(0, 2), `originals/${key.slice(0, 2)}/${key}`];
    const wrong = [
      `/images/${key}/161.webp`,
      `/images/${key}/0320.webp`,
      `/images/${key}/320.webp/`,
      `/images/${key}/320`,
      `/images/${key}/320.jpg`,
      `/images/${key}/-320.webp`,
      `/images/${key}/1e2.webp`,
      `/images/${key}/`,
      `/images/${key.toUpperCase()}/320.webp`,
      `/images/${"0".repeat(32)}/320.webp`,
      `/images/${key}%00/320.webp`,
      `/images/${key}/320.webp%00.png`,
      `/images/${prefix}/${key}`,
      `/images/..%2f${original}/320.webp`,
      `/images/../${original}`,
      `/images/%2e%2e/${original}`,
      `/images/%2e%2e%2foriginals%2f${prefix}/${key}`,
      `/images/..%5c..%5csecrets.json/320.webp`,
      `/images/${key}/..%2f..%2f..%2f${encodeURIComponent(original)}`,
      `/images/${key}/%2fetc%2fpasswd`,
      `//images/${key}/320.webp`,
      `/images//etc/passwd`,
      `/${original}`,
      `/images/${key}/original`,
      `/images/${key}/%zz.webp`,
    ];
    for (const path of wrong) {
      const answer = await call(path);
      expect([path, answer.status >= 400 && answer.status < 500]).toEqual([path, true]);
      expect(answer.body.includes(secretInMetadata)).toBe(false);
      expect(answer.headers["cache-control"] ?? "none").not.toContain("immutable");
    }
    const missing = await call(`/images/${key}/161.webp`);
    expect(missing.status).toBe(404);
    expect(missing.headers["cache-control"]).toBe("no-store");
    expect((await call(`/images/${key}/320.webp?download=1`)).status).toBe(200);
    expect((await call(`/images/${key}/320.webp`, { method: "POST" })).status).toBe(405);
  });
});
