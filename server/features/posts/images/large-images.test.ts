import { randomUUIDv7 } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createImages } from "#server/features/posts/images/images.ts";
import { createLargeImages } from "#server/features/posts/images/large-images.ts";
import { freshDatabase } from "#server/test/database.ts";
import { withOrientation, scene } from "#server/test/images.ts";
import { refuse } from "#shared/errors.ts";
import { largeSize } from "#shared/large-images.ts";

const { db } = await freshDatabase();
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

let dataDir: string;
let store: ReturnType<typeof createDiskStore>;
let images: ReturnType<typeof createImages>;
let ana: string;
let key: string;
const added: number[] = [];
const counted: string[] = [];

/** Rows 2400 × 1600, as stored by a phone that lay on its side. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "postcard-large-"));
  store = createDiskStore({ dataDir });
  images = createImages({ db, store, log });
  ana = randomUUIDv7();
  const account = { id: ana, username: "ana", email: "a@x.org", email_as_typed: "a@x.org" };
  await db.query(sql`insert into accounts ${sql.row(account)}`);
  const upright = await (await scene(2400, 1600)).png().toBuffer();
  key = await uploaded(await (await withOrientation(upright, 6)).jpeg().toBuffer());
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(async () => {
  added.length = 0;
  counted.length = 0;
  await rm(join(dataDir, "images", key.slice(0, 2), key, "2400.webp"), { force: true });
});

async function uploaded(file: Buffer): Promise<string> {
  const path = join(dataDir, "photo");
  await writeFile(path, file);
  const received = await images.receive({ path }, ana);
  await images.record(ana, received);
  return received.key;
}

function largeImages(
  add: typeof store.add = async (of, variant) => {
    added.push(variant.width);
    return store.add(of, variant);
  },
) {
  return createLargeImages({
    db,
    store: { ...store, add },
    log,
    dataDir,
    count: async (sender) => {
      counted.push(sender);
      return { refund: async () => undefined };
    },
  });
}

const asAna = async () => ana;
const bytesOf = async (found: Awaited<ReturnType<ReturnType<typeof largeImages>["open"]>>) =>
  buffer(found!.read());

describe("a large image", () => {
  test("has the original's pixels, upright and without metadata, and is stored", async () => {
    const large = largeImages();
    const bytes = await bytesOf(await large.open(key, 2400, asAna));
    const { width, height, format, exif, icc } = await sharp(bytes).metadata();
    expect({ width, height, format }).toEqual({ width: 2400, height: 1600, format: "webp" });
    expect([exif, icc]).toEqual([undefined, undefined]);
    expect(await bytesOf(await store.open(key, 2400))).toEqual(bytes);
    expect(await bytesOf(await large.open(key, 2400, asAna))).toEqual(bytes);
    expect([added, counted]).toEqual([[2400], [ana]]);
    expect(await readdir(join(dataDir, "tmp"))).toEqual([]);
  });

  test("is rendered once for all who ask at the same time", async () => {
    const large = largeImages();
    const found = await Promise.all([1, 2, 3, 4].map(() => large.open(key, 2400, asAna)));
    const all = await Promise.all(found.map(bytesOf));
    expect(all.every((one) => one.equals(all[0]!))).toBe(true);
    expect(added).toEqual([2400]);
  });

  test("is shown from memory where the disk is full", async () => {
    const full = largeImages(async () => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    });
    const found = await full.open(key, 2400, asAna);
    const bytes = await bytesOf(found);
    expect((await sharp(bytes).metadata()).width).toBe(2400);
    const part = await buffer(found!.read({ start: 4, end: 9 }));
    expect(part).toEqual(bytes.subarray(4, 10));
    expect(await store.open(key, 2400)).toBeNull();
  });

  test("is refused to clients that asked for too many, and nothing is decoded for them", async () => {
    const large = createLargeImages({
      db,
      store: { ...store, openOriginal: () => Promise.reject(new Error("read all the same")) },
      log,
      dataDir,
      count: () => Promise.reject(refuse("too-many-attempts", { retryAfter: 60 })),
    });
    await expect(large.open(key, 2400, asAna)).rejects.toMatchObject({ code: "too-many-attempts" });
  });

  test("of a photo that is deleted while it is rendered is neither stored nor shown", async () => {
    const gone = await uploaded(await (await scene(2400, 1600)).jpeg().toBuffer());
    const large = createLargeImages({
      db,
      store: {
        ...store,
        openOriginal: async (of) => {
          const original = await store.openOriginal(of);
          await db.query(sql`delete from images where key = ${of}`);
          return original;
        },
      },
      log,
      dataDir,
      count: async () => ({ refund: async () => undefined }),
    });
    expect(await large.open(gone, 2400, asAna)).toBeNull();
    expect(await store.open(gone, 2400)).toBeNull();
    await store.remove([gone]);
  });

  test("is deleted with its photo", async () => {
    const other = await uploaded(await (await scene(2400, 1600)).jpeg().toBuffer());
    await largeImages().open(other, 2400, asAna);
    await images.removeFiles([other]);
    expect(await store.open(other, 2400)).toBeNull();
  });
});

describe("the image that zooming in shows", () => {
  const widths = [160, 320, 480, 640, 960, 1280, 1920];

  test("is all of the original up to 17 megapixels, and none enlarged", () => {
    expect(largeSize({ width: 4000, height: 3000, widths })).toEqual({ width: 4000, height: 3000 });
    const most = largeSize({ width: 8000, height: 6000, widths })!;
    expect(most.width * most.height).toBeLessThanOrEqual(4096 * 4096);
    expect(most.width / most.height).toBeCloseTo(4 / 3, 2);
    expect(largeSize({ width: 1000, height: 700, widths: [160, 320, 640, 1000] })).toBeNull();
    expect(largeSize({ width: 2000, height: 1500, widths })).toBeNull();
  });

  test("is the largest variant where that has all the pixels", async () => {
    const small = await uploaded(await (await scene(300, 200)).jpeg().toBuffer());
    expect(await images.find(small, "large")).toEqual({
      width: 300,
      withdrawn: false,
      gated: false,
      avif: false,
    });
    expect(await images.find(key, "large")).toEqual({
      width: 2400,
      withdrawn: false,
      gated: false,
      avif: false,
    });
    expect(await images.find(key, 2400)).toBeNull();
  });
});
