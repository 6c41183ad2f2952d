import type { PictureView } from "#shared/views.ts";
import { frameRatio, PhotoFrame, ratioOf } from "#app/features/posts/photo-frame.tsx";
import { Picture } from "#app/ui/picture.tsx";

type Props = {
  picture: PictureView;
  /** for a picture nobody described */
  alt: string;
  /** the first picture of a screen: loaded at once and before the others */
  priority?: boolean;
  className?: string;
};

/** A post's photo in a frame of its own ratio, within what a reading column can bear. */
export function PostPicture({ className, ...rest }: Props) {
  const ratio = frameRatio(rest.picture);
  return (
    <PhotoFrame ratio={ratio} className={className}>
      <PictureInFrame {...rest} ratio={ratio} />
    </PhotoFrame>
  );
}

/** Fills a frame of this ratio; a photo of another ratio is fitted into it, never cropped. */
export function PictureInFrame({
  picture,
  alt,
  priority,
  ratio,
}: Omit<Props, "className"> & { ratio: number }) {
  const own = ratioOf(picture);
  const share = Math.min(1, own / ratio);
  return (
    <Picture
      picture={picture}
      priority={priority}
      alt={picture.alt || alt}
      sizes={`(min-width: 48rem) ${Math.ceil(600 * share)}px, ${Math.ceil(100 * share)}vw`}
      // A hair's difference is two cameras' rounding, not worth a seam.
      fit={Math.abs(own / ratio - 1) < 0.005 ? "cover" : "contain"}
      className="size-full"
    />
  );
}
