import type { PictureView } from "#shared/views.ts";

/** The address of one WebP variant of a picture. `width` must be one of its widths. */
export function pictureUrl(key: string, width: number): string {
  return `/images/${key}/${width}.webp`;
}

/** `srcset` over every width a picture exists in. */
export function pictureSrcSet(picture: PictureView): string {
  return picture.widths.map((width) => `${pictureUrl(picture.key, width)} ${width}w`).join(", ");
}

/** The smallest variant at least `width` pixels wide, else the largest there is. */
export function pictureSrc(picture: PictureView, width: number): string {
  const fitting = picture.widths.find((candidate) => candidate >= width);
  return pictureUrl(picture.key, fitting ?? picture.widths.at(-1) ?? picture.width);
}
