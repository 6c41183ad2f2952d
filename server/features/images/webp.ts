import sharp, { type Sharp } from "sharp";

/** Pixels as they leave the decoder: sRGB, 8 bits a channel, upright. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export type Encoded = { bytes: Buffer; quality: number };

/**
 * A served picture may weigh this much of the same picture as a JPEG of quality 80. The promise is
 * 0.6; the rest is for those who resize a little differently.
 */
const budget = 0.58;
/** Above it nobody sees a difference on photographs, below it everybody does (decision 0016). */
const quality = { best: 76, least: 30 };
/** How much the share of the JPEG falls with each step of quality, measured on real photographs. */
const sharePerStep = 0.0068;

export function fromPixels({ data, ...raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

/**
 * Encodes pixels as WebP, within the budget where they are a photograph: fine grain makes WebP
 * as heavy as JPEG at an equal setting, so the setting follows the picture. `startAt` is the
 * quality of the next larger variant: a smaller one never affords more.
 */
export async function encodeWebp(
  pixels: Pixels,
  startAt: number,
  seconds: number,
): Promise<Encoded> {
  // What is cheap to encode is searched harder, and keeps the colour of small things (decision 0016).
  const thorough = pixels.width <= 640;
  const settings = { effort: thorough ? 6 : 4, smartSubsample: thorough };
  const encode = (at: number) =>
    fromPixels(pixels)
      .timeout({ seconds })
      .webp({ ...settings, quality: at })
      .toBuffer();

  const first = Math.min(startAt, quality.best);
  let best = { bytes: await encode(first), quality: first };
  // JPEG has no transparency, so there is nothing to compare with.
  if (pixels.channels % 2 === 0) return best;

  const jpeg = await fromPixels(pixels).timeout({ seconds }).jpeg({ quality: 80 }).toBuffer();
  while (best.bytes.length > jpeg.length * budget && best.quality > quality.least) {
    const tooMuch = best.bytes.length / jpeg.length - budget;
    const next = Math.max(quality.least, best.quality - Math.ceil(tooMuch / sharePerStep));
    best = { bytes: await encode(next), quality: next };
  }
  return best;
}
