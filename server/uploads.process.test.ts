import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { scene } from "#server/test/images.ts";
import { temporaryFolder, type Running } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";
import { filesBelow, keysIn, namesIn, sha256 } from "#server/test/traces.ts";

/** A hundred kills take some minutes: POSTCARD_KILLS=100 npm test -- server uploads.process */
const killCount = Number(process.env["POSTCARD_KILLS"] ?? 3);
const writerCount = 2;
const partCount = 5;

/** The server as clients see it: it stops and comes back at another address. */
type Scene = {
  dataDir: string;
  server: Running;
  address: string;
  cookie: string;
  photo: Buffer;
  over: boolean;
  acknowledged: { caption: string; imageId: string }[];
  /** how many requests failed while the server was away */
  missed: number;
  /** bytes of all uploads, and those that the server received for them */
  bytes: number;
  received: number;
};

test(
  "killed repeatedly during uploads, no post is without its photo and no file without its row",
  { timeout: 120_000 + killCount * 20_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir);
    const address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    // large and without grain, so that AVIF variants are made in the background
    const clean = await (await scene(1400, 1050)).png({ compressionLevel: 0 }).toBuffer();
    const photo = await sharp(clean).blur(2).jpeg({ quality: 90 }).toBuffer();
    const counts = { missed: 0, bytes: 0, received: 0 };
    const scenery: Scene = {
      dataDir,
      server,
      address,
      cookie,
      photo,
      over: false,
      acknowledged: [],
      ...counts,
    };
    const writers = Array.from({ length: writerCount }, (_, writer) => write(scenery, writer));
    for (let kill = 0; kill < killCount; kill += 1) {
      await sleep(Math.random() * 1500);
      await killServer(scenery);
    }
    scenery.over = true;
    await Promise.all(writers);
    // The server is suspended, so that it makes no AVIF meanwhile.
    scenery.server.child.kill("SIGSTOP");
    const { avif } = await withDatabase(scenery, (db) => expectWhole(scenery, db));
    scenery.server.child.kill("SIGCONT");
    const { acknowledged, missed, bytes, received } = scenery;
    expect(missed).toBeGreaterThan(0);
    if (process.env["POSTCARD_KILLS"]) {
      const said = { kills: killCount, posts: acknowledged.length, missed, bytes, received, avif };
      process.stdout.write(`${JSON.stringify(said)}\n`);
    }
    scenery.server.child.kill("SIGTERM");
    expect(await scenery.server.ended).toBe(0);
  },
);

async function withDatabase<T>({ dataDir }: Scene, work: (db: Database) => Promise<T>): Promise<T> {
  const host = join(dataDir, "postgres", "socket");
  const db = createDatabase({
    connection: { host, user: "postcard", database: "postcard" },
    log: { warn: () => {}, error: console.error },
  });
  return work(db).finally(() => db.close());
}

const later = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);

/** After the sweeps, posts, images and files match each other exactly. */
async function expectWhole({ dataDir, acknowledged, photo }: Scene, db: Database) {
  const posts = await query<{ caption: string; imageId: string; key: string; widths: number[] }>(
    db,
    `select p.caption, i.id as "imageId", i.key, i.widths
       from posts p
       left join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
       left join images i on i.account_id = pp.author_id and i.id = pp.image_id`,
  );
  const told = posts.map(({ caption, imageId }) => ({ caption, imageId }));
  expect(told).toHaveLength(acknowledged.length);
  expect(told).toEqual(expect.arrayContaining(acknowledged));
  expect(new Set(told.map(({ imageId }) => imageId)).size).toBe(told.length);

  const on = testFeatures(db, { folder: dataDir });
  for (const { key, widths } of posts) {
    for (const width of widths) await (await on.store.open(key, width))?.close();
    const original = await on.store.openOriginal(key);
    const whole = Buffer.concat((await original?.read().toArray()) ?? []);
    expect(sha256(whole)).toBe(sha256(photo));
  }

  // everything is old enough at these times
  await on.resumableUploads.sweep(later(25));
  await on.images.sweep(later(24 * 8));
  const rows = await query<ImageRow>(db, "select key, widths, avif_widths as avif from images");
  // the images of the posts, and the avatar
  expect(rows).toHaveLength(posts.length + 1);
  expect(await keysIn(on.store)).toEqual(rows.map(({ key }) => key).toSorted());
  expect(await namesIn(on.files, "uploads/")).toEqual([]);
  expect(await filesBelow(join(dataDir, "tmp"))).toEqual([]);
  if (imagesOnDisk()) await expectFilesOf(rows, dataDir);
  return { avif: rows.filter(({ avif }) => avif && avif.length > 0).length };
}

type ImageRow = { key: string; widths: number[]; avif: number[] | null };

/** Below the folders of images there is what these rows name, and nothing else. */
async function expectFilesOf(rows: ImageRow[], dataDir: string): Promise<void> {
  const folderOf = (key: string) => join(dataDir, "images", key.slice(0, 2), key);
  const variants = rows.flatMap(({ key, widths, avif }) => [
    ...widths.map((width) => join(folderOf(key), `${width}.webp`)),
    ...(avif ?? []).map((width) => join(folderOf(key), `${width}.avif`)),
  ]);
  const originals = rows.map(({ key }) => join(dataDir, "originals", key.slice(0, 2), key));
  expect(await filesBelow(join(dataDir, "images"))).toEqual(expect.arrayContaining(variants));
  // An AVIF that was being made belongs to a row without one: the job will make it again.
  const kept = new Set(rows.filter(({ avif }) => avif === null).map(({ key }) => folderOf(key)));
  const strangers = (await filesBelow(join(dataDir, "images"))).filter(
    (path) => !variants.includes(path) && !kept.has(dirname(path)) && !path.endsWith(".draft"),
  );
  expect(strangers).toEqual([]);
  expect((await filesBelow(join(dataDir, "originals"))).toSorted()).toEqual(originals.toSorted());
}

/** Uploads photos and posts them, one after the other; finishes the last one. */
async function write(scenery: Scene, writer: number): Promise<void> {
  for (let number = 1; !scenery.over; number += 1) {
    const caption = `photo ${number} of writer ${writer}`;
    const url = await insist(scenery, () => begin(scenery));
    const seen = await insist(scenery, () => sendAll(scenery, url));
    scenery.bytes += scenery.photo.length;
    scenery.received += seen.received;
    await insist(scenery, () => publish(scenery, caption, seen.imageId));
    scenery.acknowledged.push({ caption, imageId: seen.imageId });
  }
}

/** Repeats what was not acknowledged, as the screens do. */
async function insist<T>(scenery: Scene, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      scenery.missed += 1;
      await sleep(30);
    }
  }
}

async function ask({ address, cookie }: Scene, url: string, init: RequestInit = {}) {
  const headers = { cookie, "Tus-Resumable": "1.0.0", ...(init.headers as object) };
  const answer = await fetch(address + url, { ...init, headers });
  if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${url} answered ${answer.status}`);
  return answer;
}

async function begin(scenery: Scene): Promise<string> {
  const headers = { "Upload-Length": String(scenery.photo.length) };
  const answer = await ask(scenery, "/api/uploads", { method: "POST", headers });
  return answer.headers.get("Location") ?? "";
}

/** Continues at the server's offset, until there is an image. */
async function sendAll(scenery: Scene, url: string) {
  const { photo } = scenery;
  const asked = await ask(scenery, url, { method: "HEAD" });
  let offset = Number(asked.headers.get("Upload-Offset"));
  while (offset < photo.length) {
    const part = photo.subarray(offset, offset + Math.ceil(photo.length / partCount));
    const answer = await ask(scenery, url, {
      method: "PATCH",
      headers: {
        "Upload-Offset": String(offset),
        "Content-Type": "application/offset+octet-stream",
      },
      body: new Uint8Array(part),
    });
    offset = Number(answer.headers.get("Upload-Offset"));
  }
  for (;;) {
    const answer = await ask(scenery, url);
    const seen = (await answer.json()) as { state: string; imageId: string; received: number };
    if (seen.state === "ready") return seen;
    if (seen.state !== "preparing") throw new Error(`the upload is ${seen.state}`);
  }
}

async function publish(scenery: Scene, caption: string, imageId: string): Promise<void> {
  const answer = await ask(scenery, "/api/posts", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Idempotency-Key": caption },
    body: JSON.stringify({ caption, pictures: [{ imageId, alt: "" }] }),
  });
  await answer.arrayBuffer();
}

async function killServer(scenery: Scene): Promise<void> {
  expect(scenery.server.child.exitCode, "the server lives until it is killed").toBeNull();
  scenery.server.child.kill("SIGKILL");
  await scenery.server.ended;
  // Jobs of a process that died are due again after half a minute: here at once.
  await withDatabase(scenery, (db) =>
    query(db, "update pgboss.job set state = 'retry', start_after = now() where state = 'active'"),
  );
  scenery.server = startServer(scenery.dataDir);
  scenery.address = await addressOf(scenery.server);
}
