import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import exifr from "exifr";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHeic } from "#server/features/posts/images/heic.ts";
import { renderImage, type RenderedImage } from "#server/features/posts/images/render.ts";
import { variantSizes } from "#server/features/posts/images/variants.ts";
import { encodeWebp } from "#server/features/posts/images/webp.ts";
import { fromPixels } from "#server/features/posts/images/quality-search.ts";
import { colourDifference, fromDisplayP3 } from "#server/test/colour-difference.ts";
import { everything } from "#server/test/everything.ts";
import { samplePhoto } from "#server/test/sample-photos.ts";
import {
  bombPng,
  cornerColours,
  corners,
  distance,
  withOrientation,
  phonePhoto,
  plain,
  quartersOf,
  scene,
  secretInMetadata,
  twoFrames,
} from "#server/test/images.ts";
import { isRefusal } from "#shared/errors.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-render-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function render(bytes: Buffer, name = "image", seconds = 60): Promise<RenderedImage> {
  count += 1;
  const path = join(folder, `${count}-${name}`);
  await writeFile(path, bytes);
  return renderImage(path, {
    deadline: performance.now() + seconds * 1000,
    charge: () => undefined,
  });
}

async function refusalOf(bytes: Buffer, name?: string, seconds?: number): Promise<string> {
  try {
    await render(bytes, name, seconds);
    return "none";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.code;
  }
}

const largest = (image: RenderedImage) => image.variants.at(-1)?.bytes ?? Buffer.alloc(0);
const widthsOf = (image: RenderedImage) => image.variants.map(({ width }) => width);

/** The chunks of a WebP file, metadata included. */
function chunksOf(webp: Buffer): string[] {
  const chunks: string[] = [];
  for (let at = 12; at + 8 <= webp.length;) {
    chunks.push(webp.toString("latin1", at, at + 4));
    const length = webp.readUInt32LE(at + 4);
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function expectNothingButPixels(image: RenderedImage): void {
  for (const { bytes } of image.variants) {
    const metadata = chunksOf(bytes).filter((chunk) => !/^(VP8 |VP8L|VP8X|ALPH)$/.test(chunk));
    expect(metadata).toEqual([]);
    // Long enough that the pixels of a photo do not hold them by chance, as they do "XMP" in one run of some dozens.
    for (const trace of ["Exif\0", "http://ns.", "adobe", secretInMetadata]) {
      expect(bytes.includes(trace)).toBe(false);
    }
  }
}

/** Every width compared with the same width as a JPEG of quality 80, made the plain way. */
async function sharesOfJpeg(original: Buffer, image: RenderedImage): Promise<number[]> {
  const shares: number[] = [];
  for (const { width, bytes } of image.variants) {
    const jpeg = await sharp(original)
      .autoOrient()
      .resize({ width })
      .jpeg({ quality: 80 })
      .toBuffer();
    shares.push(bytes.length / jpeg.length);
  }
  return shares;
}

describe("a photo from a phone: turned, with a location", () => {
  /** Twelve megapixels, or a ninth of them, which costs a ninth; the stories post a whole one. */
  const { width, height, widths } = everything
    ? { width: 3024, height: 4032, widths: [160, 320, 480, 640, 960, 1280, 1920] }
    : { width: 1008, height: 1344, widths: [160, 320, 480, 640, 1008] };
  let original: Buffer;
  let image: RenderedImage;
  beforeAll(async () => {
    original = await phonePhoto({ width: height, height: width });
    image = await render(original, "phone.jpg");
  });

  test("is served upright in several widths", async () => {
    expect(image).toMatchObject({ width, height, mediaType: "image/jpeg" });
    expect(widthsOf(image)).toEqual(widths);
    for (const { width, bytes } of image.variants) {
      const made = await sharp(bytes).metadata();
      expect([made.format, made.width]).toEqual(["webp", width]);
      expect(made.height / made.width).toBeCloseTo(4 / 3, 1);
    }
  });

  test("keeps its colours in every width", async () => {
    for (const { bytes } of image.variants.filter(({ width }) => width >= 320)) {
      expect(await colourDifference(bytes, sharp(original).autoOrient())).toBeLessThanOrEqual(2);
    }
  });

  test("reveals nothing of where and with what it was taken, though the original does", async () => {
    expect(await exifr.gps(original)).toMatchObject({ latitude: expect.closeTo(43.4745, 3) });
    expect(original.includes(secretInMetadata)).toBe(true);
    expectNothingButPixels(image);
  });

  test("is at most 0.6 of a JPEG in every width", async () => {
    expect(Math.max(...(await sharesOfJpeg(original, image)))).toBeLessThanOrEqual(0.6);
  });

  test("has a small hash to show before it loads", () => {
    expect(image.thumbhash.length).toBeGreaterThanOrEqual(5);
    expect(image.thumbhash.length).toBeLessThanOrEqual(64);
  });
});

describe("upright", () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])(
    "whichever way the camera was held (%i)",
    async (orientation) => {
      const held = await withOrientation(await corners(240, 160), orientation);
      const image = await render(await held.jpeg({ quality: 95 }).toBuffer());
      expect([image.width, image.height]).toEqual([240, 160]);
      const seen = await quartersOf(largest(image));
      for (const [corner, colour] of Object.entries(cornerColours)) {
        expect(distance(seen[corner as keyof typeof seen], colour)).toBeLessThan(20);
      }
    },
  );
});

test("an orientation that does not exist turns nothing", async () => {
  const bytes = await sharp(await corners(240, 160))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  // EXIF's entry for it: tag 0x0112, SHORT, one value; little-endian as sharp writes it
  const entry = Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0]);
  const at = bytes.indexOf(entry);
  expect(at).toBeGreaterThan(0);
  bytes[at + 8] = 9;
  const image = await render(bytes);
  expect([image.width, image.height]).toEqual([240, 160]);
  expect(await sharp(largest(image)).metadata()).toMatchObject({ width: 240, height: 160 });
});

describe("every accepted type", () => {
  test.each(["jpeg", "png", "webp", "avif", "gif"] as const)(
    "%s, whatever its name",
    async (type) => {
      const bytes = await sharp(await corners(400, 300))
        .toFormat(type)
        .toBuffer();
      const image = await render(bytes, "notes.txt");
      expect(image).toMatchObject({ width: 400, height: 300, mediaType: `image/${type}` });
      expect(widthsOf(image)).toEqual([160, 320, 400]);
      const seen = await quartersOf(largest(image));
      expect(distance(seen.topLeft, cornerColours.topLeft)).toBeLessThan(25);
      expect(distance(seen.bottomRight, cornerColours.bottomRight)).toBeLessThan(25);
    },
  );

  test.each(["gif", "webp"] as const)("the first frame of a moving %s", async (type) => {
    const image = await render(await twoFrames(type));
    expect([image.width, image.height]).toEqual([64, 48]);
    expect((await sharp(largest(image)).metadata()).pages).toBeUndefined();
    const { topLeft } = await quartersOf(largest(image));
    expect(distance(topLeft, cornerColours.topLeft)).toBeLessThan(20);
  });

  test("transparency is kept", async () => {
    const image = await render(await plain(300, 200, [200, 40, 40], 0.5).png().toBuffer());
    const { data, info } = await sharp(largest(image)).raw().toBuffer({ resolveWithObject: true });
    expect(info.channels).toBe(4);
    expect(Math.abs((data[3] ?? 0) - 128)).toBeLessThan(4);
  });

  test("grey and 16-bit images become ordinary ones", async () => {
    const grey = await plain(200, 200, [90, 90, 90]).toColourspace("b-w").png().toBuffer();
    const deep = await plain(200, 200, [90, 90, 90]).toColourspace("rgb16").png().toBuffer();
    for (const bytes of [grey, deep]) {
      const { topLeft } = await quartersOf(largest(await render(bytes)));
      expect(distance(topLeft, [90, 90, 90])).toBeLessThan(6);
    }
  });
});

describe("colours", () => {
  const colour: [number, number, number] = [190, 60, 70];
  test("of a wide-gamut phone look the same without the profile", async () => {
    const wide = await plain(200, 200, colour)
      .withIccProfile("p3")
      .jpeg({ quality: 95 })
      .toBuffer();
    const stored = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
    // otherwise the test would prove nothing
    expect(distance([stored[0]!, stored[1]!, stored[2]!], colour)).toBeGreaterThan(10);
    const image = await render(wide);
    expect(distance((await quartersOf(largest(image))).topLeft, colour)).toBeLessThan(6);
    expectNothingButPixels(image);
  });

  test("of a print file (CMYK) look the same on a screen", async () => {
    const print = await plain(200, 200, [150, 90, 90])
      .toColourspace("cmyk")
      .withIccProfile("cmyk")
      .jpeg({ quality: 95 })
      .toBuffer();
    expect((await sharp(print).metadata()).space).toBe("cmyk");
    const image = await render(print);
    expect(distance((await quartersOf(largest(image))).topLeft, [150, 90, 90])).toBeLessThan(15);
    expectNothingButPixels(image);
  });
});

describe("sizes", () => {
  test.each([
    [1, 1, [1]],
    [90, 60, [90]],
    [160, 900, [160]],
    [170, 100, [170]],
    [1000, 10, [160, 320, 480, 640, 1000]],
    [2000, 100, [160, 320, 480, 640, 960, 1280, 1920]],
  ])("%i × %i is never enlarged", async (width, height, widths) => {
    const image = await render(await plain(width, height, [9, 99, 199]).png().toBuffer());
    expect(widthsOf(image)).toEqual(widths);
    expect(image).toMatchObject({ width, height });
  });

  test("a screenshot longer than WebP can be is made narrower", async () => {
    const image = await render(await plain(400, 30_000, [9, 99, 199]).png().toBuffer());
    expect(image).toMatchObject({ width: 400, height: 30_000 });
    expect((await sharp(largest(image)).metadata()).height).toBeLessThanOrEqual(16_383);
  });

  test("the variants of an image have a bounded number of pixels, however tall it is", () => {
    for (const [width, height] of [
      [1920, 26_000],
      [3000, 16_600],
      [1000, 50_000],
      [7000, 7000],
    ] as const) {
      const sizes = variantSizes({ width, height });
      const all = sizes.reduce((sum, each) => sum + each.width * each.height, 0);
      expect([width, all < 20_000_000]).toEqual([width, true]);
    }
    expect(variantSizes({ width: 1920, height: 4000 }).at(-1)?.width).toBe(1920);
  });

  test("transparency is never searched at the highest effort, which grain makes endless", async () => {
    const noise = Buffer.from(Array.from({ length: 160 * 120 * 4 }, (_, n) => (n * n * 31) % 251));
    const pixels = { data: noise, width: 160, height: 120, channels: 4 as const };
    const { bytes, quality } = await encodeWebp(pixels, 100, 60);
    const at = (effort: number) =>
      fromPixels(pixels).webp({ quality, smartSubsample: true, effort }).toBuffer();
    expect(bytes.equals(await at(4))).toBe(true);
    expect(bytes.equals(await at(6))).toBe(false);
  });
});

/** A grey wall with something bright on it, `at` of the way along its long side. */
async function wall(width: number, height: number, at: number): Promise<Buffer> {
  const side = Math.min(width, height) / 2;
  const spot = await (await scene(side, side)).tint("#e04020").png().toBuffer();
  const place = {
    left: width > height ? Math.round((width - side) * at) : Math.round(side / 2),
    top: width > height ? Math.round(side / 2) : Math.round((height - side) * at),
  };
  return plain(width, height, [128, 128, 128])
    .composite([{ input: spot, ...place }])
    .png()
    .toBuffer();
}

describe("what its square crop shows", () => {
  test.each([
    ["wide", 900, 300],
    ["tall", 300, 900],
  ])("the end of a %s one when the subject is there", async (_shape, width, height) => {
    expect((await render(await wall(width, height, 0))).focus).toBeLessThan(25);
    expect((await render(await wall(width, height, 1))).focus).toBeGreaterThan(75);
  });

  test("all of a square image", async () => {
    expect((await render(await (await scene(300, 300)).png().toBuffer())).focus).toBe(50);
  });
});

describe("refused with a message", () => {
  let photo: Buffer;
  beforeAll(async () => {
    photo = await (await scene(800, 600)).jpeg().toBuffer();
  });

  test("an empty file", async () =>
    expect(await refusalOf(Buffer.alloc(0))).toBe("picture-unreadable"));

  test.each([
    ["an SVG", '<svg xmlns="http://www.w3.org/2000/svg"/>', "a.svg", "picture-type"],
    ["an SVG that calls itself JPEG", '<?xml version="1.0"?><svg/>', "a.jpg", "picture-type"],
    ["a text that calls itself PNG", "hello", "a.png", "picture-type"],
    ["a page", "<!doctype html><script>alert(1)</script>", "a.gif", "picture-type"],
    ["a PDF", "%PDF-1.7\n", "a.pdf", "picture-type"],
    ["a film", "\0\0\0\x18ftypisom\0\0\0\0isommp42", "a.avif", "picture-type"],
    ["a JPEG of three bytes", "\xff\xd8\xff", "a.jpg", "picture-unreadable"],
    ["a PNG without image data", "\x89PNG\r\n\x1a\n", "a.png", "picture-unreadable"],
    ["a GIF that is a script", "GIF89a/*<script>*/=1;", "a.gif", "picture-unreadable"],
  ])("%s", async (_what, text, name, code) => {
    expect(await refusalOf(Buffer.from(text, "latin1"), name)).toBe(code);
  });

  test("a TIFF", async () =>
    expect(await refusalOf(await plain(50, 50, [1, 2, 3]).tiff().toBuffer())).toBe("picture-type"));

  test.each([0.999, 0.9, 0.5, 0.1])("a JPEG of which only %d arrived", async (share) => {
    const cut = photo.subarray(0, Math.floor(photo.length * share));
    expect(await refusalOf(cut)).toBe("picture-unreadable");
  });

  test.each(["png", "webp", "gif", "avif"] as const)("half a %s", async (type) => {
    const bytes = await sharp(photo).resize(200).toFormat(type).toBuffer();
    expect(await refusalOf(bytes.subarray(0, bytes.length / 2))).toBe("picture-unreadable");
  });

  test("a bomb of 20,000 × 20,000 pixels, before anything is decoded", async () => {
    const bomb = bombPng(20_000, 20_000);
    expect(bomb.length).toBeLessThan(100_000);
    expect(await refusalOf(bomb)).toBe("picture-too-large");
    // without its pixels nobody could decode it: the header is enough to refuse it
    expect(await refusalOf(bomb.subarray(0, 60))).toBe("picture-too-large");
  });

  test("just over 50 megapixels, while just under is accepted", async () => {
    expect(await refusalOf(bombPng(10_000, 5001))).toBe("picture-too-large");
    expect(await refusalOf(bombPng(10_000, 5000))).toBe("none");
  });

  test("longer than any screen", async () => {
    expect(await refusalOf(bombPng(70_000, 2))).toBe("picture-too-large");
  });

  test("an image that takes too long", async () => {
    expect(await refusalOf(photo, "a.jpg", -1)).toBe("picture-timeout");
  });
});

test("data hidden behind an image is not served with it", async () => {
  const photo = await (await scene(300, 200)).jpeg().toBuffer();
  const polyglot = Buffer.concat([photo, Buffer.from("<script>alert(1)</script>PK\x03\x04")]);
  const image = await render(polyglot, "a.html");
  for (const { bytes } of image.variants) {
    expect(bytes.includes("script")).toBe(false);
    expect(bytes.readUInt32LE(4) + 8).toBe(bytes.length);
  }
});

async function meanOf(bytes: Buffer, half: "left" | "right"): Promise<[number, number, number]> {
  const { width, height } = await sharp(bytes).metadata();
  const box = { width: Math.floor(width / 2), height: Math.floor(height / 2), top: 0 };
  const { channels } = await sharp(
    await sharp(bytes)
      .extract({ ...box, left: half === "left" ? 0 : box.width })
      .png()
      .toBuffer(),
  ).stats();
  const [red, green, blue] = channels.map(({ mean }) => mean);
  return [red ?? -1, green ?? -1, blue ?? -1];
}

const photographs = samplePhoto("");

describe.skipIf(!photographs)("real photographs", async () => {
  const names = photographs
    ? (await readdir(photographs)).filter((name) => name.endsWith(".jpg"))
    : [];
  test.each(names.filter((name) => name !== "corrupted.jpg"))(
    "%s: upright, without metadata, in its colours, at most 0.6 of a JPEG",
    async (name) => {
      const original = await readFile(samplePhoto(name));
      const image = await render(original, name);
      for (const { width, bytes } of image.variants.filter((one) => one.width >= 320)) {
        const difference = await colourDifference(bytes, sharp(original).autoOrient());
        expect(difference, `${width}`).toBeLessThanOrEqual(2);
      }
      const { autoOrient } = await sharp(original).metadata();
      expect([image.width, image.height]).toEqual([autoOrient.width, autoOrient.height]);
      expectNothingButPixels(image);
      expect(Math.max(...(await sharesOfJpeg(original, image)))).toBeLessThanOrEqual(0.6);
      // half by half, so that an upside-down image is noticed
      for (const half of ["left", "right"] as const) {
        const seen = await meanOf(largest(image), half);
        const meant = await meanOf(await sharp(original).autoOrient().png().toBuffer(), half);
        expect(distance(seen, meant)).toBeLessThan(2);
      }
    },
  );

  test.skipIf(!samplePhoto("phone.heic"))(
    "a HEIC of Display P3 has its colours on the screens of everybody",
    async () => {
      const path = samplePhoto("phone.heic");
      const image = await render(await readFile(path), "phone.heic");
      const heic = openHeic(path);
      await heic.readSize();
      const { data, width, height, channels } = await heic.decode();
      expect([image.width, image.height]).toEqual([width, height]);
      const raw = { raw: { width, height, channels } };
      for (const variant of image.variants.filter((one) => [320, 1280].includes(one.width))) {
        const size = await sharp(variant.bytes).metadata();
        const small = await sharp(data, raw)
          .resize({ width: size.width, height: size.height, fit: "fill" })
          .removeAlpha()
          .raw()
          .toBuffer();
        const meant = sharp(fromDisplayP3(small), {
          raw: { width: size.width, height: size.height, channels: 3 },
        });
        expect(await colourDifference(variant.bytes, meant)).toBeLessThanOrEqual(2);
      }
    },
  );

  test.skipIf(!samplePhoto("corrupted.jpg"))("a broken one is refused", async () => {
    expect(await refusalOf(await readFile(samplePhoto("corrupted.jpg")))).toBe(
      "picture-unreadable",
    );
  });
});
