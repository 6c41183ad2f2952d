/** Widths in pixels that a layout asks for: avatars and grids on the left, a full screen right. */
const steps = [160, 320, 640, 960, 1280, 1920] as const;

/** A side of a WebP picture can be no longer (libwebp, WEBP_MAX_DIMENSION). */
const longestSide = 16_383;

/** Pixels of the largest variant: what encoding it costs at most, however tall the picture. */
const mostPixels = 8_000_000;

export type Size = { width: number; height: number };

/**
 * The sizes a picture is served in, ascending: the steps below its own width, and its own width or
 * the last step, whichever is smaller. Never larger than the picture, never none. A step within a
 * tenth of the largest is left out: nobody could tell the two apart.
 */
export function variantSizes({ width, height }: Size): Size[] {
  const lowest = Math.max(1, Math.floor((longestSide * width) / height));
  const lightest = Math.max(1, Math.floor(Math.sqrt((mostPixels * width) / height)));
  const largest = Math.min(width, steps.at(-1) ?? width, lowest, lightest);
  const widths = [...steps.filter((step) => step < largest * 0.9), largest];
  return widths.map((each) => sizeAt({ width, height }, each));
}

/** The whole picture, that many pixels wide. */
export function sizeAt(picture: Size, width: number): Size {
  const height = Math.round((picture.height * width) / picture.width);
  return { width, height: Math.min(longestSide, Math.max(1, height)) };
}
