import { useRef, useState, type MouseEvent, type ReactNode } from "react";
import { largestVariant } from "#shared/pictures.ts";
import type { PictureView } from "#shared/views.ts";
import { closeAway, lazyPiece } from "#app/ui/lazy-piece.tsx";
import { PhotoSet } from "#app/features/posts/photo-set.tsx";
import { PostPicture } from "#app/features/posts/post-picture.tsx";

const Lightbox = lazyPiece(
  async () => (await import("#app/features/posts/lightbox/lightbox.tsx")).Lightbox,
  closeAway,
);

type Props = {
  pictures: PictureView[];
  /** for a picture nobody described */
  alt: string;
  /** the first picture of a screen: loaded at once and before the others */
  priority?: boolean;
  /** on the post's own page */
  large?: boolean;
  /** of the frame */
  className?: string;
};

/** A post's photos; each opens large. Without scripts it is a link to the picture itself. */
export function PicturesThatOpen({ pictures, ...shown }: Props) {
  const [opened, setOpened] = useState<number | null>(null);
  const opener = useRef<HTMLAnchorElement>(null);

  function open(event: MouseEvent<HTMLAnchorElement>, index: number): void {
    // In a new tab, or saved, by those who ask for that.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    opener.current = event.currentTarget;
    setOpened(index);
  }

  function close(): void {
    setOpened(null);
    opener.current?.focus({ preventScroll: true });
  }

  const linkTo = (picture: PictureView, photo: ReactNode, index: number) => (
    <a
      href={largestVariant(picture).url}
      title="View full size"
      onClick={(event) => open(event, index)}
      className="block size-full cursor-zoom-in -outline-offset-2"
    >
      {photo}
    </a>
  );
  const [only] = pictures;
  return (
    <>
      {pictures.length > 1 ? (
        <PhotoSet {...shown} pictures={pictures} wrap={linkTo} />
      ) : (
        only && <PostPicture {...shown} picture={only} wrap={(photo) => linkTo(only, photo, 0)} />
      )}
      {opened !== null && (
        <Lightbox pictures={pictures} start={opened} alt={shown.alt} onClose={close} />
      )}
    </>
  );
}
