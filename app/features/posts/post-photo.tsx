import type { ReactNode } from "react";
import type { ImageView } from "#shared/views.ts";
import { AltChip } from "#app/features/posts/alt-chip.tsx";
import { groundRatio, PhotoFrame, ratioOf } from "#app/features/posts/photo-frame.tsx";
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

/** A post's photo at its own ratio. */
export function PostPhoto({ className, wrap, ...shown }: Props) {
  const { photo } = shown;
  return (
    <PhotoFrame ratio={ratioOf(photo)} width={photo.width} className={className}>
      {wrap(<MattedPhoto {...shown} ratio={groundRatio(photo)} fit="cover" />)}
      <AltChip alt={photo.alt} />
    </PhotoFrame>
  );
}

/** On a ground of this ratio, of which it is as much as its own allows. */
export function MattedPhoto({
  photo,
  alt,
  priority,
  ratio,
  fit,
  large,
}: Shown & { ratio: number; fit: "cover" | "contain" }) {
  const own = ratioOf(photo);
  const share = Math.min(1, own / ratio);
  const px = (length: number) => Math.ceil(length * share);
  // The window less the space beside, above and below the photo (photo-mat, desk-shown).
  const within = (around: number) => `${Math.ceil(100 * own)}vh - ${Math.floor(around * own)}px`;
  const desk = `(min-width: 64rem) min(${px(100)}vw - ${px(508)}px, ${within(68)}), `;
  return (
    <Photo
      photo={photo}
      priority={priority}
      alt={photo.alt || alt}
      sizes={`${large ? desk : ""}(min-width: 48rem) min(${px(574)}px, ${within(220)}), ${px(100)}vw`}
      fit={fit}
      moves
      className="size-full"
    />
  );
}
