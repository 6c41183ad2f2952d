import sharp, { type OutputInfo, type Sharp } from "sharp";
import type { Size } from "#server/features/posts/images/variants.ts";
import { fromPixels, type Pixels } from "#server/features/posts/images/quality-search.ts";
import { limits } from "#shared/limits.ts";

/**
 * One decode, in the stored orientation, at the largest size that is served. Turning comes later: turning
 * the original would hold all of it in memory twice.
 */
export async function decodeUpright(
  path: string,
  size: Size,
  orientation: number,
  seconds: number,
): Promise<Pixels> {
  const stored = await decode(path, asStored(size, orientation), seconds);
  return turnUpright(stored, orientation);
}

async function decode(path: string, size: Size, seconds: number): Promise<Pixels> {
  const { data, info } = await sharp(path, {
    limitInputPixels: limits.imagePixels,
    // Truncated files are refused; the harmless oddities that some phones write are not.
    failOn: "error",
  })
    .resize({ ...size, fit: "fill" })
    .toColourspace("srgb")
    .timeout({ seconds })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return toPixels(data, info);
}

/** Orientations from 5 on lie on their side. */
function asStored({ width, height }: Size, orientation: number): Size {
  return orientation > 4 ? { width: height, height: width } : { width, height };
}

/** Undoes the EXIF orientation (EXIF 2.32, section 4.6.4, tag 0x0112). */
async function turnUpright(pixels: Pixels, orientation: number): Promise<Pixels> {
  const steps: Record<number, ((image: Sharp) => Sharp)[]> = {
    2: [(image) => image.flop()],
    3: [(image) => image.rotate(180)],
    4: [(image) => image.flip()],
    5: [(image) => image.rotate(90), (image) => image.flop()],
    6: [(image) => image.rotate(90)],
    7: [(image) => image.rotate(90), (image) => image.flip()],
    8: [(image) => image.rotate(270)],
  };
  let turned = pixels;
  for (const step of steps[orientation] ?? []) {
    const { data, info } = await step(fromPixels(turned))
      .raw()
      .toBuffer({ resolveWithObject: true });
    turned = toPixels(data, info);
  }
  return turned;
}

function toPixels(data: Buffer, { width, height, channels }: OutputInfo): Pixels {
  return { data, width, height, channels: channels as Pixels["channels"] };
}
