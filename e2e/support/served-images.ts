import { expect, type Locator } from "@playwright/test";
import exifr from "exifr";
import sharp from "sharp";

export type Served = { url: string; width: number; height: number; bytes: Buffer };

/** Every variant that the browser may choose for an image, as it gets them. */
export async function servedVariants(image: Locator): Promise<Served[]> {
  const page = image.page();
  const srcset = (await image.getAttribute("srcset")) ?? "";
  const urls = srcset.split(", ").map((candidate) => candidate.split(" ", 1)[0] ?? "");
  return Promise.all(
    urls.map(async (url) => {
      const answer = await page.request.get(url);
      expect(answer.status(), url).toBe(200);
      const bytes = await answer.body();
      const { width, height } = await sharp(bytes).metadata();
      return { url, width, height, bytes };
    }),
  );
}

/** Waits until the browser has drawn an image. */
export async function expectDrawn(photo: Locator): Promise<void> {
  await photo.scrollIntoViewIfNeeded();
  await expect
    .poll(() => photo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0);
}

/** The location in an image, by an EXIF reader; null without one. */
export async function locationIn(bytes: Buffer): Promise<{ latitude: number } | null> {
  const { exif, format, xmp } = await sharp(bytes).metadata();
  expect(xmp?.toString().includes("GPS") ?? false).toBe(false);
  // The reader takes a whole JPEG; of a WebP it takes the EXIF block, after its six-byte mark.
  if (format === "jpeg") return (await exifr.gps(bytes)) ?? null;
  if (!exif) return null;
  const block = exif.subarray(exif.toString("latin1", 0, 4) === "Exif" ? 6 : 0);
  return (await exifr.gps(block)) ?? null;
}

/** Bytes of the same image as a JPEG of quality 80 in the same width. */
export async function jpegBytes(original: Buffer | string, width: number): Promise<number> {
  const jpeg = await sharp(original)
    .autoOrient()
    .resize({ width })
    .jpeg({ quality: 80 })
    .toBuffer();
  return jpeg.length;
}

type Colour = { red: number; green: number; blue: number };

/** The colour at a point, given as shares of width and height. */
export async function colourAt(bytes: Buffer, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const at =
    (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
  return { red, green, blue };
}
