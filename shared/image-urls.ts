import type { ImageView } from "#shared/views.ts";

let imageOrigin = "";

/**
 * Sets the base of the addresses of public images: the same on every page; an address without a slash at
 * the end, or "" for the page's own origin.
 */
export function setImageOrigin(address: string): void {
  imageOrigin = address;
}

/** One that is not for everyone has its address at this server, whatever serves the others. */
type Image = Pick<ImageView, "key" | "gated">;

/**
 * The address of one WebP variant of an image. `width` must be one of its widths. A key that starts with a
 * slash is an address itself: an image of a message is not public.
 */
export const imageUrl = (key: string, width: number | "moving", gated = false): string =>
  `${key.startsWith("/") ? key : `${gated ? "" : imageOrigin}/images/${key}`}/${width}.webp`;

/** The address of an animated image with all its frames. */
export const animatedImageUrl = ({ key, gated }: Image) => imageUrl(key, "moving", gated);

/** Where this server is, and where public images are: without a slash at the end. */
export type ImageBases = { publicUrl: string; imagesUrl: string };

/** The whole address of a variant, for programs: with the pass that one without a session needs. */
export function absoluteImageUrl(
  { publicUrl, imagesUrl }: ImageBases,
  { key, gated, pass }: Image & Pick<ImageView, "pass">,
  width: number,
): string {
  const address = (gated ? publicUrl : imagesUrl) + imageUrl(key, width, gated);
  return pass === undefined ? address : `${address}?pass=${pass}`;
}

/** `srcset` over all widths of an image. */
export function imageSrcSet(image: ImageView): string {
  return image.widths
    .map((width) => `${imageUrl(image.key, width, image.gated)} ${width}w`)
    .join(", ");
}

/** The smallest variant at least `width` pixels wide, else the largest there is. */
export function imageSrc(image: ImageView, width: number): string {
  const fitting = image.widths.find((candidate) => candidate >= width);
  return imageUrl(image.key, fitting ?? image.widths.at(-1) ?? image.width, image.gated);
}

/** A variant of an image: its address and its size in pixels. */
export type ImageVariant = { url: string; width: number; height: number };

/** The largest variant that is at most `most` pixels wide, else the smallest there is. */
export function largestVariant(image: ImageView, most = Infinity): ImageVariant {
  const [smallest = image.width] = image.widths;
  const width = image.widths.findLast((candidate) => candidate <= most) ?? smallest;
  const height = Math.max(1, Math.round((image.height * width) / image.width));
  return { url: imageUrl(image.key, width, image.gated), width, height };
}
