import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { heifDecodingCost } from "#server/features/posts/images/heif-decoding-cost.ts";
import { renderImage } from "#server/features/posts/images/render.ts";
import {
  avifTile,
  gifOf,
  gridOf,
  heicTile,
  jpegOfScans,
  pngOfTexts,
  webpOf,
} from "#server/test/bombs.ts";
import { everything } from "#server/test/everything.ts";
import { box, u16, u32 } from "#server/test/heic.ts";
import { scene } from "#server/test/images.ts";
import { isRefusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcard-bombs-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The outcome, the pixels it counted for, and the processor seconds of this process. */
async function tried(bytes: Buffer) {
  const path = join(folder, "picture");
  await writeFile(path, bytes);
  let charged = 0;
  const turn = {
    deadline: performance.now() + 600_000,
    charge: (pixels: number) => void (charged += pixels),
  };
  const before = process.cpuUsage();
  const said = await renderImage(path, turn, { moving: true }).then(
    ({ width, height }) => ({ width, height }),
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      return { code: error.code, message: error.message };
    },
  );
  const { user, system } = process.cpuUsage(before);
  return { said, charged, seconds: (user + system) / 1e6 };
}

describe("scans of a JPEG", () => {
  const size = { width: 640, height: 480 };
  const { jpegScans } = limits.decoding;

  test("are refused when there are more than in any photo, before one is decoded", async () => {
    const { said, charged } = await tried(jpegOfScans({ ...size, scans: jpegScans + 1 }));
    expect(said).toEqual({
      code: "picture-too-complex",
      message: expect.stringContaining("more than 30 scans"),
    });
    expect(charged).toBe(0);
  });

  test("count for their sender, each like the whole image", async () => {
    const [one, most] = [
      await tried(jpegOfScans({ ...size, scans: 1 })),
      await tried(jpegOfScans({ ...size, scans: jpegScans })),
    ];
    expect([one.said, most.said]).toEqual([size, size]);
    expect(most.charged - one.charged).toBe((jpegScans - 1) * size.width * size.height);
  });

  test.each([false, true])(
    "are few in what programs write (progressive: %s)",
    async (progressive) => {
      const photo = await scene(size.width, size.height);
      const jpeg = await photo.toColourspace("cmyk").jpeg({ progressive }).toBuffer();
      const { said } = await tried(jpeg);
      expect(said).toEqual(size);
      // A second image behind the end, as gain maps are, is not part of it.
      const behind = Buffer.concat([jpeg, jpegOfScans({ ...size, scans: jpegScans + 1 })]);
      expect((await tried(behind)).said).toEqual(size);
    },
  );

  test("are found behind filler bytes, restarts and segments of any kind", async () => {
    const jpeg = jpegOfScans({ ...size, scans: jpegScans + 1 });
    const comment = Buffer.from([0xff, 0xff, 0xff, 0xfe, 0, 4, 0xff, 0xd9]);
    const restart = Buffer.from([0xff, 0xd0]);
    const at = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
    const hidden = Buffer.concat([jpeg.subarray(0, at), restart, comment, jpeg.subarray(at)]);
    expect((await tried(hidden)).said).toMatchObject({ code: "picture-too-complex" });
  });

  test("are found behind an invalid marker where a restart was expected", async () => {
    const jpeg = jpegOfScans({ ...size, scans: jpegScans + 1 });
    // A restart after every eight blocks, which are a byte of the first scan: 10 bytes after its marker.
    const restarts = Buffer.from([0xff, 0xdd, 0, 4, 0, 8]);
    const first = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const noMarker = Buffer.from([0xff, 0x02, 0xff, 0xff, 0xff, 0xd0]);
    const [head, scan, rest] = [
      jpeg.subarray(0, first),
      jpeg.subarray(first, first + 11),
      jpeg.subarray(first + 11),
    ];
    expect(rest.length).toBeLessThan(0xffff);
    const { said, charged } = await tried(Buffer.concat([head, restarts, scan, noMarker, rest]));
    expect(said).toMatchObject({ message: expect.stringContaining("more than 30 scans") });
    expect(charged).toBe(0);
  });
});

/** What a derived item is put together from. */
const parts = (from: number, ...to: number[]) =>
  box("dimg", u16(from), u16(to.length), ...to.map(u16));

describe("tiles of an AVIF or a HEIC", () => {
  const grid = { rows: 2, columns: 2 };

  test("are as many as an image needs", async () => {
    const avif = gridOf(await avifTile(256), { ...grid, width: 500, height: 500 });
    expect((await tried(avif)).said).toEqual({ width: 500, height: 500 });
    const heic = gridOf(heicTile, { ...grid, width: 256, height: 192 });
    expect((await tried(heic)).said).toEqual({ width: 256, height: 192 });
  });

  test("are refused where they are far more than the image, before one is decoded", async () => {
    const tiles = { rows: 15, columns: 16, width: 64, height: 48 };
    for (const bomb of [gridOf(await avifTile(1024), tiles), gridOf(heicTile, tiles)]) {
      const { said, charged } = await tried(bomb);
      expect(said).toMatchObject({ code: "picture-too-complex" });
      expect(charged).toBe(0);
    }
  });

  test("count for their sender when they are more than the image", async () => {
    const tile = await avifTile(256);
    const { charged } = await tried(gridOf(tile, { ...grid, width: 64, height: 48 }));
    expect(charged).toBeGreaterThanOrEqual(4 * 256 * 256);
  });

  test("count each time that a grid of grids names them, and a cycle counts as endless", () => {
    const sizes = box("ipco", box("ispe", u32(0), u32(100), u32(100)));
    const uses = box("ipma", u32(0), u32(1), u16(3), Buffer.from([1, 1]));
    const meta = (...lists: Buffer[]) =>
      box("meta", u32(0), box("iref", u32(0), ...lists), box("iprp", sizes, uses));
    const nested = meta(parts(1, 2, 2, 2), parts(2, 3, 3));
    expect(heifDecodingCost(nested).pixels).toBe(6 * 100 * 100);
    expect(heifDecodingCost(meta(parts(1, 2), parts(2, 1))).pixels).toBe(Infinity);
    // What comes after a box that ends too early still counts.
    const broken = box("ipma", u32(0), u32(9));
    expect(heifDecodingCost(Buffer.concat([broken, nested])).pixels).toBe(6 * 100 * 100);
  });
});

test("frames of a sequence are refused before a decoder stores something for each", async () => {
  const size = box("stsz", u32(0), u32(10), u32(limits.moving.mostFrames + 1));
  const film = ["stbl", "minf", "mdia", "trak", "moov"].reduce(
    (inner, type) => box(type, inner),
    size,
  );
  const avif = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .avif()
    .toBuffer();
  expect((await tried(avif)).said).toEqual({ width: 8, height: 8 });
  expect((await tried(Buffer.concat([avif, film]))).said).toMatchObject({
    code: "picture-too-large",
    message: expect.stringContaining("frames"),
  });
});

test.runIf(everything)(
  "the worst of each format takes a small part of what an image may",
  async () => {
    const { mostFrames } = limits.moving;
    const worst = {
      jpeg: jpegOfScans({ width: 7000, height: 7000, scans: limits.decoding.jpegScans }),
      png: await pngOfTexts(1000),
      gif: gifOf({ screen: 1, frame: 5000, frames: mostFrames }),
      webp: await webpOf(mostFrames - 2),
      avif: gridOf(await avifTile(2048), { rows: 6, columns: 7, width: 64, height: 48 }),
      heic: gridOf(heicTile, { rows: 3, columns: 3, width: 64, height: 48 }),
    };
    for (const [type, bytes] of Object.entries(worst)) {
      const { seconds, charged } = await tried(bytes);
      expect(seconds, type).toBeLessThan(limits.decoding.processorSeconds / 3);
      if (process.env["POSTCARD_FIGURES"])
        process.stdout.write(`${type} ${seconds} s, ${charged} pixels\n`);
    }
  },
);
