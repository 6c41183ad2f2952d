import type { ReactNode } from "react";
import type { ImageView } from "#shared/views.ts";

/** Width to height. Between these two a photo fills its frame, beyond them it is fitted into it. */
const tallest = 3 / 4;
const widest = 1.91;

export const ratioOf = ({ width, height }: ImageView) => width / height;

/** Minimum width of a frame, CSS pixels, so that its controls fit. */
const narrowest = 320;

/** A frame is never wider than its photo's pixels, so that no small photo is enlarged. */
export const frameWidth = (photos: ImageView[]) =>
  Math.max(narrowest, ...photos.map(({ width }) => width));

/** The ratio of the frame a photo is shown in. */
export const frameRatio = (photo: ImageView) => Math.min(widest, Math.max(tallest, ratioOf(photo)));

type Props = {
  ratio: number;
  /** maximum width, CSS pixels */
  width: number;
  className?: string;
  children: ReactNode;
};

/**
 * As wide as the column, and from tablets on as tall as the window allows beside the content above and
 * below a photo (`--around-photo`, where a page has another height there); where that is less, the frame is
 * narrower at the same ratio. The empty SVG gives the ratio from the first byte on: an element whose size
 * is in its attributes keeps it within both limits, and needs no style attribute, which the content
 * security policy refuses.
 */
export function PhotoFrame({ ratio, width, className = "", children }: Props) {
  return (
    <div
      data-photo-frame=""
      className={`relative mx-auto w-fit max-w-full overflow-hidden ${className}`}
    >
      <svg
        aria-hidden="true"
        width={width}
        height={width / ratio}
        className="h-auto w-auto max-w-full md:max-h-[max(15rem,100dvh-var(--around-photo,232px))]"
      />
      <div className="absolute inset-0">{children}</div>
    </div>
  );
}
