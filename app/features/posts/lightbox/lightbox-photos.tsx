import { useState, type MouseEvent, type ReactNode } from "react";
import { largestVariant } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";
import { viewFullSize } from "#messages/lightbox.json";
import { useTapToLike } from "#app/features/likes/use-tap-to-like.tsx";
import type { ShownPost } from "#app/features/posts/lightbox/details.tsx";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { PhotoCarousel } from "#app/features/posts/photo-carousel.tsx";
import { PostPhoto } from "#app/features/posts/post-photo.tsx";

const Lightbox = lazyComponent(
  async () => (await import("#app/features/posts/lightbox/lightbox.tsx")).Lightbox,
  notifyAndClose,
);

type Props = {
  photos: ImageView[];
  of: ShownPost;
  /** for a photo without a description */
  alt: string;
  /** the first photo of a screen: loaded at once and before the others */
  priority?: boolean;
  /** on the post's own page */
  large?: boolean;
  /** of the frame */
  className?: string;
};

/** A post's photos; each opens in the lightbox, without scripts as an image. A double tap likes the post. */
export function LightboxPhotos({ photos, of, ...shown }: Props) {
  const [opened, setOpened] = useState<{ start: number; opener: HTMLElement } | null>(null);

  const [tap, heart] = useTapToLike(of.like, of.signedIn);

  function press(event: MouseEvent<HTMLElement>, start: number): void {
    const opener = event.currentTarget;
    tap(event, () => setOpened({ start, opener }), start);
  }

  const linkTo = (photo: ImageView, drawn: ReactNode, index: number) => (
    <a
      href={largestVariant(photo).url}
      title={viewFullSize}
      onClick={(event) => press(event, index)}
      className="relative block size-full cursor-zoom-in touch-manipulation -outline-offset-2"
    >
      {drawn}
      {heart(index)}
    </a>
  );
  const [only] = photos;
  return (
    <>
      {photos.length > 1 ? (
        <PhotoCarousel {...shown} photos={photos} wrap={linkTo} />
      ) : (
        only && <PostPhoto {...shown} photo={only} wrap={(drawn) => linkTo(only, drawn, 0)} />
      )}
      {opened && (
        <Lightbox
          {...opened}
          photos={photos}
          of={of}
          alt={shown.alt}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
