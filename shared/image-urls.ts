import type { ImageView } from "#shared/views.ts";

let imageOrigin = "";

/**
 * Sets the base of the addresses of public images: the same on every page; an address without a slash at
 * the end, or "" for the page's own origin.
 */
export function setImageOrigin(address: string): void {
  imageOrigin = address;
}

/**
 * The address of one WebP variant of an image. `width` must be one of its widths. A key that starts with a
 * slash is an address itself: an image of a message is not public.
 */
export function imageUrl(key: string, width: number): string {
  return `${key.startsWith("/") ? key : `${imageOrigin}/images/${key}`}/${width}.webp`;
}

/** The address of an animated image with all its frames. */
export const animatedImageUrl = (key: string) => `${imageOrigin}/images/${key}/moving.webp`;

/** `srcset` over all widths of an image. */
export function imageSrcSet(image: ImageView): string {
  return image.widths.map((width) => `${imageUrl(image.key, width)} ${width}w`).join(", ");
}

/** The smallest variant at least `width` pixels wide, else the largest there is. */
export function imageSrc(image: ImageView, width: number): string {
  const fitting = image.widths.find((candidate) => candidate >= width);
  return imageUrl(image.key, fitting ?? image.widths.at(-1) ?? image.width);
}

/** A variant of an image: its address and its size in pixels. */
export type ImageVariant = { url: string; width: number; height: number };

/** The largest variant that is at most `most` pixels wide, else the smallest there is. */
export function largestVariant(image: ImageView, most = Infinity): ImageVariant {
  const [smallest = image.width] = image.widths;
  const width = image.widths.findLast((candidate) => candidate <= most) ?? smallest;
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  return { url: imageUrl(image.key, width), width, height };
}
