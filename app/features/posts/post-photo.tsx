import type { ReactNode } from "react";
import type { ImageView } from "#shared/views.ts";
import { AltChip } from "#app/features/posts/alt-chip.tsx";
import { frameRatio, frameWidth, PhotoFrame, ratioOf } from "#app/features/posts/photo-frame.tsx";
import { Photo } from "#app/ui/photo.tsx";

type Shown = {
  photo: ImageView;
  /** for a photo without a description */
  alt: string;
  /** the first photo of a screen: loaded at once and before the others */
  priority?: boolean;
  /** on the post's own page, where a wide window gives a photo all its space */
  large?: boolean;
};

type Props = Shown & {
  className?: string;
  /** wraps the photo: its link */
  wrap: (drawn: ReactNode) => ReactNode;
};

/** A post's photo in a frame of its own ratio, within the limits of a reading column. */
export function PostPhoto({ className, wrap, ...shown }: Props) {
  const { photo } = shown;
  const frame = { ratio: frameRatio(photo), width: frameWidth([photo]) };
  return (
    <PhotoFrame {...frame} className={className}>
      {wrap(<FramedPhoto {...shown} frame={frame} />)}
      <AltChip alt={photo.alt} />
    </PhotoFrame>
  );
}

/** Fills a frame of this ratio; a photo of another ratio is fitted into it, never cropped. */
export function FramedPhoto({
  photo,
  alt,
  priority,
  frame: { ratio, width },
  large,
}: Shown & { frame: { ratio: number; width: number } }) {
  const own = ratioOf(photo);
  const share = Math.min(1, own / ratio);
  const px = (length: number) => Math.ceil(length * share);
  // The window less the space beside, above and below the photo (post-detail.tsx).
  const desktopSizes = `(min-width: 64rem) min(${px(100)}vw - ${px(672)}px, ${Math.ceil(100 * own)}vh - ${Math.ceil(129 * own)}px), `;
  return (
    <Photo
      photo={photo}
      priority={priority}
      alt={photo.alt || alt}
      sizes={`${large ? desktopSizes : ""}(min-width: 48rem) ${px(600)}px, ${px(100)}vw`}
      // A tiny difference is two cameras' rounding, not worth a visible seam.
      fit={Math.abs(own / ratio - 1) < 0.005 && photo.width >= width ? "cover" : "contain"}
      moves
      className="size-full"
    />
  );
}
