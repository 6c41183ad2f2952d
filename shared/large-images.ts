import type { ImageView } from "#shared/views.ts";

/** Pixels of an image at its largest: what decoding and storing it costs at most. */
const mostLargePixels = 4096 * 4096;
/** The longest side of a WebP image (libwebp, WEBP_MAX_DIMENSION). */
const longestLargeSide = 16_383;

/**
 * The size in which an image has all of its original's pixels, or as many as are affordable. Null where its
 * largest variant is about as large: there is nothing more to see.
 */
export function largeSize({
  width,
  height,
  widths,
}: Pick<ImageView, "width" | "height" | "widths">): { width: number; height: number } | null {
  const scale = Math.min(
    1,
    Math.sqrt(mostLargePixels / (width * height)),
    longestLargeSide / Math.max(width, height),
  );
  const large = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
  return large.width > (widths.at(-1) ?? 0) * 1.1 && large.height > 0 ? large : null;
}

/** The address of a public image at its largest; rendered when it is first requested. */
export const largeImageUrl = (key: string) => `/images/${key}/large.webp`;
