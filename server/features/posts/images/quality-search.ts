import sharp, { type Sharp } from "sharp";

/** Pixels as they leave the decoder: sRGB, 8 bits a channel, upright. */
export type Pixels = { data: Buffer; width: number; height: number; channels: 1 | 2 | 3 | 4 };

export type Encoded = { bytes: Buffer; quality: number };

/** How large an encoding may be. Shares are of the bytes of the same pixels as a JPEG of quality 80. */
export type Share = {
  most: number;
  /** below this there is room for higher quality */
  enough: number;
  /** the lowest and highest quality to try */
  best: number;
  least: number;
  /** how much the share falls with each step of quality, measured on real photographs */
  perStep: number;
};

export function fromPixels({ data, ...raw }: Pixels): Sharp {
  return sharp(data, { raw });
}

export const hasAlpha = ({ channels }: Pixels) => channels % 2 === 0;

/**
 * Encodes a photograph so that it stays within its share: fine grain makes any format as heavy as JPEG at an
 * equal setting, so the setting follows the photo. `startAt` is the first quality to try. At the lowest
 * quality the share may be exceeded.
 */
export async function encodeWithin(
  share: Share,
  pixels: Pixels,
  startAt: number,
  encode: (quality: number) => Promise<Buffer>,
): Promise<Encoded & { share: number }> {
  const jpeg = (await fromPixels(pixels).jpeg({ quality: 80 }).toBuffer()).length;
  let tried = Math.min(startAt, share.best);
  let fits: Attempt | null = null;
  let tooHeavy: Attempt | null = null;
  for (;;) {
    const bytes = await encode(tried);
    const attempt = { bytes, quality: tried, share: bytes.length / jpeg };
    if (attempt.share > share.most) tooHeavy = attempt;
    else fits = attempt;
    const next = nextQuality(share, fits, tooHeavy);
    if (next === null) return attempt.share > share.most && fits ? fits : attempt;
    tried = next;
  }
}

type Attempt = Encoded & { share: number };

/** The next quality to try, by what fitted and what did not; null when it is as good as possible. */
function nextQuality(share: Share, fits: Attempt | null, tooHeavy: Attempt | null): number | null {
  if (!tooHeavy) return null;
  const excess = tooHeavy.share - share.most;
  if (!fits) {
    const lower = tooHeavy.quality - Math.ceil(excess / share.perStep);
    return tooHeavy.quality > share.least ? Math.max(share.least, lower) : null;
  }
  if (fits.share >= share.enough) return null;
  // The curve hangs below its chord, so what lies on the chord fits.
  const along = (share.most - fits.share) / (tooHeavy.share - fits.share);
  const between = Math.floor(fits.quality + along * (tooHeavy.quality - fits.quality));
  return between > fits.quality && between < tooHeavy.quality ? between : null;
}
