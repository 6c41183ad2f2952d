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
export function imageSrcSet(picture: ImageView): string {
  return picture.widths.map((width) => `${imageUrl(picture.key, width)} ${width}w`).join(", ");
}

/** The smallest variant at least `width` pixels wide, else the largest there is. */
export function imageSrc(picture: ImageView, width: number): string {
  const fitting = picture.widths.find((candidate) => candidate >= width);
  return imageUrl(picture.key, fitting ?? picture.widths.at(-1) ?? picture.width);
}

/** A variant of an image: its address and its size in pixels. */
export type ImageVariant = { url: string; width: number; height: number };

/** The largest variant that is at most `most` pixels wide, else the smallest there is. */
export function largestVariant(picture: ImageView, most = Infinity): ImageVariant {
  const [smallest = picture.width] = picture.widths;
  const width = picture.widths.findLast((candidate) => candidate <= most) ?? smallest;
  const height = Math.max(1, Math.round((picture.height * width) / picture.width));
  return { url: imageUrl(picture.key, width), width, height };
}
