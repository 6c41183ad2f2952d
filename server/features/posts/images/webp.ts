import sharp, { type Sharp } from "sharp";

/** Pixels as they leave the decoder: sRGB, 8 bits a channel, upright. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export type Encoded = { bytes: Buffer; quality: number };

/**
 * A served picture may weigh this much of the same picture as a JPEG of quality 80: the promise is
 * 0.6, the rest is for those who resize a little differently. Under `enough` there is room to give
 * quality back.
 */
const share = { most: 0.58, enough: 0.54 };
/** Above the best nobody sees a difference on photographs, below the least everybody does. */
const quality = { best: 76, least: 30 };
/** How much the share falls with each step of quality, measured on real photographs. */
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
  // Transparency never is: grain in it costs many times as much at effort 6 (decision 0129).
  const small = pixels.width <= 640 && pixels.width * pixels.height <= 640 * 1280;
  const settings = { effort: small && !hasAlpha(pixels) ? 6 : 4, smartSubsample: small };
  const encode = (at: number) =>
    fromPixels(pixels)
      .timeout({ seconds })
      .webp({ ...settings, quality: at })
      .toBuffer();

  let tried = Math.min(startAt, quality.best);
  let bytes = await encode(tried);
  // JPEG has no transparency, so there is nothing to compare with.
  if (hasAlpha(pixels)) return { bytes, quality: tried };

  const jpeg = await fromPixels(pixels).timeout({ seconds }).jpeg({ quality: 80 }).toBuffer();
  let fits: Attempt | null = null;
  let tooHeavy: Attempt | null = null;
  for (;;) {
    const attempt = { bytes, quality: tried, share: bytes.length / jpeg.length };
    if (attempt.share > share.most) tooHeavy = attempt;
    else fits = attempt;
    const next = nextQuality(fits, tooHeavy);
    if (next === null) return attempt.share > share.most && fits ? fits : attempt;
    tried = next;
    bytes = await encode(tried);
  }
}

const hasAlpha = ({ channels }: Pixels) => channels % 2 === 0;

type Attempt = Encoded & { share: number };

/** The quality to try after what fitted and what did not; null when it is as good as it gets. */
function nextQuality(fits: Attempt | null, tooHeavy: Attempt | null): number | null {
  if (!tooHeavy) return null;
  const excess = tooHeavy.share - share.most;
  if (!fits) {
    const lower = tooHeavy.quality - Math.ceil(excess / sharePerStep);
    return tooHeavy.quality > quality.least ? Math.max(quality.least, lower) : null;
  }
  if (fits.share >= share.enough) return null;
  // The curve hangs below its chord, so what lies on the chord fits.
  const along = (share.most - fits.share) / (tooHeavy.share - fits.share);
  const between = Math.floor(fits.quality + along * (tooHeavy.quality - fits.quality));
  return between > fits.quality && between < tooHeavy.quality ? between : null;
}
