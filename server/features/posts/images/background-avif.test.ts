import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { createDiskStore } from "#server/adapters/image-store/disk.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { similarity } from "#server/features/posts/images/avif.ts";
import { renderAvif, renderImage } from "#server/features/posts/images/render.ts";
import { createBackgroundAvif } from "#server/features/posts/images/background-avif.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testApp } from "#server/test/app.ts";
import { plain } from "#server/test/images.ts";
import { samplePhoto } from "#server/test/sample-photos.ts";
import { imageUrl } from "#shared/image-urls.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const ada = await features.member();
const turn = { deadline: performance.now() + 600_000, charge: () => undefined };

let folder: string;
let sky: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-avif-"));
  sky = join(folder, "sky.jpg");
  await (await softSky(800, 600)).jpeg({ quality: 95 }).toFile(sky);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => db.query(sql`update images set avif_widths = '{}'`));

/** Soft colours under a soft chequer: what AVIF stores in few bytes. */
async function softSky(width: number, height: number) {
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const field = (((x >> 6) + (y >> 6)) % 2) * 30;
      data[at++] = 120 + 60 * Math.sin(x / 97) + field;
      data[at++] = 130 + 50 * Math.cos(y / 71) + field;
      data[at++] = 150 + 40 * Math.sin((x + y) / 133) + field;
    }
  }
  return sharp(data, { raw: { width, height, channels: 3 } }).blur(0.8);
}

/** A post with that photo; returns the key of the image. */
async function posted(path = sky): Promise<string> {
  const { imageId, picture } = await features.images.upload(ada, { path });
  const pictures = [{ imageId, alt: "" }];
  await features.posts.publish(ada, { caption: "", pictures, timeZone: "UTC", clientKey: null });
  return picture.key;
}

const avifWidthsOf = async (key: string) => {
  const [row] = await db.query<{ avif_widths: number[] | null }>(sql`
    select avif_widths from images where key = ${key}
  `);
  return row!.avif_widths;
};
const get = (key: string, width: number, accept?: string) =>
  call(null, "GET", imageUrl(key, width), accept ? { headers: { accept } } : {});
const browser = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8";

describe("AVIF beside WebP", () => {
  test("is made after an image came into use, and served at the same address to clients that accept it", async () => {
    const key = await posted();
    const before = await get(key, 800, browser);
    expect(before.headers).toMatchObject({ "content-type": "image/webp", vary: "Accept" });
    expect(await avifWidthsOf(key)).toBeNull();

    expect((await features.jobs.runDue()).failed).toEqual([]);
    expect(await avifWidthsOf(key)).toContain(800);
    const after = await get(key, 800, browser);
    expect(after.headers).toMatchObject({
      "content-type": "image/avif",
      "content-disposition": 'inline; filename="picture.avif"',
      vary: "Accept",
    });
    expect(after.rawPayload.length).toBeLessThan(before.rawPayload.length);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    const shown = await sharp(after.rawPayload).metadata();
    expect([shown.width, shown.height, shown.exif]).toEqual([800, 600, undefined]);
    const again = await call(null, "GET", imageUrl(key, 800), {
      headers: { accept: browser, "if-none-match": String(after.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });

  test.each([
    ["no Accept header", undefined],
    ["anything", "*/*"],
    ["any image", "image/*"],
    ["no AVIF", "image/webp,image/avif;q=0"],
  ])("requested with %s, it is the WebP", async (_what, accept) => {
    const key = await posted();
    await features.jobs.runDue();
    expect((await get(key, 800, accept)).headers["content-type"]).toBe("image/webp");
  });

  test("is left out where it would be no lighter or show less, and not tried again", async () => {
    const grainy = join(folder, "grainy.jpg");
    const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
    const create = { width: 600, height: 400, channels: 3, background: "black", noise } as const;
    await sharp({ create }).jpeg({ quality: 95 }).toFile(grainy);
    const glass = join(folder, "glass.png");
    await plain(400, 300, [200, 40, 40], 0.5).png().toFile(glass);
    for (const path of [grainy, glass]) {
      const key = await posted(path);
      expect((await features.jobs.runDue()).failed).toEqual([]);
      expect(await avifWidthsOf(key)).toEqual([]);
      expect((await get(key, 320, browser)).headers["content-type"]).toBe("image/webp");
    }
  });

  test("goes with the post", async () => {
    const key = await posted();
    await features.jobs.runDue();
    const { number } = (await features.posts.photosOf(ada, ada.id, null)).items[0]!;
    await features.posts.remove(ada, ada.username, number);
    expect((await get(key, 800, browser)).statusCode).toBe(404);
    expect(await features.store.open(key, 800, "avif")).toBeNull();
  });

  test("of an image that is deleted while it is made leaves no file", async () => {
    const key = await posted();
    await features.store.remove([key]);
    expect(await features.store.add(key, { width: 800, type: "avif", bytes: await avif() })).toBe(
      false,
    );
    expect((await features.jobs.runDue()).failed).toEqual([]);
    for await (const keys of features.store.list(new Date(Date.now() + 60_000))) {
      expect(keys).not.toContain(key);
    }
  });

  test("is made though the process died twice, and given up at the fourth attempt", async () => {
    const key = await posted();
    let handler: ((data: object, run: object) => Promise<void>) | undefined;
    const jobs = {
      ...createJobs({ db, log: { warn: () => undefined, error: () => undefined } }),
      handle: (_name: string, work: unknown) => void (handler = work as typeof handler),
      add: async () => undefined,
    };
    let asked = 0;
    const store = {
      ...features.store,
      openOriginal: async (...args: Parameters<typeof features.store.openOriginal>) => {
        asked += 1;
        return features.store.openOriginal(...args);
      },
    };
    const log = { warn: () => undefined };
    createBackgroundAvif({ db, store, jobs, dataDir: folder, log });
    const signal = new AbortController().signal;
    await handler?.({}, { signal, attempt: 4, last: false, addedAt: new Date() });
    expect([asked, await avifWidthsOf(key)]).toEqual([0, []]);
    await db.query(sql`update images set avif_widths = null where key = ${key}`);
    await handler?.({}, { signal, attempt: 3, last: false, addedAt: new Date() });
    expect([asked, await avifWidthsOf(key)]).toEqual([1, expect.arrayContaining([800])]);
  });
});

const avif = () => plain(8, 8, [1, 2, 3]).avif().toBuffer();

test("an AVIF that was cut is never served as whole", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "postcard-avif-store-"));
  try {
    const store = createDiskStore({ dataDir });
    const key = "ab".repeat(16);
    const whole = await avif();
    await store.put(key, { variants: [], original: sky });
    for (const bytes of [whole, whole.subarray(0, whole.length - 5), Buffer.alloc(whole.length)]) {
      expect(await store.add(key, { width: 8, type: "avif", bytes })).toBe(true);
      const opened = store.open(key, 8, "avif");
      if (bytes === whole) {
        expect((await opened)?.bytes).toBe(whole.length);
        await (await opened)?.close();
      } else await expect(opened).rejects.toMatchObject({ code: "picture-damaged" });
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** 64 × 64 pixels of light and dark. */
const stripes = (contrast: number) =>
  Buffer.from(
    Array.from({ length: 64 * 64 }, (_, at) => 128 + (at % 4 < 2 ? contrast : -contrast)),
  );

test("similarity is 1 for the same, and falls with what is lost", () => {
  expect(similarity(stripes(40), stripes(40), 64)).toBe(1);
  // 2ab / (a² + b²), where the means are equal
  expect(similarity(stripes(40), stripes(20), 64)).toBeCloseTo(0.8, 1);
  expect(similarity(stripes(40), stripes(0), 64)).toBeLessThan(0.1);
});

const path = samplePhoto("gain-map.jpg");

describe.skipIf(!path)("a real photograph", () => {
  test("gain-map.jpg: at most 0.45 of a JPEG, and lighter than the WebP", async () => {
    const { variants } = await renderImage(path, turn);
    const webp = new Map(variants.map(({ width, bytes }) => [width, bytes]));
    const made = await renderAvif(
      path,
      turn,
      [640, 1280].map((width) => ({ width, bytes: webp.get(width)!.length })),
    );
    expect(made.map(({ width }) => width)).toEqual([640, 1280]);
    for (const { width, bytes } of made) {
      const original = sharp(await readFile(path)).autoOrient();
      const jpeg = await original.resize({ width }).jpeg({ quality: 80 }).toBuffer();
      expect(bytes.length / jpeg.length).toBeLessThanOrEqual(0.45);
      expect(bytes.length).toBeLessThan(webp.get(width)!.length);
    }
  });
});
