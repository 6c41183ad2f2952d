import type { ReactNode } from "react";
import type { ImageView } from "#shared/views.ts";
import { AltChip } from "#app/features/posts/alt-chip.tsx";
import { frameRatio, frameWidth, PhotoFrame, ratioOf } from "#app/features/posts/photo-frame.tsx";
import { Photo } from "#app/ui/photo.tsx";

type Shown = {
  picture: ImageView;
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
  wrap: (photo: ReactNode) => ReactNode;
};

/** A post's photo in a frame of its own ratio, within the limits of a reading column. */
export function PostPhoto({ className, wrap, ...shown }: Props) {
  const { picture } = shown;
  const frame = { ratio: frameRatio(picture), width: frameWidth([picture]) };
  return (
    <PhotoFrame {...frame} className={className}>
      {wrap(<FramedPhoto {...shown} frame={frame} />)}
      <AltChip alt={picture.alt} />
    </PhotoFrame>
  );
}

/** Fills a frame of this ratio; a photo of another ratio is fitted into it, never cropped. */
export function FramedPhoto({
  picture,
  alt,
  priority,
  frame: { ratio, width },
  large,
}: Shown & { frame: { ratio: number; width: number } }) {
  const own = ratioOf(picture);
  const share = Math.min(1, own / ratio);
  const px = (length: number) => Math.ceil(length * share);
  // The window less the space beside, above and below the photo (post-detail.tsx).
  const desktopSizes = `(min-width: 64rem) min(${px(100)}vw - ${px(672)}px, ${Math.ceil(100 * own)}vh - ${Math.ceil(129 * own)}px), `;
  return (
    <Photo
      picture={picture}
      priority={priority}
      alt={picture.alt || alt}
      sizes={`${large ? desktopSizes : ""}(min-width: 48rem) ${px(600)}px, ${px(100)}vw`}
      // A tiny difference is two cameras' rounding, not worth a visible seam.
      fit={Math.abs(own / ratio - 1) < 0.005 && picture.width >= width ? "cover" : "contain"}
      moves
      className="size-full"
    />
  );
}
