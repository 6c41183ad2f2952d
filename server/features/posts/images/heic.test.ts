import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHeic } from "#server/features/posts/images/heic.ts";
import { renderImage } from "#server/features/posts/images/render.ts";
import { heicOf, heicSize } from "#server/test/heic.ts";
import {
  cornerColours,
  distance,
  heicHead,
  quartersOf,
  secretInMetadata,
} from "#server/test/images.ts";
import { samplePhoto } from "#server/test/sample-photos.ts";
import { isRefusal } from "#shared/errors.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-heic-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function render(bytes: Buffer) {
  count += 1;
  const path = join(folder, String(count));
  await writeFile(path, bytes);
  let charged = 0;
  const charge = (pixels: number) => (charged += pixels);
  const image = await renderImage(path, { deadline: performance.now() + 120_000, charge }).catch(
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return { refused: error.code };
    },
  );
  return { image, charged };
}

async function rendered(bytes: Buffer) {
  const { image } = await render(bytes);
  if ("refused" in image) throw new Error(image.refused);
  return { ...image, largest: image.variants.at(-1)?.bytes ?? Buffer.alloc(0) };
}

async function refusalOf(bytes: Buffer) {
  const { image, charged } = await render(bytes);
  return { refused: "refused" in image ? image.refused : "none", charged };
}

const { topLeft, topRight, bottomLeft, bottomRight } = cornerColours;
const nclx = (primaries: number) =>
  Buffer.from([...Buffer.from("nclx"), 0, primaries, 0, 13, 0, 6, 0x80]);

async function displayP3(): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: "red" } });
  const { icc } = await sharp(await pixel.withIccProfile("p3").png().toBuffer()).metadata();
  return Buffer.concat([Buffer.from("prof"), icc ?? Buffer.alloc(0)]);
}

test("a HEIC is recognized and decoded", async () => {
  const image = await rendered(heicOf());
  expect(image).toMatchObject({ ...heicSize, mediaType: "image/heic" });
  const seen = await quartersOf(image.largest);
  expect(distance(seen.topLeft, topLeft as never)).toBeLessThan(6);
  expect(distance(seen.bottomRight, bottomRight as never)).toBeLessThan(6);
});

// anticlockwise, so the right top corner becomes the left one first
test.each([
  [1, topRight],
  [2, bottomRight],
  [3, bottomLeft],
] as const)("turned %d quarters by its container, and once only", async (turns, first) => {
  // an orientation in EXIF, which phones write as well, does not turn it a second time
  const exif = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: secretInMetadata } })
    .jpeg()
    .toBuffer();
  const { exif: block } = await sharp(exif).metadata();
  const image = await rendered(
    heicOf({ turns, exif: Buffer.concat([Buffer.alloc(4), block ?? Buffer.alloc(0)]) }),
  );
  const { width, height } = heicSize;
  const upright = turns === 2 ? [width, height] : [height, width];
  expect([image.width, image.height]).toEqual(upright);
  expect(distance((await quartersOf(image.largest)).topLeft, first as never)).toBeLessThan(6);
  expect(image.largest.includes(secretInMetadata)).toBe(false);
  expect((await sharp(image.largest).metadata()).exif).toBeUndefined();
});

test("colours of Display P3 become those of sRGB, by a profile or by a number", async () => {
  // what the same numbers mean in sRGB, by the matrices of the two colour spaces
  const meant = { topLeft: [219, 0, 27], topRight: [0, 163, 43], bottomLeft: [34, 61, 197] };
  for (const colours of [await displayP3(), nclx(12)]) {
    const seen = await quartersOf((await rendered(heicOf({ colours }))).largest);
    expect(distance(seen.topLeft, meant.topLeft as never)).toBeLessThan(8);
    expect(distance(seen.topRight, meant.topRight as never)).toBeLessThan(8);
    expect(distance(seen.bottomLeft, meant.bottomLeft as never)).toBeLessThan(8);
  }
});

test("an invalid profile changes nothing", async () => {
  const image = await rendered(heicOf({ colours: Buffer.from("prof and no profile at all") }));
  const seen = await quartersOf(image.largest);
  expect(distance(seen.topLeft, topLeft as never)).toBeLessThan(6);
});

test("transparency is kept", async () => {
  const { channels } = await sharp((await rendered(heicOf({ alpha: true }))).largest).stats();
  expect(channels).toHaveLength(4);
  expect(Math.abs((channels[3]?.mean ?? 0) - 128)).toBeLessThan(4);
});

describe("refused", () => {
  test.each([3, 60, 200, 300])(
    "a file without its last %d bytes, and it is counted",
    async (bytes) => {
      expect((await refusalOf(heicOf().subarray(0, -bytes))).refused).toBe("picture-unreadable");
    },
  );

  test("a beginning and nothing else", async () => {
    expect((await refusalOf(heicHead())).refused).toBe("picture-unreadable");
  });

  test("more than 50 megapixels by its header, before anything is decoded", async () => {
    const claims = { width: 10_000, height: 5001 };
    const tooLarge = { refused: "picture-too-large", charged: 0 };
    expect(await refusalOf(heicOf({ claims }))).toEqual(tooLarge);
    // without its pixels nobody could decode it
    const header = heicOf({ claims });
    expect(await refusalOf(header.subarray(0, header.indexOf("mdat") + 8))).toEqual(tooLarge);
  });

  test("an image of another size than its header says", async () => {
    const { refused, charged } = await refusalOf(heicOf({ claims: { width: 64, height: 48 } }));
    expect(refused).toBe("picture-unreadable");
    expect(charged).toBeGreaterThan(64 * 48);
  });
});

test("memory is bounded, which the limits of a thread do not do", async () => {
  const path = join(folder, "heavy");
  await writeFile(path, Buffer.concat([heicOf(), Buffer.alloc(24 * 1024 * 1024)]));
  for (const mostMemory of [24 * 1024 * 1024, undefined]) {
    const heic = openHeic(path, { mostMemory });
    const read = heic.readSize();
    await (mostMemory
      ? expect(read).rejects.toThrow("no memory left")
      : expect(read).resolves.toMatchObject(heicSize));
    await heic.close();
  }
});

/** Parts of its width and height, and the mean colour there as compared by eye. */
const patches = [
  [0.1, 0.06, [142, 137, 127]],
  [0.2, 0.54, [104, 53, 12]],
  [0.15, 0.86, [181, 119, 33]],
] as const;
const photo = samplePhoto("phone.heic");

test.skipIf(!photo)("a photo from a phone: upright, its colours, no metadata", async () => {
  const image = await rendered(await readFile(photo));
  expect(image).toMatchObject({ width: 3024, height: 4032, mediaType: "image/heic" });
  expect(image.variants.map(({ width }) => width)).toEqual([160, 320, 480, 640, 960, 1280, 1920]);
  for (const { bytes } of image.variants) {
    const { exif, icc, xmp } = await sharp(bytes).metadata();
    expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined]);
  }
  for (const [x, y, colour] of patches) {
    const side = 40;
    const [left, top] = [Math.round(x * 1920) - side / 2, Math.round(y * 2560) - side / 2];
    const cut = sharp(image.largest).extract({ left, top, width: side, height: side });
    const { channels } = await sharp(await cut.png().toBuffer()).stats();
    const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
    expect(distance([red, green, blue], [...colour])).toBeLessThan(8);
  }
});
