import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "#server/platform/db/sql.ts";
import { checkImages } from "#server/features/administration/check-images.ts";
import {
  delaysOf,
  animationWidth,
  renderAnimation,
} from "#server/features/posts/images/animation.ts";
import { renderImage } from "#server/features/posts/images/render.ts";
import { testApp } from "#server/test/app.ts";
import { gifOf } from "#server/test/bombs.ts";
import { freshDatabase } from "#server/test/database.ts";
import { limits } from "#shared/limits.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const { store } = features;
const ada = await features.member();

let folder: string;
let gif: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-moving-"));
  gif = await animated("dance.gif", { width: 200, height: 100, frames: 5 });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Drawn = { width: number; height: number; frames: number; delay?: number };

/** An animation in which each frame has another grey. */
async function animated(name: string, { width, height, frames, delay = 40 }: Drawn) {
  const path = join(folder, name);
  const size = width * height * 3;
  const data = Buffer.alloc(size * frames);
  for (let frame = 0; frame < frames; frame += 1) {
    data.fill((frame * 50) % 256, frame * size, (frame + 1) * size);
  }
  const raw = { width, height: height * frames, channels: 3, pageHeight: height } as const;
  const strip = sharp(data, { raw, limitInputPixels: false });
  const delays = Array<number>(frames).fill(delay);
  const file = name.endsWith(".gif")
    ? strip.gif({ delay: delays, effort: 1, keepDuplicateFrames: true })
    : strip.webp({ delay: delays, lossless: true, effort: 0 });
  await file.toFile(path);
  return path;
}

const turn = { deadline: performance.now() + 600_000, charge: () => undefined };

async function posted(path: string) {
  const { imageId, picture, still } = await features.images.upload(ada, { path });
  const pictures = [{ imageId, alt: "" }];
  await features.posts.publish(ada, { caption: "", pictures, timeZone: "UTC", clientKey: null });
  return { key: picture.key, picture, still };
}

const row = async (key: string) => {
  const [found] = await db.query(sql`select * from images where key = ${key}`);
  return found;
};

describe("an animated image", () => {
  test.each(["dance.gif", "dance.webp"])(
    "sent as %s keeps moving, beside a still",
    async (name) => {
      const path = await animated(name, { width: 200, height: 100, frames: 5 });
      const { key, picture, still } = await posted(path);
      expect([picture.moving, still]).toEqual([true, false]);
      const moving = await call(null, "GET", `/images/${key}/moving.webp`);
      expect(moving.statusCode).toBe(200);
      expect(moving.headers["content-type"]).toBe("image/webp");
      const shown = await sharp(moving.rawPayload, { animated: true }).metadata();
      expect([shown.pages, shown.width, shown.pageHeight]).toEqual([5, 200, 100]);
      expect(shown.delay).toEqual([40, 40, 40, 40, 40]);
      const calm = await call(null, "GET", `/images/${key}/200.webp`);
      expect((await sharp(calm.rawPayload).metadata()).pages ?? 1).toBe(1);
      // Another address, another copy: a browser's cached copy of one is not shown for the other.
      expect(moving.headers.etag).not.toBe(calm.headers.etag);
    },
  );

  test("is one more file, which is checked, skipped by AVIF, and deleted with the image", async () => {
    const { key } = await posted(gif);
    expect(await row(key)).toMatchObject({ frames: 5, moving_width: 200, avif_widths: [] });
    const faults = async () => {
      const found: (string | null)[] = [];
      const onFault = (fault: { key: string; file: string | null }) =>
        void (fault.key === key && found.push(fault.file));
      await checkImages({ db, store, privateStore: store }, { onFault });
      return found;
    };
    expect(await faults()).toEqual([]);
    const kept = await store.open(key, 200, "moving");
    await writeFile(join(folder, "kept"), await buffer(kept!.read()));
    await features.images.removeFiles([key]);
    expect(await faults()).toContain("200.moving.webp");
    expect(await store.open(key, 200, "moving")).toBeNull();
    expect((await call(null, "GET", `/images/${key}/moving.webp`)).statusCode).toBe(404);
  });

  test("of one frame is a still, without an address for a moving version", async () => {
    const path = join(folder, "still.gif");
    await sharp({ create: { width: 90, height: 90, channels: 3, background: "red" } })
      .gif()
      .toFile(path);
    const { key, picture, still } = await posted(path);
    expect([picture.moving, still]).toEqual([false, false]);
    expect(await row(key)).toMatchObject({ frames: null, moving_width: null, avif_widths: null });
    expect((await call(null, "GET", `/images/${key}/moving.webp`)).statusCode).toBe(404);
  });
});

describe("animations that exceed the limits are shown still", () => {
  test("10,000 frames: the author sees that they stand still, and the work is that of one frame", async () => {
    const path = await animated("endless.gif", { width: 4, height: 4, frames: 10_000 });
    const charged: number[] = [];
    const counted = { deadline: turn.deadline, charge: (pixels: number) => charged.push(pixels) };
    const { moving } = await renderImage(path, counted, { moving: true });
    expect(moving).toEqual({ frames: 10_000, file: null });
    expect(Math.max(...charged)).toBeLessThan(1000);
    const { key, picture, still } = await posted(path);
    expect([picture.moving, still]).toEqual([false, true]);
    expect(await row(key)).toMatchObject({ frames: 10_000, moving_width: null });
  });

  test("frames larger than the header says count as they are decoded", async () => {
    const { frames, sourcePixels, width } = limits.moving;
    expect(animationWidth({ width: 100, height: 100, pages: frames })).toBe(100);
    expect(animationWidth({ width: 100, height: 100, pages: frames + 1 })).toBeNull();
    expect(animationWidth({ width: 4000, height: sourcePixels / 4000 / 2, pages: 2 })).toBe(width);
    expect(animationWidth({ width: 4000, height: sourcePixels / 4000, pages: 2 })).toBeNull();

    // One pixel large by its header, with 900 frames of 5000 × 5000: each counts whole.
    const path = join(folder, "bomb.gif");
    await writeFile(path, gifOf({ screen: 1, frame: 5000, frames: 900 }));
    const charged: number[] = [];
    const counted = { deadline: turn.deadline, charge: (pixels: number) => charged.push(pixels) };
    const made = await renderAnimation(path, "gif", counted);
    expect(made).toEqual({ frames: 900, file: null });
    expect(charged).toEqual([]);
  });

  test("more frames than a decoder can hold are refused before it sees them", async () => {
    const { mostFrames } = limits.moving;
    const path = join(folder, "million.gif");
    await writeFile(path, gifOf({ screen: 1, frame: 1, frames: mostFrames + 1 }));
    await expect(renderImage(path, turn)).rejects.toMatchObject({ code: "picture-too-large" });
    await writeFile(path, gifOf({ screen: 1, frame: 1, frames: mostFrames }));
    expect((await renderImage(path, turn)).width).toBe(1);
    const webp = await sharp(gif, { animated: true }).webp().toBuffer();
    const frame = webp.subarray(webp.indexOf("ANMF"));
    const webpPath = join(folder, "million.webp");
    const endless = Array<Buffer>(mostFrames).fill(frame.subarray(0, 8 + frame.readUInt32LE(4)));
    await writeFile(webpPath, Buffer.concat([webp, ...endless]));
    await expect(renderImage(webpPath, turn)).rejects.toMatchObject({
      code: "picture-too-large",
    });
  });

  test("running out of time is not a refusal", async () => {
    const late = { deadline: performance.now() + 500, charge: () => undefined };
    expect(await renderAnimation(gif, "gif", late)).toEqual({ frames: 5, file: null });
  });
});

test("frames without a duration are shown as long as browsers show them, and none for hours", () => {
  expect(delaysOf({ pages: 4, delays: [0, 10, 20] })).toEqual([100, 100, 20, 100]);
  expect(delaysOf({ pages: 1, delays: [65_535] })).toEqual([60_000]);
});

test("avatars and images in messages stand still: no moving version is made of them", async () => {
  const received = await features.images.receive({ path: gif }, ada.id);
  expect([received.frames, received.movingWidth]).toEqual([null, null]);
  expect(await store.open(received.key, 200, "moving")).toBeNull();
  await features.images.discard(received);
});
