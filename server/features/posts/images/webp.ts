import {
  encodeWithin,
  fromPixels,
  hasAlpha,
  type Encoded,
  type Pixels,
} from "#server/features/posts/images/quality-search.ts";

/**
 * The promise is 0.6 of a JPEG, the rest is a margin for people who resize a little differently. Above the
 * highest quality nobody sees a difference on photographs, below the lowest everybody does.
 */
const share = { most: 0.58, enough: 0.54, best: 76, least: 30, perStep: 0.0068 };

/**
 * Encodes pixels as WebP, within its share where they are a photograph. `startAt` is the quality of the next
 * larger variant: a smaller one can never have more.
 */
export async function encodeWebp(
  pixels: Pixels,
  startAt: number,
  seconds: number,
): Promise<Encoded> {
  // Images that are cheap to encode are searched harder, and keep the colour of small details (decision
  // 0016). Transparent ones never are: grain in them costs many times as much at effort 6 (decision 0016).
  const small = pixels.width <= 640 && pixels.width * pixels.height <= 640 * 1280;
  const settings = { effort: small && !hasAlpha(pixels) ? 6 : 4, smartSubsample: small };
  const encode = (quality: number) =>
    fromPixels(pixels)
      .timeout({ seconds })
      .webp({ ...settings, quality })
      .toBuffer();

  // JPEG has no transparency, so there is nothing to compare with.
  if (hasAlpha(pixels)) {
    const quality = Math.min(startAt, share.best);
    return { bytes: await encode(quality), quality };
  }
  return encodeWithin(share, pixels, startAt, encode);
}
