import sharp from "sharp";
import type { Turn } from "#server/features/posts/images/decode-queue.ts";
import { openHeic, shrinkToSrgb } from "#server/features/posts/images/heic.ts";
import {
  readImageType,
  mediaTypeOf,
  type MediaType,
  type ImageType,
} from "#server/features/posts/images/image-type.ts";
import { readExif, type PhotoDetails } from "#server/features/posts/images/exif.ts";
import {
  renderAnimation,
  type RenderedAnimation,
} from "#server/features/posts/images/animation.ts";
import {
  refuseBombs,
  type DecodingCost,
} from "#server/features/posts/images/decompression-bombs.ts";
import { sizeAt, variantSizes, type Size } from "#server/features/posts/images/variants.ts";
import { focusOf, thumbhashOf } from "#server/features/posts/images/image-analysis.ts";
import { decodeUpright } from "#server/features/posts/images/orientation.ts";
import { encodeAvif } from "#server/features/posts/images/avif.ts";
import { encodeWebp } from "#server/features/posts/images/webp.ts";
import { fromPixels, type Pixels } from "#server/features/posts/images/quality-search.ts";
import { shortageRefusal } from "#server/platform/storage-faults.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

export type RenderedImage = Size & {
  /** ascending */
  variants: { width: number; bytes: Buffer }[];
  thumbhash: Buffer;
  focus: number;
  mediaType: MediaType;
  /** of an animated image, where it was requested */
  moving: RenderedAnimation | null;
  details: PhotoDetails;
};

// Each file is read once, so a cache of them only uses memory; and one image uses one core.
sharp.cache(false);
sharp.concurrency(1);
// The decoder knows some thirty formats: only five of them may read files from strangers.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["Jpeg", "Png", "Webp", "Nsgif", "Heif"].map((name) => `VipsForeignLoad${name}`),
});

/** The longest side that a row can store (migration 0001). */
const longestSide = 65_535;

/** A HEIC costs more to decode than a JPEG of the same size (decision 226): charged as four of them. */
const heicCost = 4;

/**
 * Decodes an image and renders its variants: upright, in sRGB, without metadata; the first frame alone, and
 * all of them as well where it may be `moving`. Only the process that decoder.ts ends calls this. Throws
 * refuse("picture-…"): wrong type, unreadable or truncated, too many pixels, out of time.
 */
export async function renderImage(
  path: string,
  turn: Turn,
  { moving: mayMove = false } = {},
): Promise<RenderedImage> {
  const { deadline } = turn;
  return asRefusals(path, async (type) => {
    const { size, sizes, details, ...decoded } = await read(type, path, turn, variantSizes);
    const thumbhash = await thumbhashOf(decoded.pixels);
    let { pixels } = decoded;

    const variants: RenderedImage["variants"] = [];
    let quality = 100;
    for (const target of sizes.toReversed()) {
      pixels = await shrink(decoded.pixels, target, secondsUntil(deadline));
      const encoded = await encodeWebp(pixels, quality, secondsUntil(deadline));
      quality = encoded.quality;
      variants.unshift({ width: target.width, bytes: encoded.bytes });
    }
    const focus = await focusOf(pixels);
    const moving = mayMove ? await renderAnimation(path, type, turn) : null;
    const mediaType = mediaTypeOf(type);
    return { ...size, variants, thumbhash, focus, mediaType, moving, details };
  });
}

/** The whole image, as one WebP of a size. Throws as renderImage does. */
const renderAt =
  (encode: (pixels: Pixels, seconds: number) => Promise<Buffer>) =>
  (path: string, turn: Turn, target: Size): Promise<Buffer> =>
    asRefusals(path, async (type) => {
      const { pixels } = await read(type, path, turn, () => [target]);
      return encode(pixels, secondsUntil(turn.deadline));
    });

/**
 * For zooming in. Without a search for its quality: one setting, and an effort that takes less than a second a
 * megapixel.
 */
export const renderLarge = renderAt((pixels, seconds) =>
  fromPixels(pixels).timeout({ seconds }).webp({ quality: 80, effort: 3 }).toBuffer(),
);

/** One of the variants that renderImage makes. */
export const renderVariant = renderAt(
  async (pixels, seconds) => (await encodeWebp(pixels, 100, seconds)).bytes,
);

/** A variant that is served; `bytes`, of its WebP, null where that is gone. */
type Served = { width: number; bytes: number | null };

/**
 * Renders the AVIF beside variants that are served already, from the original: those that are lighter than
 * the WebP of the same width (`served`) and no worse, ascending. Throws what renderImage throws.
 */
export async function renderAvif(
  path: string,
  turn: Turn,
  served: readonly Served[],
): Promise<{ width: number; bytes: Buffer }[]> {
  const { deadline } = turn;
  const sizesOf = (size: Size) => served.map(({ width }) => sizeAt(size, width));
  return asRefusals(path, async (type) => {
    const { sizes, ...decoded } = await read(type, path, turn, sizesOf);

    const variants: { width: number; bytes: Buffer }[] = [];
    let quality = 100;
    for (const target of sizes.toReversed()) {
      const { width } = target;
      const pixels = await shrink(decoded.pixels, target, secondsUntil(deadline));
      const webp = served.find((one) => one.width === width)?.bytes ?? null;
      const encoded =
        webp === null ? null : await encodeAvif(pixels, webp, quality, secondsUntil(deadline));
      // A smaller one has more detail per pixel: where this one was not worth it, that one is not either.
      if (!encoded) break;
      ({ quality } = encoded);
      variants.unshift({ width, bytes: encoded.bytes });
    }
    return variants;
  });
}

/** A decoded image: its own size, the sizes it is served in, and its pixels at the largest. */
type Read = { size: Size; sizes: Size[]; pixels: Pixels; details: PhotoDetails };
type SizesOf = (size: Size) => Size[];

async function read(type: ImageType, path: string, turn: Turn, sizesOf: SizesOf): Promise<Read> {
  const work = await refuseBombs(path, type);
  const readAs = type === "heic" ? readHeic : readOther;
  return readAs(path, turn, sizesOf, work);
}

async function readOther(
  path: string,
  { deadline, charge }: Turn,
  sizesOf: SizesOf,
  { passes, tiles }: DecodingCost,
): Promise<Read> {
  const { orientation, details, ...size } = await readHeader(path);
  const sizes = sizesOf(size);
  charge(Math.max(tiles, size.width * size.height * passes) + workOf(sizes));
  const largest = { ...size, ...sizes.at(-1) };
  const pixels = await decodeUpright(path, largest, orientation, secondsUntil(deadline));
  return { size, sizes, pixels, details };
}

/** Its EXIF orientation is ignored: the container says how it is turned. */
async function readHeic(
  path: string,
  { deadline, charge }: Turn,
  sizesOf: SizesOf,
  { tiles }: DecodingCost,
): Promise<Read> {
  const heic = openHeic(path);
  try {
    const { pixels, ...size } = await heic.readSize();
    refuseTooLarge(size, pixels);
    const sizes = sizesOf(size);
    charge(heicCost * Math.max(tiles, pixels) + workOf(sizes));
    const largest = { ...size, ...sizes.at(-1) };
    const decoded = await heic.decode();
    const details = readExif(decoded.exif ?? undefined);
    const shrunk = await shrinkToSrgb(decoded, largest, secondsUntil(deadline));
    return { size, sizes, pixels: shrunk, details };
  } finally {
    await heic.close();
  }
}

/** In decoded pixels: searching for a good WebP costs about four times as much as decoding. */
function workOf(sizes: readonly Size[]): number {
  return 4 * sizes.reduce((sum, { width, height }) => sum + width * height, 0);
}

/**
 * The upright size, the EXIF orientation and the camera data, from the header alone: nothing is decoded
 * before its cost is known to be acceptable.
 */
async function readHeader(
  path: string,
): Promise<Size & { orientation: number; details: PhotoDetails }> {
  const header = await sharp(path, { limitInputPixels: false }).metadata();
  const { autoOrient, orientation = 1, exif } = header;
  const { width, height } = autoOrient;
  refuseTooLarge({ width, height });
  return { width, height, orientation, details: readExif(exif) };
}

function refuseTooLarge({ width, height }: Size, pixels = width * height): void {
  if (pixels > limits.imagePixels) throw refuse("picture-too-large");
  if (Math.max(width, height) > longestSide) {
    throw refuse("picture-too-large", {
      message: "This picture is more than 65,535 pixels long. Choose a shorter one.",
    });
  }
}

/** Always of the pixels as decoded: shrunk in turns, edges grow sharper than they were, and heavier. */
async function shrink(pixels: Pixels, size: Size, seconds: number): Promise<Pixels> {
  if (pixels.width === size.width) return pixels;
  const data = await fromPixels(pixels)
    .resize({ ...size, fit: "fill" })
    .timeout({ seconds })
    .raw()
    .toBuffer();
  return { ...pixels, ...size, data };
}

function secondsUntil(deadline: number): number {
  const seconds = Math.ceil((deadline - performance.now()) / 1000);
  if (seconds <= 0) throw refuse("picture-timeout");
  return seconds;
}

/** Work on an image of an allowed type; where it fails, it says in which way. */
async function asRefusals<T>(path: string, work: (type: ImageType) => Promise<T>): Promise<T> {
  const type = await readImageType(path);
  return work(type).catch((error: unknown) => {
    throw toRefusal(error);
  });
}

function toRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error;
  const { message = "" } = error as Partial<Error>;
  if (/\btimeout\b/.test(message)) return refuse("picture-timeout", { cause: error });
  const shortage = shortageRefusal(error);
  if (shortage) return shortage;
  if (/pixel limit/.test(message)) return refuse("picture-too-large", { cause: error });
  return refuse("picture-unreadable", { cause: error });
}
