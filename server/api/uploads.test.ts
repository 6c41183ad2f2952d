import { existsSync, statSync, symlinkSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { testApp } from "#server/test/app.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { filesBelow, namesIn } from "#server/test/traces.ts";
import { until } from "#server/test/until.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { app, features: on, call, cookieOf } = await testApp(db);
const limited = await testApp(db, {}, { rateLimits: true });
const folder = join(on.folder, "uploads");

let ada: Viewer;
let photo: Buffer;
beforeAll(async () => {
  [ada] = (await insertAccounts(db, 1)) as [Viewer];
  photo = await (await scene(400, 300)).jpeg({ quality: 90 }).toBuffer();
});

const tus = { "tus-resumable": "1.0.0" };

async function begin(viewer: Viewer, bytes = photo.length, caller = call): Promise<string> {
  const headers = { ...tus, "upload-length": String(bytes) };
  const answer = await caller(viewer, "POST", "/api/uploads", { headers });
  if (answer.statusCode !== 201) throw Object.assign(new Error(answer.body), answer.json());
  return String(answer.headers.location);
}

function send(viewer: Viewer, url: string, offset: number, bytes: Buffer, caller = call) {
  const type = { "content-type": "application/offset+octet-stream" };
  const headers = { ...tus, ...type, "upload-offset": String(offset) };
  return caller(viewer, "PATCH", url, { headers, payload: bytes });
}

async function offsetOf(viewer: Viewer, url: string, caller = call): Promise<number> {
  const answer = await caller(viewer, "HEAD", url, { headers: tus });
  expect(answer.statusCode).toBe(200);
  return Number(answer.headers["upload-offset"]);
}

/** Asks until the image is made, or can't be. */
async function outcome(viewer: Viewer, url: string, caller = call) {
  for (;;) {
    const seen = (await caller(viewer, "GET", url)).json();
    if (seen.state !== "preparing") return seen;
  }
}

async function sendAll(viewer: Viewer, bytes = photo): Promise<string> {
  const url = await begin(viewer, bytes.length);
  expect((await send(viewer, url, 0, bytes)).statusCode).toBe(204);
  return url;
}

const somebody = async () => ((await insertAccounts(db, 1)) as [Viewer])[0];
const imagesOf = ({ id }: Viewer) => query(db, "select id from images where account_id = $1", [id]);
/** The uploads that have files there. */
const partsOf = async ({ id }: Viewer) => {
  const names = await namesIn(on.files, `uploads/${id}`);
  return [...new Set(names.map((name) => name.split("/")[1]))];
};

const refusal = (error: object) =>
  expect.objectContaining({ error: expect.objectContaining(error) });
const later = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);

describe("an image that arrives in parts", () => {
  test("is put together and becomes an image that a post can use", async () => {
    const url = await begin(ada);
    const half = Math.floor(photo.length / 2);
    const first = await send(ada, url, 0, photo.subarray(0, half));
    expect([first.statusCode, first.headers["upload-offset"]]).toEqual([204, String(half)]);
    expect(first.headers["content-security-policy"]).toContain("default-src 'self'");
    expect(first.headers["cache-control"]).toBe("private, no-store");
    expect((await call(ada, "GET", url)).json()).toMatchObject({ state: "arriving", offset: half });
    expect(await offsetOf(ada, url)).toBe(half);
    await send(ada, url, half, photo.subarray(half));
    const seen = await outcome(ada, url);
    expect(seen).toMatchObject({
      state: "ready",
      received: photo.length,
      picture: { width: 400, height: 300 },
    });
    expect(await partsOf(ada)).toEqual([]);
    const post = await on.publish(ada, { pictures: [{ imageId: seen.imageId, alt: "" }] });
    expect(post.number).toBe(1);
    // once used, it stays when its upload is removed
    expect((await call(ada, "DELETE", url, { headers: tus })).statusCode).toBe(204);
    expect(await on.posts.get(ada, ada.username, 1)).not.toBeNull();
  });

  test("is one image, however often it is asked for and whichever answers are lost", async () => {
    const bea = await somebody();
    const url = await sendAll(bea);
    const seen = await Promise.all([outcome(bea, url), outcome(bea, url), outcome(bea, url)]);
    expect(new Set(seen.map(({ imageId }) => imageId)).size).toBe(1);
    // the last part once more, as a client sends it that got no answer
    expect(await offsetOf(bea, url)).toBe(photo.length);
    await send(bea, url, photo.length, Buffer.alloc(0));
    expect((await outcome(bea, url)).imageId).toBe(seen[0].imageId);
    expect(await imagesOf(bea)).toHaveLength(1);
  });

  test("goes on in another process of the server", async () => {
    const url = await begin(ada);
    await send(ada, url, 0, photo.subarray(0, 1000));
    const again = await testApp(db, {}, { folder: on.folder });
    expect(await offsetOf(ada, url, again.call)).toBe(1000);
    await send(ada, url, 1000, photo.subarray(1000), again.call);
    expect(await outcome(ada, url, again.call)).toMatchObject({ state: "ready" });
  });

  test("is not corrupted by two tabs that continue it at once", async () => {
    const bea = await somebody();
    const url = await begin(bea);
    const tab = async () => {
      for (;;) {
        const offset = await offsetOf(bea, url);
        if (offset === photo.length) return;
        const { statusCode } = await send(bea, url, offset, photo.subarray(offset, offset + 3000));
        expect([204, 409]).toContain(statusCode);
      }
    };
    await Promise.all([tab(), tab(), tab()]);
    const { imageId, received } = await outcome(bea, url);
    expect(received).toBeGreaterThanOrEqual(photo.length);
    const [row] = await query<{ key: string }>(db, "select key from images where id = $1", [
      imageId,
    ]);
    const original = await on.store.openOriginal(row?.key ?? "");
    const stored = Buffer.concat(await original!.read().toArray());
    expect(stored.equals(photo)).toBe(true);
  });

  test("resumes at once when its connection died silently, after the bytes that arrived", async () => {
    const bea = await somebody();
    const url = await begin(bea);
    const half = Math.floor(photo.length / 2);
    const port = Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
    const line = connect(port, "127.0.0.1");
    line.on("error", () => undefined);
    const head = [
      `PATCH ${url} HTTP/1.1`,
      "Host: localhost",
      `Cookie: ${await cookieOf(bea)}`,
      "Tus-Resumable: 1.0.0",
      "Content-Type: application/offset+octet-stream",
      "Upload-Offset: 0",
      `Content-Length: ${photo.length}`,
    ];
    line.write(`${head.join("\r\n")}\r\n\r\n`);
    line.write(photo.subarray(0, half));
    // in a bucket it becomes a part when the connection ends
    const arriving = join(on.folder, on.files.folder ? "uploads" : "tmp");
    await until(async () =>
      (await filesBelow(arriving)).some((path) => statSync(path).size === half),
    );
    expect(await offsetOf(bea, url)).toBe(half);
    await send(bea, url, half, photo.subarray(half));
    expect(await outcome(bea, url)).toMatchObject({ state: "ready", received: photo.length });
    line.destroy();
  });

  test("that isn't an image is refused for good, and takes no room", async () => {
    const url = await sendAll(ada, Buffer.from("no picture at all".repeat(100)));
    const error = { code: "picture-type", message: expect.stringContaining("JPEG") };
    expect(await outcome(ada, url)).toMatchObject({ state: "refused", error });
    expect(await partsOf(ada)).toEqual([]);
  });

  test("is removed at once, with the image made of it", async () => {
    const bea = await somebody();
    const half = await begin(bea);
    await send(bea, half, 0, photo.subarray(0, 1000));
    const whole = await sendAll(bea);
    await outcome(bea, whole);
    for (const url of [half, whole]) {
      expect((await call(bea, "DELETE", url, { headers: tus })).statusCode).toBe(204);
      expect((await call(bea, "GET", url)).statusCode).toBe(404);
      expect((await call(bea, "HEAD", url, { headers: tus })).statusCode).toBe(404);
    }
    expect([await imagesOf(bea), await partsOf(bea)]).toEqual([[], []]);
  });
});

describe("nobody can reach the upload of another member", () => {
  test.each(["HEAD", "GET", "PATCH", "DELETE"])("%s", async (method) => {
    const url = await begin(ada);
    await send(ada, url, 0, photo.subarray(0, 1000));
    const headers = {
      ...tus,
      "content-type": "application/offset+octet-stream",
      "upload-offset": "1000",
    };
    const payload = method === "PATCH" ? photo.subarray(1000) : undefined;
    const bea = await somebody();
    expect((await call(bea, method, url, { headers, payload })).statusCode).toBe(404);
    expect((await call(null, method, url, { headers, payload })).statusCode).toBe(401);
    expect(await offsetOf(ada, url)).toBe(1000);
    const elsewhere = { ...headers, origin: "https://elsewhere.example" };
    if (["PATCH", "DELETE"].includes(method)) {
      const answer = await call(ada, method, url, { headers: elsewhere, payload });
      expect(answer.json().error.code).toBe("wrong-origin");
    }
  });
});

describe("what could not be stored is refused before it arrives", () => {
  test("a file over 25 MB, an empty one, one of unknown length", async () => {
    const heavy = begin(ada, limits.imageBytes + 1);
    await expect(heavy).rejects.toEqual(refusal({ code: "picture-too-heavy" }));
    await expect(begin(ada, 0)).rejects.toEqual(refusal({ code: "input-invalid" }));
    const unknown = await call(ada, "POST", "/api/uploads", {
      headers: { ...tus, "upload-defer-length": "1" },
    });
    expect(unknown.json().error.code).toBe("input-invalid");
  });

  test("more than was announced", async () => {
    const url = await begin(ada, 100);
    expect((await send(ada, url, 0, photo)).statusCode).toBe(413);
    expect(await offsetOf(ada, url)).toBe(0);
    expect((await send(ada, url, 7, Buffer.alloc(10))).json().error.code).toBe("upload-offset");
  });

  test("an image for which there is no room", async () => {
    const bea = await somebody();
    await on.storage.setQuota(bea.id, photo.length - 1);
    await expect(begin(bea)).rejects.toEqual(refusal({ code: "storage-full" }));
    // room that ran out while it came: it can be tried again when there is some
    await on.storage.setQuota(bea.id, photo.length);
    const url = await sendAll(bea);
    const answer = async () => (await call(bea, "GET", url)).json();
    await on.storage.setQuota(bea.id, 10);
    const seen = await answer();
    if (seen.state !== "ready") {
      expect((seen.error ?? (await answer()).error).code).toBe("storage-full");
      await on.storage.setQuota(bea.id, photo.length);
    }
    expect(await outcome(bea, url)).toMatchObject({ state: "ready" });
  });

  test("too many unfinished ones, and too heavy ones", async () => {
    const [bea, cleo] = [await somebody(), await somebody()];
    const { ofOne, bytes } = limits.uploads.unfinished;
    for (let i = 0; i < ofOne; i += 1) await begin(bea);
    await expect(begin(bea)).rejects.toEqual(refusal({ code: "uploads-running" }));
    for (let sum = limits.imageBytes; sum <= bytes; sum += limits.imageBytes) {
      await begin(cleo, limits.imageBytes);
    }
    await expect(begin(cleo, limits.imageBytes)).rejects.toEqual(
      refusal({ code: "uploads-running" }),
    );
    // uploads untouched for an hour make room
    await query(
      db,
      "update uploads set touched_at = now() - interval '61 minutes' where account_id = $1",
      [bea.id],
    );
    await begin(bea);
  });

  test("more uploads than a newcomer may begin in an hour, each counted once", async () => {
    const bea = await somebody();
    await query(db, "update accounts set created_at = now() where id = $1", [bea.id]);
    const { newcomer } = limits.writes.uploads;
    const done = async () => {
      const url = await begin(bea, 100, limited.call);
      await limited.call(bea, "DELETE", url, { headers: tus });
    };
    for (let i = 0; i < newcomer; i += 1) await done();
    await expect(done()).rejects.toEqual(refusal({ code: "too-many-writes" }));
  });

  test.runIf(existsSync("/dev/full") && imagesOnDisk())(
    "on a full disk, and resumes when there is room",
    async () => {
      const url = await begin(ada);
      const id = url.split("/").at(-1);
      await mkdir(folder, { recursive: true });
      const part = join(folder, `${ada.id}.${id}`);
      symlinkSync("/dev/full", part);
      const answer = await send(ada, url, 0, photo);
      expect([answer.statusCode, answer.json().error.code]).toEqual([507, "disk-full"]);
      await rm(part);
      expect(await offsetOf(ada, url)).toBe(0);
      await send(ada, url, 0, photo);
      expect(await outcome(ada, url)).toMatchObject({ state: "ready" });
    },
  );
});

describe("what stays behind", () => {
  test("is removed a day after the last byte, files without a row at once", async () => {
    const bea = await somebody();
    const url = await begin(bea);
    await send(bea, url, 0, photo.subarray(0, 1000));
    const stray = `uploads/${bea.id}.01990000-0000-7000-8000-000000000000`;
    await on.files.put(stray, Buffer.from("left by a process that died"));
    await on.resumableUploads.sweep();
    expect(await partsOf(bea)).toEqual([`${bea.id}.${url.split("/").at(-1)}`]);
    await on.resumableUploads.sweep(later(1.01));
    expect([await partsOf(bea), (await call(bea, "GET", url)).statusCode]).toEqual([[], 404]);
  });

  const beyond = [
    "9007199254740992",
    "99999999999999999999",
    "1e+21",
    "1e400",
    "-1",
    "1.5",
    "0x10",
  ];
  test.each(beyond)("cannot be of %s bytes", async (bytes) => {
    const headers = { ...tus, "upload-length": bytes };
    const answer = await call(ada, "POST", "/api/uploads", { headers });
    const { code, message } = answer.json().error;
    expect([answer.statusCode, code]).toEqual([400, "input-invalid"]);
    expect(message).toMatch(/^Upload-Length must say/);
  });

  test("of as many bytes as can be counted is too heavy, however full the disk is", async () => {
    const headers = { ...tus, "upload-length": "9007199254740991" };
    const answer = await call(ada, "POST", "/api/uploads", { headers });
    expect([answer.statusCode, answer.json().error.code]).toEqual([413, "picture-too-heavy"]);
  });

  test.each(beyond)("cannot go on at byte %s, nor with so many", async (bytes) => {
    const url = await begin(ada);
    await send(ada, url, 0, photo.subarray(0, 1));
    const type = { "content-type": "application/offset+octet-stream" };
    for (const wrong of ["upload-offset", "content-length"]) {
      const headers = { ...tus, ...type, "upload-offset": "1", [wrong]: bytes };
      const payload = photo.subarray(1);
      const answer = await call(ada, "PATCH", url, { headers, payload });
      expect([wrong, answer.statusCode]).toEqual([wrong, 400]);
    }
    expect(await offsetOf(ada, url)).toBe(1);
    await call(ada, "DELETE", url, { headers: tus });
  });

  test.each(["1", "0", "9007199254740993"])(
    "gives its length at once, and not later (%s)",
    async (later) => {
      const headers = { ...tus, "upload-defer-length": later };
      const answer = await call(ada, "POST", "/api/uploads", { headers });
      expect(answer.statusCode).toBe(400);
    },
  );

  test("is refused when it expired, before the sweep comes by", async () => {
    const url = await begin(ada);
    await query(db, "update uploads set touched_at = now() - interval '25 hours' where id = $1", [
      url.split("/").at(-1),
    ]);
    expect((await send(ada, url, 0, photo)).statusCode).toBe(404);
  });

  test("an image of a draft stays for a week after it was last asked for", async () => {
    const bea = await somebody();
    const url = await sendAll(bea);
    await outcome(bea, url);
    await on.images.sweep(later(6.9));
    await on.resumableUploads.sweep(later(6.9));
    expect(await outcome(bea, url)).toMatchObject({ state: "ready" });
    await on.images.sweep(later(7.1));
    expect((await call(bea, "GET", url)).statusCode).toBe(404);
    expect(await imagesOf(bea)).toEqual([]);
  });

  test("drafts from more than an hour ago make room for new images", async () => {
    const bea = await somebody();
    const old = await sendAll(bea);
    await outcome(bea, old);
    for (let i = 1; i < limits.unclaimedImages; i += 1) await on.upload(bea);
    await expect(on.upload(bea)).rejects.toMatchObject({ code: "too-many-uploads" });
    await query(
      db,
      "update images set created_at = now() - interval '61 minutes' where account_id = $1",
      [bea.id],
    );
    await on.upload(bea);
    expect((await call(bea, "GET", old)).statusCode).toBe(404);
    expect(await imagesOf(bea)).toHaveLength(limits.unclaimedImages);
  });

  test("nothing is left of a deleted account's", async () => {
    const bea = await on.member("Bea");
    const url = await begin(bea);
    await send(bea, url, 0, photo.subarray(0, 1000));
    await query(
      db,
      "update accounts set deletion_due_at = now(), deleted_at = now() where id = $1",
      [bea.id],
    );
    await on.deletion.deleteAccount(bea.id);
    expect(await partsOf(bea)).toEqual([]);
    expect(await query(db, "select 1 from uploads where account_id = $1", [bea.id])).toEqual([]);
  });
});
