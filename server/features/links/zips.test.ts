import { join } from "node:path";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import { entriesOf, guestTest, photosIn } from "#server/test/guests.ts";
import { limits } from "#shared/limits.ts";

const { app, on, call, here, begin, ask, open, openedLink } = await guestTest();

beforeEach(begin);

describe("a zip", () => {
  test("holds the photos of the page and nothing of where they were taken", async () => {
    const path = join(on.folder, "on-the-pier.jpg");
    const gps = { GPSLatitudeRef: "N", GPSLatitude: "53/1 32/1 0/1" };
    const drawn = sharp({ create: { width: 900, height: 600, channels: 3, background: "teal" } });
    await drawn.withExif({ IFD3: gps }).jpeg().toFile(path);
    expect((await sharp(path).metadata()).exif).toBeDefined();
    const pictures = [];
    for (let i = 0; i < 3; i += 1) {
      const { imageId } = await on.images.upload(here.maker, { path });
      pictures.push({ imageId, alt: "" });
    }
    const { number } = await on.publish(here.maker, { pictures, showPlace: true });
    const payload = { kind: "post", number, downloads: true };
    const made = (await call(here.maker, "POST", "/api/links", { payload })).json<{
      address: string;
    }>();
    const { at, cookie } = await open(new URL(made.address).pathname);
    const page = await ask(at, { cookie });
    const zip = await ask(`${at}/photos.zip`, { cookie });
    expect(zip.headers["content-type"]).toBe("application/zip");
    const entries = await entriesOf(zip.rawPayload);
    expect(entries.size).toBe(3);
    const saved = [];
    for (const key of photosIn(page.body, at)) {
      saved.push((await ask(`${at}/save/${key}`, { cookie })).rawPayload);
    }
    expect([...entries.values()]).toEqual(saved);
    for (const bytes of saved) {
      const { exif, xmp, iptc } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc }).toEqual({ exif: undefined, xmp: undefined, iptc: undefined });
    }
  });

  test("for fifty guests at once: a few are served, the others are asked to wait, pages go on", async () => {
    const { at, cookie } = await openedLink({ photos: 10 });
    const before = process.memoryUsage().rss;
    const guests = Array.from({ length: 50 }, (_, guest) =>
      app.inject({
        url: `${at}/photos.zip`,
        headers: { cookie },
        remoteAddress: `198.51.100.${guest + 1}`,
      }),
    );
    const page = await ask(at, { cookie });
    expect(page.statusCode).toBe(200);
    const answers = await Promise.all(guests);
    const served = answers.filter(({ statusCode }) => statusCode === 200);
    const waiting = answers.filter(({ statusCode }) => statusCode === 503);
    expect(served.length + waiting.length).toBe(50);
    expect(served.length).toBeGreaterThan(0);
    expect(waiting.length).toBeGreaterThan(0);
    for (const { headers } of waiting) expect(headers["retry-after"]).toBe("60");
    for (const { rawPayload } of served) expect((await entriesOf(rawPayload)).size).toBe(10);
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 * 1024);
    // every place was given back
    for (let time = 0; time <= limits.sharedLinks.zips.ofAll; time += 1) {
      expect((await ask(`${at}/photos.zip`, { cookie })).statusCode).toBe(200);
    }
  });
});
