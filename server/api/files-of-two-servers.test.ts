import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { openStores } from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { newId } from "#server/platform/db/ids.ts";
import { testApp } from "#server/test/app.ts";
import { archivesOf } from "#server/test/archives.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testSecrets } from "#server/test/factories.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { scene } from "#server/test/images.ts";
import { query } from "#server/test/query.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { filesBelow, keysIn, namesIn, traceOf } from "#server/test/traces.ts";
import { until } from "#server/test/until.ts";
import type { Viewer } from "#shared/views.ts";

/** Two servers that share a database, a bucket and their secrets, and nothing else. */
const { db } = await freshDatabase();
const s3 = await startS3Server();
const home = mkdtempSync(join(tmpdir(), "postcard-two-"));
afterAll(async () => {
  await s3.stop();
  rmSync(home, { recursive: true, force: true });
});
const { imageStore } = readConfig(s3.environment("town"));

const secrets = testSecrets();

async function server(name: string) {
  const folder = join(home, name);
  mkdirSync(folder);
  const stores = openStores(folder, imageStore, pino({ level: "silent" }));
  return testApp(db, {}, { folder, stores, secrets });
}
const [one, two] = [await server("one"), await server("two")];
const on = one.features;
type Server = typeof one;

const photo = await (await scene(400, 300)).jpeg({ quality: 90 }).toBuffer();
const tus = { "tus-resumable": "1.0.0" };

beforeEach(() => {
  s3.fails = () => null;
  s3.asked = [];
});

/** Runs the waiting jobs on this server. */
async function runJobs({ features }: Server): Promise<void> {
  expect((await features.jobs.runDue({ later: true })).failed).toEqual([]);
}

/** The files in a server's own folder. */
const filesOf = ({ features }: Server) => filesBelow(features.folder);

/** All but emails, which belong to the operator. */
async function privateObjects(): Promise<string[]> {
  const paths = await filesBelow(s3.directory);
  return paths.filter((path) => /private/.test(path) && !/outbox/.test(path)).toSorted();
}

async function begin(viewer: Viewer, by: Server): Promise<string> {
  const headers = { ...tus, "upload-length": String(photo.length) };
  const answer = await by.call(viewer, "POST", "/api/uploads", { headers });
  expect(answer.statusCode).toBe(201);
  return String(answer.headers.location);
}

function send(viewer: Viewer, by: Server, url: string, from: number, to: number) {
  const type = { "content-type": "application/offset+octet-stream" };
  const headers = { ...tus, ...type, "upload-offset": String(from) };
  return by.call(viewer, "PATCH", url, { headers, payload: photo.subarray(from, to) });
}

async function offsetAt(viewer: Viewer, by: Server, url: string): Promise<number> {
  const { headers } = await by.call(viewer, "HEAD", url, { headers: tus });
  return Number(headers["upload-offset"]);
}

/** Asks both servers in turn until the work is done. */
async function outcome(viewer: Viewer, url: string) {
  for (let turn = 0; ; turn += 1) {
    const seen = (await [one, two][turn % 2]!.call(viewer, "GET", url)).json();
    if (seen.state !== "preparing") return seen;
  }
}

async function originalOf(imageId: string): Promise<Buffer> {
  const [row] = await query<{ key: string }>(db, "select key from images where id = $1", [imageId]);
  const original = await two.features.store.openOriginal(row?.key ?? "");
  return Buffer.concat(await original!.read().toArray());
}

const originalsSent = () => s3.asked.filter((asked) => /^PUT \S+\/originals\//.test(asked)).length;

describe("an archive", () => {
  test("requested at one server and made by the other is downloaded from either, whole and in part", async () => {
    const ada = await on.member("Ada Two");
    await on.photoPost(ada, "a photo");
    const { id } = await on.exports.start(ada);
    await runJobs(two);
    const url = `/exports/${id}.zip`;
    const whole = await one.call(ada, "GET", url);
    expect(whole.statusCode).toBe(200);
    expect(Number(whole.headers["content-length"])).toBe(whole.rawPayload.length);
    expect((await two.call(ada, "GET", url)).rawPayload.equals(whole.rawPayload)).toBe(true);
    const range = { range: `bytes=10-${whole.rawPayload.length - 5}` };
    const part = await one.call(ada, "GET", url, { headers: range });
    expect(part.statusCode).toBe(206);
    expect(part.rawPayload.equals(whole.rawPayload.subarray(10, -4))).toBe(true);
    const head = await two.call(ada, "HEAD", url);
    expect(head.headers["content-length"]).toBe(whole.headers["content-length"]);
    const beyond = { range: `bytes=${whole.rawPayload.length}-` };
    expect((await one.call(ada, "GET", url, { headers: beyond })).statusCode).toBe(416);

    s3.fails = () => "broken";
    const away = await one.call(ada, "GET", url);
    expect([away.statusCode, away.json().error.code]).toEqual([503, "picture-host-away"]);
    expect(away.headers["retry-after"]).toBe("60");
  });

  test("sent to one server is imported by the other", async () => {
    const [from, to] = [await on.member("Brought From"), await on.member("Brought To")];
    await on.photoPost(from, "mine");
    await on.textPost(from, "words");
    const archive = await archivesOf(on).exported(from);
    await on.imports.start(to, await archivesOf(on).uploaded(archive));
    await runJobs(two);
    expect(await on.imports.latest(to)).toMatchObject({ state: "done", taken: 2 });
    expect(await namesIn(on.files, "imports/")).toEqual([]);
    for (const each of [one, two]) {
      expect(
        (await filesOf(each)).filter((path) => /imports|exports|\.fetched/.test(path)),
      ).toEqual([]);
    }
  });

  test("is refused and stays where it is while the bucket is away; once it is lost, its import says so", async () => {
    const ada = await on.member("Ada Patient");
    await on.textPost(ada, "words");
    const archive = await archivesOf(on).exported(ada);
    const upload = await archivesOf(on).uploaded(archive);
    s3.fails = () => "broken";
    await expect(on.imports.start(ada, upload)).rejects.toMatchObject({
      code: "picture-host-away",
    });
    expect(await on.imports.latest(ada)).toBeNull();
    s3.fails = () => null;
    await on.imports.start(ada, upload);
    s3.fails = () => "broken";
    expect((await two.features.jobs.runDue()).failed).toHaveLength(1);
    expect(await on.imports.latest(ada)).toMatchObject({ state: "waiting" });
    s3.fails = () => null;
    await on.files.remove(await namesIn(on.files, "imports/"));
    await runJobs(two);
    expect(await on.imports.latest(ada)).toMatchObject({
      state: "failed",
      problem: "The archive didn't arrive completely.",
    });
  });

  test("made by another run meanwhile is not removed by one that comes late", async () => {
    const ada = await on.member("Ada Late");
    const { id } = await on.exports.start(ada);
    await runJobs(one);
    // a process that died after the commit and before its job was done: another one starts over
    await two.features.jobs.add("export-archive", { id });
    await runJobs(two);
    expect((await one.call(ada, "GET", `/exports/${id}.zip`)).statusCode).toBe(200);
  });
});

describe("a photo in parts", () => {
  test("arrives at both servers in turn, is seen at either, and becomes one image", async () => {
    const ada = await on.member("Ada Parts");
    s3.asked = [];
    const url = await begin(ada, one);
    const step = Math.ceil(photo.length / 5);
    for (let at = 0, turn = 0; at < photo.length; at += step, turn += 1) {
      const [by, other] = turn % 2 === 0 ? [two, one] : [one, two];
      const sent = await send(ada, by, url, at, at + step);
      expect(sent.statusCode).toBe(204);
      expect(await offsetAt(ada, other, url)).toBe(Number(sent.headers["upload-offset"]));
    }
    const ends = await Promise.all([outcome(ada, url), outcome(ada, url), outcome(ada, url)]);
    expect(ends[0]).toMatchObject({ state: "ready", picture: { width: 400, height: 300 } });
    expect(new Set(ends.map(({ imageId }) => imageId)).size).toBe(1);
    expect(originalsSent()).toBe(1);
    expect((await originalOf(ends[0].imageId)).equals(photo)).toBe(true);
    // A client that asks meanwhile gets the image before the process that made it has removed the parts.
    await expect
      .poll(() => namesIn(on.files, `uploads/${ada.id}`), { timeout: 60_000 })
      .toEqual([]);
    for (const each of [one, two]) {
      const parts = async () => (await filesOf(each)).filter((path) => /upload|\.part/.test(path));
      await expect.poll(parts, { timeout: 60_000 }).toEqual([]);
    }
  });

  test("is not corrupted when both get the same part at once", async () => {
    const ada = await on.member("Ada Twice");
    const url = await begin(ada, one);
    const half = Math.floor(photo.length / 2);
    const ends = [half, half - 100, half + 100];
    const sent = await Promise.all(
      ends.map((end, index) => send(ada, index === 0 ? one : two, url, 0, end)),
    );
    for (const { statusCode } of sent) expect([204, 409]).toContain(statusCode);
    // Whichever was first: the others came too late for their place.
    const at = await offsetAt(ada, one, url);
    expect(ends).toContain(at);
    await send(ada, two, url, at, photo.length);
    const { imageId } = await outcome(ada, url);
    expect((await originalOf(imageId)).equals(photo)).toBe(true);
  });

  test("resumes where it was when the bucket comes back", async () => {
    const ada = await on.member("Ada Again");
    const url = await begin(ada, one);
    await send(ada, one, url, 0, 1000);
    s3.fails = () => "broken";
    const refused = await send(ada, two, url, 1000, 2000);
    expect([refused.statusCode, refused.json().error.code]).toEqual([503, "picture-host-away"]);
    s3.fails = () => null;
    expect(await offsetAt(ada, two, url)).toBe(1000);
    await send(ada, two, url, 1000, photo.length);
    expect(await outcome(ada, url)).toMatchObject({ state: "ready" });
  });

  test("that one server is turning into an image is left to it while it reports progress", async () => {
    const ada = await on.member("Ada Waits");
    s3.asked = [];
    const url = await begin(ada, one);
    const made = async (interval: string) =>
      query(db, "update uploads set making_until = now() + $1::interval where account_id = $2", [
        interval,
        ada.id,
      ]);
    await made("1 hour");
    await send(ada, one, url, 0, photo.length);
    expect((await two.call(ada, "GET", url)).json()).toMatchObject({ state: "preparing" });
    expect(originalsSent()).toBe(0);
    // its process died
    await made("-1 second");
    expect(await outcome(ada, url)).toMatchObject({ state: "ready" });
    expect(originalsSent()).toBe(1);
  });

  test("is one image even when a server took the other for dead", async () => {
    const ada = await on.member("Ada Slow");
    const url = await begin(ada, one);
    await send(ada, one, url, 0, photo.length - 1);
    // what both decode at the same time: each takes the other for dead
    const forgets = `create or replace function forget() returns trigger language plpgsql as
      'begin new.making_until := null; return new; end'`;
    await query(db, forgets);
    await query(
      db,
      `create trigger forget before update on uploads for each row
        when (new.making_until is not null) execute function forget()`,
    );
    await send(ada, two, url, photo.length - 1, photo.length);
    const ends = await Promise.all([outcome(ada, url), outcome(ada, url)]);
    await query(db, "drop trigger forget on uploads");
    expect(new Set(ends.map(({ imageId }) => imageId)).size).toBe(1);
    await one.features.resumableUploads.settled();
    await two.features.resumableUploads.settled();
    const rows = await query<{ key: string }>(db, "select key from images where account_id = $1", [
      ada.id,
    ]);
    const stored = await query<{ key: string }>(db, "select key from images");
    // the avatar of her own profile, and one more
    expect(rows).toHaveLength(2);
    // On a busy machine the one that came second is not done within the second that a shutdown waits.
    await until(async () => (await keysIn(on.store)).length === stored.length);
    expect(await keysIn(on.store)).toEqual(stored.map(({ key }) => key).toSorted());
  });
});

test("of a deleted account no server has a file left, and the bucket no object", async () => {
  const ada = await on.member("Ada Leaves");
  const before = await privateObjects();
  await on.photoPost(ada, "a photo");
  const url = await begin(ada, one);
  await send(ada, two, url, 0, 1000);
  await send(ada, one, url, 1000, 2000);
  const { id } = await on.exports.start(ada);
  await runJobs(two);
  const archive = await archivesOf(on).uploaded(Buffer.from("a zip, one day"));
  await on.imports.start(ada, archive);
  expect(await namesIn(on.files, `exports/${id}`)).toHaveLength(1);
  expect(await namesIn(on.files, "imports/")).toHaveLength(1);
  const { keys } = await traceOf({ db, store: on.store }, ada);
  await on.deletion.requestFor(ada.id, 0);
  await two.features.deletion.deleteDue();
  const left = await privateObjects();
  expect(left).toEqual(before);
  const trace = await traceOf({ db, store: on.store }, ada, keys);
  expect(trace.files).toEqual([]);
});

test("each server removes files that no row names, and nothing else", async () => {
  const ada = await on.member("Ada Sweeps");
  const { id } = await on.exports.start(ada);
  await runJobs(one);
  const url = await begin(ada, one);
  await send(ada, one, url, 0, 1000);
  const strays = [
    `exports/${newId()}.zip`,
    `imports/${newId()}.zip`,
    `uploads/${ada.id}.${newId()}/0000000000-0000000001`,
  ];
  for (const stray of strays) await on.files.put(stray, Buffer.from("x"));
  const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
  const { exports, imports, resumableUploads } = two.features;
  for (const { sweep } of [exports, imports, resumableUploads]) await sweep(later);
  for (const stray of strays) expect(await namesIn(on.files, stray)).toEqual([]);
  expect((await one.call(ada, "GET", `/exports/${id}.zip`)).statusCode).toBe(200);
  expect(await offsetAt(ada, two, url)).toBe(1000);
});

test("emails of all servers go to one outbox", async () => {
  for (const { features } of [one, two]) {
    const { email } = await features.signUp("Ada Written");
    await runJobs(two);
    const emails = await emailsIn(one.features.files);
    expect(emails.filter(({ to }) => to?.[0]?.address === email)).toHaveLength(1);
  }
  expect((await filesOf(two)).filter((path) => path.includes("outbox"))).toEqual([]);
});
