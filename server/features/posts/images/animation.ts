import sharp from "sharp";
import type { Turn } from "#server/features/posts/images/decode-queue.ts";
import type { ImageType } from "#server/features/posts/images/image-type.ts";
import { limits } from "#shared/limits.ts";

/** An animated image: its frames, and the moving WebP where it is within the limits. */
export type RenderedAnimation = { frames: number; file: { width: number; bytes: Buffer } | null };

/** What is read of an image's header. */
export type Animation = {
  width: number;
  height: number;
  /** frames */
  pages: number;
  /** how long each frame is shown, milliseconds */
  delays: readonly number[];
};

/** Frames without a duration are shown for as long as browsers show them. */
const defaultDelayMs = 100;

/** How long each frame is shown: as many values as frames, none so short that it burns a processor. */
export function delaysOf({ pages, delays }: Pick<Animation, "pages" | "delays">): number[] {
  return Array.from({ length: pages }, (_, index) => {
    const delay = delays[index] ?? 0;
    return delay > 10 ? Math.min(delay, 60_000) : defaultDelayMs;
  });
}

/** The width in which it may move; null where it is too long, or its frames are too large. */
export function animationWidth({ width, height, pages }: Omit<Animation, "delays">): number | null {
  const { frames, sourcePixels, pixels, width: widest } = limits.moving;
  if (pages > frames || width * height * pages > sourcePixels) return null;
  const bearable = Math.floor(Math.sqrt((pixels * width) / (height * pages)));
  const chosen = Math.min(width, widest, bearable);
  // Smaller than anybody would want to look at, it is better shown still.
  return chosen >= Math.min(width, 160) ? chosen : null;
}

/**
 * Renders an animated GIF or WebP as a moving WebP without metadata; null for an image with one frame. What
 * is too long, too large or too heavy stays still (`file` null): that is no refusal. Its header was checked,
 * and it is decoded within the bounds of `limits.moving` only.
 */
export async function renderAnimation(
  path: string,
  type: ImageType,
  { deadline, charge }: Turn,
): Promise<RenderedAnimation | null> {
  if (type !== "gif" && type !== "webp") return null;
  const header = await sharp(path, { limitInputPixels: false }).metadata();
  const { width, height, pages = 1, delay: delays = [] } = header;
  if (pages < 2) return null;
  const still = { frames: pages, file: null };
  const target = animationWidth({ width, height, pages });
  const seconds = Math.min(
    limits.moving.seconds,
    Math.floor((deadline - performance.now()) / 1000),
  );
  if (target === null || seconds < 1) return still;
  const outHeight = Math.max(1, Math.round((height * target) / width));
  charge(pages * (width * height + 4 * target * outHeight));
  try {
    const bytes = await sharp(path, {
      animated: true,
      limitInputPixels: limits.moving.sourcePixels,
      failOn: "error",
    })
      .resize({ width: target, height: outHeight, fit: "fill" })
      .toColourspace("srgb")
      .timeout({ seconds })
      .webp({ quality: 65, effort: 2, delay: delaysOf({ pages, delays }) })
      .toBuffer();
    return bytes.length > limits.moving.bytes
      ? still
      : { frames: pages, file: { width: target, bytes } };
  } catch {
    // Its first frame was read, so that is what is shown.
    return still;
  }
}
