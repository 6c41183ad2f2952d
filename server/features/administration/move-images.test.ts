import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import sharp from "sharp";
import { afterAll, beforeEach, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import {
  openImageStores,
  openStores,
  type ImageStores,
} from "#server/adapters/image-store/open.ts";
import { readConfig } from "#server/config.ts";
import { checkImages, type Fault } from "#server/features/administration/check-images.ts";
import { moveImages, type Moved } from "#server/features/administration/move-images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { keysIn } from "#server/test/traces.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { Viewer } from "#shared/views.ts";
import { limits } from "#shared/limits.ts";

const { db } = await freshDatabase();
const s3 = await startS3Server();
const log = pino({ level: "silent" });
const dataDir = mkdtempSync(join(tmpdir(), "postcard-move-"));
const folder = join(dataDir, "tmp");
afterAll(async () => {
  await s3.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const disk = openStores(dataDir, { kind: "disk" }, log);
/** The installation before the move. */
const on = testFeatures(db, { stores: disk });
const [ada, bob] = (await on.members(2)) as [Viewer, Viewer];
await on.follows.follow(ada, bob.id);
await on.follows.follow(bob, ada.id);

let area = 0;
/** The operator's settings for the move, and what the servers use from then on. */
let config: ReturnType<typeof readConfig>;
let bucket: ImageStores;
let both: ImageStores;
beforeEach(() => {
  area += 1;
  s3.fails = () => null;
  s3.asked = [];
  const environment = { ...s3.environment(`move-${area}`), IMAGE_STORE_FROM: "disk" };
  config = readConfig({ ...environment, DATA_DIR: dataDir });
  bucket = openStores(dataDir, config.imageStore, log);
  both = openImageStores({ config, log });
});

type Area = "store" | "privateStore";
type Kept = { area: Area; key: string; widths: number[] };

const inArea = (area: Area, found: { key: string; widths: number[] }[]): Kept[] =>
  found.map(({ key, widths }) => ({ area, key, widths }));

/** Every image that a row names. */
async function rows(): Promise<Kept[]> {
  type Row = { key: string; widths: number[] };
  const [shown, sent] = [
    await db.query<Row>(sql`select key, widths from images`),
    await db.query<Row>(sql`select key, widths from message_pictures`),
  ];
  return [...inArea("store", shown), ...inArea("privateStore", sent)];
}

async function sendPhoto(by = on): Promise<void> {
  const sent = { body: "look", picture: await by.photo(), clientKey: null };
  await by.chat.send(ada, chatIdOf(ada, bob), sent);
}

async function faultsIn(stores: Pick<ImageStores, "store" | "privateStore">): Promise<Fault[]> {
  const faults: Fault[] = [];
  await checkImages({ db, ...stores }, { onFault: (fault) => void faults.push(fault) });
  return faults;
}

function move(to = bucket, wanted: Parameters<typeof moveImages>[2] = {}, from = disk) {
  const faults: { key: string; why: string }[] = [];
  const progress: Moved[] = [];
  const told = {
    onFault: (fault: (typeof faults)[number]) => void faults.push(fault),
    onProgress: (moved: Moved) => void progress.push({ ...moved }),
  };
  const done = moveImages({ db, from, to, folder, toDisk: to !== bucket }, told, wanted);
  return done.then((moved) => ({ ...moved, told: faults, progress }));
}

const puts = () => s3.asked.filter((said) => said.startsWith("PUT")).length;

test("all images can be read at every moment of a move, new ones stay, deleted ones go", async () => {
  for (let n = 0; n < 12; n += 1) await on.photoPost(ada, `photo ${n}`);
  await sendPhoto();
  const before = await rows();
  const [{ key: withAvif = "" } = {}] = before;
  const avif = await sharp(await buffer((await disk.store.open(withAvif, 96))!.read()))
    .avif()
    .toBuffer();
  await disk.store.add(withAvif, { width: 96, type: "avif", bytes: avif });
  const doomed = await on.photoPost(ada, "to be deleted");
  const during = testFeatures(db, { stores: both });

  const state = { over: false };
  let reads = 0;
  const unread: string[] = [];
  const readAll = async () => {
    while (!state.over) {
      for (const { area, key, widths } of before) {
        const found = await both[area].open(key, widths[0] ?? 0);
        const bytes = found && (await buffer(found.read()));
        if (bytes?.length !== found?.bytes || !bytes) unread.push(key);
        reads += 1;
      }
    }
  };
  const reading = readAll();
  const moving = move(bucket, { remove: true });
  await during.photoPost(ada, "sent meanwhile");
  await sendPhoto(during);
  await during.posts.remove(ada, ada.username, doomed.number);
  const { told, progress } = await moving;
  state.over = true;
  await reading;

  expect(told).toEqual([]);
  expect(unread).toEqual([]);
  expect(reads).toBeGreaterThan(before.length);
  expect(progress.at(-1)?.copied).toBeGreaterThanOrEqual(before.length);
  expect(await faultsIn(bucket)).toEqual([]);
  expect([await keysIn(disk.store), await keysIn(disk.privateStore)]).toEqual([[], []]);
  const moved = await bucket.store.open(withAvif, 96, "avif");
  expect(await buffer(moved!.read())).toEqual(avif);
  // What was deleted during the copy is in neither.
  const named = (await rows()).map(({ key }) => key).toSorted();
  const kept = [...(await keysIn(bucket.store)), ...(await keysIn(bucket.privateStore))];
  expect(kept.toSorted()).toEqual(named);

  // and back again, to the disk
  const back = await move(disk, { remove: true }, bucket);
  expect(back).toMatchObject({ copied: named.length, known: 0, faults: 0 });
  expect(await faultsIn(disk)).toEqual([]);
  expect([await keysIn(bucket.store), await keysIn(bucket.privateStore)]).toEqual([[], []]);
});

test("a move that was interrupted anywhere continues, and copies nothing twice that arrived whole", async () => {
  const pictures = await rows();
  const files = pictures.reduce((sum, { widths }) => sum + widths.length + 1, 0);
  let sent = 0;
  for (const most of [1, 4, 9, 17]) {
    s3.asked = [];
    // As if it was killed: from here on nothing more happens.
    s3.fails = () => (puts() > most ? { status: 400 } : null);
    await expect(move()).rejects.toMatchObject({ code: "picture-host-away" });
    sent += puts();
    s3.fails = () => null;
    expect(await faultsIn(both)).toEqual([]);
  }
  s3.fails = () => null;
  s3.asked = [];
  const { copied, known, faults } = await move();
  expect([copied + known, faults]).toEqual([pictures.length, 0]);
  expect(known).toBeGreaterThan(0);
  expect(puts()).toBeLessThan(files);
  expect(sent).toBeGreaterThan(0);
  s3.asked = [];
  expect(await move()).toMatchObject({ copied: 0, known: pictures.length, bytes: 0 });
  expect(puts()).toBe(0);
  expect([await faultsIn(bucket), await faultsIn(disk)]).toEqual([[], []]);
});

test("it continues from a position that it reported", async () => {
  const keys = (await rows()).filter(({ area }) => area === "store").map(({ key }) => key);
  const middle = keys.toSorted()[Math.floor(keys.length / 2)] ?? "";
  await move(bucket, { after: { table: "images", key: middle } });
  const moved = await keysIn(bucket.store);
  expect(moved).toEqual(keys.filter((key) => key > middle).toSorted());
});

test("what arrives changed is reported, and its original stays", async () => {
  const { key = "" } = (await rows()).find(({ area }) => area === "store") ?? {};
  const { open } = bucket.store;
  const altered: ImageStore = {
    ...bucket.store,
    open: async (of, width) => {
      const found = await open(of, width);
      if (of !== key || !found) return found;
      const bytes = await buffer(found.read());
      bytes.writeUInt8(bytes.readUInt8(20) ^ 1, 20);
      return { ...found, read: () => Readable.from([bytes]) };
    },
  };
  const kept = await keysIn(disk.store);
  const moved = await move({ ...bucket, store: altered }, { remove: true });
  expect(moved.told).toEqual([{ key, why: "its copy is not the same; it stays where it was" }]);
  expect(await keysIn(disk.store)).toEqual([key]);
  expect(kept.length).toBeGreaterThan(1);
  expect(await faultsIn(both)).toEqual([]);
  await move(disk, { remove: true }, bucket);
});

const littleRoom = async () => limits.uploads.reserve + 10_000;

test("it ends with a message before the disk is full", async () => {
  const deps = { db, from: bucket, to: disk, folder, toDisk: true };
  const told = { onFault: () => undefined };
  await expect(moveImages({ ...deps, freeBytes: littleRoom }, told)).rejects.toThrow(
    "has no room for more",
  );
});

test("a variant that is made while its image is moved stays, whenever it comes", async () => {
  const { key } = await on.photoPost(ada, "moved").then(async ({ author, number }) => {
    const post = await on.posts.get(author, author.username, number);
    return post!.pictures[0]!;
  });
  const webp = await buffer((await disk.store.open(key, 96))!.read());
  const avif = await sharp(webp).avif().toBuffer();
  const read = async (store: ImageStore) => {
    const found = await store.open(key, 96, "avif");
    return found && buffer(found.read());
  };
  // At the last moment: the move has checked for AVIF already, and removes the image next.
  const from: ImageStore = {
    ...disk.store,
    remove: async (keys) => {
      if (keys.includes(key)) await both.store.add(key, { width: 96, type: "avif", bytes: avif });
      return disk.store.remove(keys);
    },
  };
  await move(bucket, { remove: true }, { ...disk, store: from });
  expect(await read(disk.store)).toBeNull();
  expect(await read(bucket.store)).toEqual(avif);
  // And afterwards, when it is only in the other one.
  await both.store.add(key, { width: 96, type: "moving", bytes: webp });
  expect(await bucket.store.open(key, 96, "moving").then((found) => found?.bytes)).toBe(
    webp.length,
  );
  await move(disk, { remove: true }, bucket);
  expect(await read(disk.store)).toEqual(avif);
});

test("pictures of what is not for everyone are not moved to an image host", async () => {
  const to = { ...bucket };
  const move = () =>
    moveImages({ db, from: disk, to, folder, toDisk: false, toHost: true }, { onFault: () => {} });
  const made = await on.publish(ada, { caption: "for me", audience: "only-me" });
  await expect(move()).rejects.toThrow("can't move to an image host");
  expect(await keysIn(bucket.store)).toEqual([]);
  await on.posts.remove(ada, ada.username, made.number);
  await db.query(sql`update accounts set private_at = now() where id = ${bob.id}`);
  await expect(move()).rejects.toThrow("can't move to an image host");
  await db.query(sql`update accounts set private_at = null where id = ${bob.id}`);
  expect((await move()).faults).toBe(0);
});
