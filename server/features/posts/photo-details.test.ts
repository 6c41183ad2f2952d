import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import sharp from "sharp";
import { sql } from "#server/platform/db/sql.ts";
import type { NewImage } from "#server/features/posts/images/images.queries.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { plain } from "#server/test/images.ts";
import type { Viewer } from "#shared/views.ts";

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
const [ada, bob] = (await features.members(2)) as [Viewer, Viewer];

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-details-"));
  path = join(folder, "photo.jpg");
  await plain(240, 180, [90, 120, 150])
    .withExif({
      IFD0: { Make: "Leica", Model: "Leica Q3" },
      IFD2: { LensModel: "Summilux 1:1.7/28", ISOSpeedRatings: "100" },
      IFD3: {
        GPSLatitudeRef: "N",
        GPSLatitude: "43/1 28/1 2814/100",
        GPSLongitudeRef: "E",
        GPSLongitude: "11/1 53/1 645/100",
      },
    })
    .jpeg()
    .toFile(path);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const camera = { model: "Leica Q3", lens: "Summilux 1:1.7/28", iso: 100 };
const place = { latitude: 43.47, longitude: 11.89 };

async function posted(shows: { showCamera?: boolean; showPlace?: boolean }) {
  const { imageId, picture } = await features.images.upload(ada, { path });
  const words = { caption: "Here", timeZone: "UTC", clientKey: null, ...shows };
  const pictures = [{ imageId, alt: "" }];
  const { number } = await features.posts.publish(ada, { ...words, pictures });
  return { key: picture.key, number, imageId };
}

const read = async (number: number, viewer: Viewer | null = bob) =>
  features.posts.details(viewer, ada.username, number);
const row = async (id: string) => {
  const [found] = await db.query<NewImage>(sql`select * from images where id = ${id}`);
  return found!;
};
async function edit(number: number, change: object): Promise<void> {
  const post = await features.posts.get(ada, ada.username, number);
  const version = post?.version ?? 0;
  await features.posts.edit(ada, ada.username, number, { version, ...change });
}

describe("camera data of a photo", () => {
  test("is shown to nobody unless its author wants it, the author's own page included", async () => {
    const { number, imageId } = await posted({});
    const none = { showCamera: false, showPlace: false, photos: [] };
    for (const viewer of [null, bob, ada]) expect(await read(number, viewer)).toEqual(none);
    // Stored for a change of mind; the location is not.
    expect(await row(imageId)).toMatchObject({ camera, latitude: null, longitude: null });
  });

  test("is shown where its author wants it, and only on request", async () => {
    const { number, key } = await posted({ showCamera: true });
    const shown = { showCamera: true, showPlace: false, photos: [{ key, camera, place: null }] };
    expect(await read(number, null)).toEqual(shown);
    const answer = await call(null, "GET", `/api/posts/${ada.username}/${number}/details`);
    expect(answer.json()).toEqual(shown);
    await features.follows.follow(bob, ada.id);
    for (const view of [
      await features.posts.get(bob, ada.username, number),
      await features.feed.home(bob, null),
      await features.posts.photosOf(bob, ada.id, null),
    ]) {
      expect(JSON.stringify(view)).not.toMatch(/Leica|Summilux|latitude|43\.47/);
    }
  });

  test("can be shown later, and hidden again, without a mark that the post was edited", async () => {
    const { number, key } = await posted({});
    await edit(number, { showCamera: true });
    expect((await read(number))?.photos).toEqual([{ key, camera, place: null }]);
    expect((await features.posts.get(bob, ada.username, number))?.editedAt).toBeNull();
    await edit(number, { showCamera: false });
    expect((await read(number))?.photos).toEqual([]);
  });

  test("is not stored for an avatar", async () => {
    const { imageId } = await features.images.upload(ada, { path });
    expect(await row(imageId)).toMatchObject({ camera, latitude: 4347, longitude: 1189 });
    await features.images.claim(ada.id, [imageId]);
    expect(await row(imageId)).toMatchObject({ camera: null, latitude: null, longitude: null });
  });
});

describe("the location of a photo", () => {
  test("is shown to about a kilometre, where its author wants it", async () => {
    const { number, key } = await posted({ showPlace: true });
    expect((await read(number))?.photos).toEqual([{ key, camera: null, place }]);
  });

  test("is forgotten for good once its author hides it", async () => {
    const { number, imageId } = await posted({ showPlace: true });
    await edit(number, { showPlace: false });
    expect((await read(number))?.photos).toEqual([]);
    expect(await row(imageId)).toMatchObject({ latitude: null, longitude: null });
    const again = { version: 1, showPlace: true as never };
    await expect(features.posts.edit(ada, ada.username, number, again)).rejects.toMatchObject({
      code: "input-invalid",
    });
  });

  test("of a photo that is added later is stored only where the post shows it", async () => {
    for (const showPlace of [true, false]) {
      const { number, key } = await posted({ showPlace });
      const { imageId } = await features.images.upload(ada, { path });
      await edit(number, { pictures: [{ key }, { imageId, alt: "" }] });
      expect((await row(imageId)).latitude).toBe(showPlace ? 4347 : null);
    }
  });

  test("is in no file that is served, whatever its author shows", async () => {
    const { key } = await posted({ showCamera: true, showPlace: true });
    const urls = ["160", "240", "large"].map((name) => `/images/${key}/${name}.webp`);
    for (const url of urls) {
      const { statusCode, rawPayload } = await call(null, "GET", url);
      expect(statusCode).toBe(200);
      const { exif, xmp, iptc } = await sharp(rawPayload).metadata();
      expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined]);
      expect(rawPayload.includes("Leica")).toBe(false);
    }
    // The original, private, is as it was uploaded.
    const original = await features.store.openOriginal(key);
    expect((await buffer(original!.read())).includes("Leica")).toBe(true);
    for (const url of [`/originals/${key.slice(0, 2)}/${key}`, `/images/${key}/original`]) {
      expect((await call(null, "GET", url)).rawPayload.includes("Leica")).toBe(false);
    }
  });

  test("is never stored finer than a hundredth of a degree", async () => {
    const { imageId } = await posted({ showPlace: true });
    const write = (latitude: number | null) =>
      db.query(sql`update images set latitude = ${latitude} where id = ${imageId}`);
    await expect(write(9001)).rejects.toThrow("check");
    await expect(write(null)).rejects.toThrow("images_place");
  });
});

test("the composer's default for camera data is the member's own, off at first", async () => {
  expect((await features.settings.get(bob)).showCamera).toBe(false);
  await features.settings.change(bob, { showCamera: true });
  expect((await features.settings.get(bob)).showCamera).toBe(true);
  expect((await features.settings.get(ada)).showCamera).toBe(false);
});
