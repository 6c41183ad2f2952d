import { rgbaToThumbHash } from "thumbhash";
import sharp from "sharp";
import { fromPixels, type Pixels } from "#server/features/posts/images/quality-search.ts";

/** At most 100 pixels a side, as thumbhash wants it. */
export async function thumbhashOf(pixels: Pixels): Promise<Buffer> {
  const { data, info } = await fromPixels(pixels)
    .resize({ width: 100, height: 100, fit: "inside", withoutEnlargement: true })
    .toColourspace("srgb")
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data));
}

/**
 * Where the most interesting square begins (libvips' attention: edges, skin, strong colours): of what it
 * leaves out, percent before it. The middle where the image is a square itself.
 */
export async function focusOf(pixels: Pixels): Promise<number> {
  const side = Math.min(pixels.width, pixels.height);
  const spare = Math.max(pixels.width, pixels.height) - side;
  if (spare === 0) return 50;
  const { info } = await fromPixels(pixels)
    .resize(side, side, { fit: "cover", position: sharp.strategy.attention })
    .raw()
    .toBuffer({ resolveWithObject: true });
  const cut = Math.max(Math.abs(info.cropOffsetLeft ?? 0), Math.abs(info.cropOffsetTop ?? 0));
  return Math.round((100 * cut) / spare);
}
