/** Widths in pixels that a layout asks for: avatars and grids on the left, a full screen right. */
const steps = [160, 320, 480, 640, 960, 1280, 1920] as const;

/** The longest side of a WebP image (libwebp, WEBP_MAX_DIMENSION). */
const longestSide = 16_383;

/** Pixels of the largest variant: what encoding it costs at most, however tall the image. */
const mostPixels = 8_000_000;

export type Size = { width: number; height: number };

/**
 * The sizes an image is served in, ascending: the steps below its own width, and its own width or the last
 * step, whichever is smaller. Never larger than the image, never none. A step within a tenth of the largest
 * is left out: nobody could tell the two apart.
 */
export function variantSizes({ width, height }: Size): Size[] {
  const lowest = Math.max(1, Math.floor((longestSide * width) / height));
  const lightest = Math.max(1, Math.floor(Math.sqrt((mostPixels * width) / height)));
  const largest = Math.min(width, steps.at(-1) ?? width, lowest, lightest);
  const widths = [...steps.filter((step) => step < largest * 0.9), largest];
  return widths.map((each) => sizeAt({ width, height }, each));
}

/** The whole image, at that width in pixels. */
export function sizeAt(image: Size, width: number): Size {
  const height = Math.round((image.height * width) / image.width);
  return { width, height: Math.min(longestSide, Math.max(1, height)) };
}
