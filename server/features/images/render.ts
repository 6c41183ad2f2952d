import { rgbaToThumbHash } from "thumbhash";
import sharp from "sharp";
import {
  readPictureType,
  mediaTypeOf,
  type MediaType,
} from "#server/features/images/picture-type.ts";
import { variantSizes, type Size } from "#server/features/images/variants.ts";
import { encodeWebp, fromPixels, type Pixels } from "#server/features/images/webp.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

export type RenderedPicture = Size & {
  /** ascending */
  variants: { width: number; bytes: Buffer }[];
  thumbhash: Buffer;
  mediaType: MediaType;
};

// Files come once each, so a cache of them only holds memory; and one picture takes one core.
sharp.cache(false);
sharp.concurrency(1);
// The decoder knows some thirty formats: five of them may meet what strangers send.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`),
});

/** The longest side a row can hold (migration 0001). */
const longestSide = 65_535;

/**
 * Decodes a picture and renders what is served of it: upright, in sRGB, without metadata, the first
 * frame alone. Runs on libuv's threads. `deadline` is in epoch milliseconds.
 *
 * Throws refuse("picture-…"): wrong type, unreadable or cut off, too many pixels, out of time.
 */
export async function renderPicture(path: string, deadline: number): Promise<RenderedPicture> {
  const type = await readPictureType(path);
  try {
    const size = await readSize(path);
    const sizes = variantSizes(size);
    let pixels = await decode(path, sizes.at(-1) ?? size, secondsUntil(deadline));
    const thumbhash = await thumbhashOf(pixels);

    const variants: RenderedPicture["variants"] = [];
    let quality = 100;
    for (const target of sizes.toReversed()) {
      pixels = await shrink(pixels, target, secondsUntil(deadline));
      const encoded = await encodeWebp(pixels, quality, secondsUntil(deadline));
      quality = encoded.quality;
      variants.unshift({ width: target.width, bytes: encoded.bytes });
    }
    return { ...size, variants, thumbhash, mediaType: mediaTypeOf(type) };
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The upright size, from the header alone: nothing is decoded before it is known to be bearable. */
async function readSize(path: string): Promise<Size> {
  const { autoOrient } = await sharp(path, { limitInputPixels: false }).metadata();
  const { width, height } = autoOrient;
  if (width * height > limits.imagePixels) throw refuse("picture-too-large");
  if (Math.max(width, height) > longestSide) {
    throw refuse("picture-too-large", {
      message: "This picture is more than 65,535 pixels long. Choose a shorter one.",
    });
  }
  return { width, height };
}

/** One decode at the largest size that is served. */
async function decode(path: string, size: Size, seconds: number): Promise<Pixels> {
  const { data, info } = await sharp(path, {
    limitInputPixels: limits.imagePixels,
    // Cut-off files are refused; the harmless oddities that some phones write are not.
    failOn: "error",
  })
    .autoOrient()
    .resize({ ...size, fit: "fill" })
    .toColourspace("srgb")
    .timeout({ seconds })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels as 1 | 2 | 3 | 4 };
}

async function shrink(pixels: Pixels, size: Size, seconds: number): Promise<Pixels> {
  if (pixels.width === size.width) return pixels;
  const data = await fromPixels(pixels)
    .resize({ ...size, fit: "fill" })
    .timeout({ seconds })
    .raw()
    .toBuffer();
  return { ...pixels, ...size, data };
}

/** At most 100 pixels a side, as thumbhash wants it. */
async function thumbhashOf(pixels: Pixels): Promise<Buffer> {
  const { data, info } = await fromPixels(pixels)
    .resize({ width: 100, height: 100, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data));
}

function secondsUntil(deadline: number): number {
  const seconds = Math.ceil((deadline - Date.now()) / 1000);
  if (seconds <= 0) throw refuse("picture-timeout");
  return seconds;
}

function toRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error;
  const { message = "" } = error as Partial<Error>;
  if (/\btimeout\b/.test(message)) return refuse("picture-timeout", { cause: error });
  if (/pixel limit/.test(message)) return refuse("picture-too-large", { cause: error });
  return refuse("picture-unreadable", { cause: error });
}
