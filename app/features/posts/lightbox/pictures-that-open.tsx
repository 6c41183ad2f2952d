import { useRef, useState, type MouseEvent } from "react";
import { largestVariant } from "#shared/pictures.ts";
import type { PictureView } from "#shared/views.ts";
import { closeAway, lazyPiece } from "#app/ui/lazy-piece.tsx";
import { PostPicture } from "#app/features/posts/post-picture.tsx";

const Lightbox = lazyPiece(
  async () => (await import("#app/features/posts/lightbox/lightbox.tsx")).Lightbox,
  closeAway,
);

type Props = {
  pictures: PictureView[];
  /** for a picture nobody described */
  alt: string;
};

/** A post's photos; each opens large. Without scripts it is a link to the picture itself. */
export function PicturesThatOpen({ pictures, alt }: Props) {
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

  return (
    <>
      {pictures.map((picture, index) => (
        <a
          key={picture.key}
          href={largestVariant(picture).url}
          title="View full size"
          onClick={(event) => open(event, index)}
          className="block cursor-zoom-in -outline-offset-2"
        >
          <PostPicture
            picture={picture}
            alt={alt}
            priority={index === 0}
            className={index === 0 ? "[view-transition-name:photo]" : ""}
          />
        </a>
      ))}
      {opened !== null && <Lightbox pictures={pictures} start={opened} alt={alt} onClose={close} />}
    </>
  );
}
