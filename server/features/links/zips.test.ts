import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { beforeEach, describe, expect, test } from "vitest";
import type { OpenVariant } from "#server/adapters/image-store/image-store.ts";
import type { GuestPhoto } from "#server/features/links/guests.queries.ts";
import { createZips } from "#server/features/links/zips.ts";
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

/** A thousand photos that exist nowhere: `size` bytes each, made while they are read. */
function countedPhotos(size: number) {
  const chunk = Buffer.alloc(16_384, 7);
  const counts = { read: 0, open: 0, mostOpen: 0, asked: 0 };
  const photo = async (_id: string, key: string) => {
    counts.asked += 1;
    return { key, widths: [96] } as GuestPhoto;
  };
  function read(): Readable {
    let left = size;
    counts.open += 1;
    counts.mostOpen = Math.max(counts.mostOpen, counts.open);
    const stream = new Readable({
      read() {
        const next = chunk.subarray(0, Math.min(left, chunk.length));
        left -= next.length;
        counts.read += next.length;
        this.push(next.length > 0 ? next : null);
      },
    });
    return stream.once("close", () => (counts.open -= 1));
  }
  const store = { open: async () => ({ size, read }) as unknown as OpenVariant };
  const photos = Array.from({ length: 1000 }, (_, nth) => ({ key: String(nth), at: nth * 1000 }));
  return { counts, photo, store, photos };
}

const guestAt = (nth: number) => ({ ip: `198.51.100.${nth}`, cookieHeader: "" });

describe("a zip of a thousand photos", () => {
  const size = 100_000;
  const log = { warn: () => {} };

  test("for fifty guests at once holds a chunk of one photo for each of the few it is sent to", async () => {
    const { counts, photo, store, photos } = countedPhotos(size);
    const zips = createZips({ store, log, photo });
    const running: Readable[] = [];
    let refused = 0;
    for (let nth = 0; nth < 50; nth += 1) {
      try {
        running.push(zips.begin({ id: "link", guest: guestAt(nth), photos }));
      } catch (error) {
        expect(error).toMatchObject({ code: "zips-running" });
        refused += 1;
      }
    }
    const { ofAll } = limits.sharedLinks.zips;
    expect([running.length, refused]).toEqual([ofAll, 50 - ofAll]);
    let [sent, mostAhead] = [0, 0];
    for await (const chunks of inTurns(running)) {
      sent += chunks;
      mostAhead = Math.max(mostAhead, counts.read - sent);
    }
    expect(counts.read).toBe(ofAll * 1000 * size);
    expect(sent).toBeGreaterThan(counts.read);
    expect(mostAhead).toBeLessThan(ofAll * 256 * 1024);
    expect(counts.mostOpen).toBeLessThanOrEqual(ofAll);
  });

  test("asks for each photo at its turn, and breaks off at the first that is shown no more", async () => {
    const { counts, photo, store, photos } = countedPhotos(size);
    const ends = async (id: string, key: string) => (key === "600" ? null : photo(id, key));
    const zips = createZips({ store, log, photo: ends });
    const zip = zips.begin({ id: "link", guest: guestAt(1), photos });
    await expect(buffer(zip)).rejects.toMatchObject({ code: "ERR_STREAM_PREMATURE_CLOSE" });
    expect([counts.asked, counts.read]).toEqual([600, 600 * size]);
    zips.begin({ id: "link", guest: guestAt(1), photos }).destroy();
  });
});

/** The bytes of each chunk of some streams, one of each in turn: slow readers. */
async function* inTurns(streams: readonly Readable[]): AsyncGenerator<number> {
  let reading = streams.map((stream) => stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>);
  while (reading.length > 0) {
    const ended = new Set<AsyncIterator<Buffer>>();
    for (const one of reading) {
      const { value, done } = await one.next();
      if (done) ended.add(one);
      else yield value.length;
    }
    reading = reading.filter((one) => !ended.has(one));
  }
}
