import type { ReactNode } from "react";
import type { ImageView } from "#shared/views.ts";

/** Width to height: the frame that several photos share, and on a phone the ground of a single one. */
const tallest = 4 / 5;
const widest = 1.91;

export const ratioOf = ({ width, height }: Pick<ImageView, "width" | "height">) => width / height;

/** Minimum width of the frame of several photos, CSS pixels, so that its controls fit. */
const narrowest = 320;

/** No wider than the pixels of its photos, so that no small photo is enlarged. */
export function sharedFrame(photos: readonly [ImageView, ...ImageView[]]) {
  const ratio = groundRatio(photos[0]);
  return { ratio, width: Math.max(narrowest, ...photos.map(({ width }) => width)) };
}

export const groundRatio = (photo: Parameters<typeof ratioOf>[0]) =>
  Math.min(widest, Math.max(tallest, ratioOf(photo)));

type Props = {
  ratio: number;
  /** maximum width, CSS pixels */
  width: number;
  className?: string;
  children: ReactNode;
};

/**
 * What lies on the mat: as wide as that allows, and no taller than the window has room for beside the
 * content above and below a photo (`--around-photo`, where a page has another height there); where that is
 * less, it is narrower at the same ratio. The ground shows where it ends. The empty SVG gives the ratio from
 * the first byte on: an element whose size is in its attributes keeps it within both limits, and needs no
 * style attribute, which the content security policy refuses.
 */
export function PhotoFrame({ ratio, width, className = "", children }: Props) {
  return (
    <div className="photo-mat">
      <div data-photo-frame="" className={`relative max-w-full ${className}`}>
        <svg
          aria-hidden="true"
          width={width}
          height={width / ratio}
          className="mx-auto h-auto w-auto max-w-full"
        />
        <div className="absolute inset-0">{children}</div>
      </div>
    </div>
  );
}
