import { mkdtemp, rm, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { renewImages } from "#server/features/posts/images/renew-images.ts";
import { sql } from "#server/platform/db/sql.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures } from "#server/test/factories.ts";
import { plain, scene } from "#server/test/images.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const dataDir = await mkdtemp(join(tmpdir(), "postcard-renew-"));
const store = createDiskStore({ dataDir });
const on = testFeatures(db, { stores: { store, privateStore: store } });
afterAll(() => rm(dataDir, { recursive: true, force: true }));

let ada: Viewer;
let photo: Buffer;
let key: string;
beforeAll(async () => {
  ada = await on.member("Ada");
  photo = await (await scene(900, 600)).jpeg({ quality: 90 }).toBuffer();
});
beforeEach(async () => {
  await db.query(sql`update images set claimed_at = null`);
  key = await posted(photo);
});

async function posted(file: Buffer): Promise<string> {
  const path = join(dataDir, "sent");
  await writeFile(path, file);
  const { imageId, picture } = await on.images.upload(ada, { path });
  const pictures = [{ imageId, alt: "" }];
  await on.posts.publish(ada, { caption: "", pictures, timeZone: "UTC", clientKey: null });
  return picture.key;
}

const fileOf = (width: number) => join(dataDir, "images", key.slice(0, 2), key, `${width}.webp`);

/** As a version of before stored it: without this width. */
async function forget(width: number): Promise<void> {
  await unlink(fileOf(width));
  await db.query(sql`update images set widths = array_remove(widths, ${width}) where key = ${key}`);
}

async function widths(): Promise<number[]> {
  const [row] = await db.query<{ widths: number[] }>(sql`
    select widths from images where key = ${key}
  `);
  return row?.widths ?? [];
}

async function renew(through = store, after = "") {
  const faults: { key: string; why: string }[] = [];
  const onFault = (fault: (typeof faults)[number]) => void faults.push(fault);
  const result = await renewImages({ db, store: through, dataDir }, { onFault }, after);
  return { result, faults };
}

test("an image of before gets the width that it lacks, as a new one has it, once", async () => {
  const before = await buffer((await store.open(key, 480))!.read());
  await forget(480);
  expect(await renew()).toEqual({ result: { looked: 1, renewed: 1, faults: 0 }, faults: [] });
  expect(await widths()).toEqual([160, 320, 480, 640, 900]);
  const made = await buffer((await store.open(key, 480))!.read());
  expect(await sharp(made).metadata()).toMatchObject({ format: "webp", width: 480, height: 320 });
  expect(made.length / before.length).toBeCloseTo(1, 0);
  expect(await renew()).toEqual({ result: { looked: 1, renewed: 0, faults: 0 }, faults: [] });
  expect((await renew(store, key)).result.looked, "what is after it").toBe(0);
});

test("one whose original is missing stays as it is, and is named; the others are renewed", async () => {
  await forget(480);
  const lost = { ...store, openOriginal: async () => null };
  expect(await renew(lost)).toEqual({
    result: { looked: 1, renewed: 0, faults: 1 },
    faults: [{ key, why: "its original is missing: see check-pictures" }],
  });
  expect(await widths()).toEqual([160, 320, 640, 900]);
});

test("the file is there before the row names it, and none is left of what was deleted meanwhile", async () => {
  await forget(480);
  const cut: typeof store = {
    ...store,
    add: async () => {
      throw new Error("the disk is away");
    },
  };
  await expect(renew(cut)).rejects.toThrow("the disk is away");
  expect(await widths()).toEqual([160, 320, 640, 900]);

  const deleting: typeof store = {
    ...store,
    add: async (...added) => {
      const isAdded = await store.add(...added);
      await db.query(sql`delete from post_pictures`);
      await db.query(sql`delete from images where key = ${key}`);
      return isAdded;
    },
  };
  await renew(deleting);
  expect(await store.open(key, 480)).toBeNull();
  expect(await store.openOriginal(key)).toBeNull();
});

test("a small image lacks nothing", async () => {
  await db.query(sql`update images set claimed_at = null`);
  key = await posted(await plain(400, 300, [90, 120, 60]).png().toBuffer());
  expect(await widths()).toEqual([160, 320, 400]);
  expect((await renew()).result).toEqual({ looked: 1, renewed: 0, faults: 0 });
});
