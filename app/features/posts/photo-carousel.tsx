import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import type { ImageView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { AltChip } from "#app/features/posts/alt-chip.tsx";
import { PhotoFrame, sharedFrame } from "#app/features/posts/photo-frame.tsx";
import { MattedPhoto } from "#app/features/posts/post-photo.tsx";
import { useHasInteracted } from "#app/lib/page/first-interaction.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { lazyComponent } from "#app/ui/lazy-component.tsx";

/** If its code cannot be loaded, the row still scrolls. */
const CarouselControls = lazyComponent(
  async () => (await import("#app/features/posts/carousel-controls.tsx")).CarouselControls,
  () => undefined,
);

type Props = {
  photos: ImageView[];
  alt: string;
  priority?: boolean;
  /** on the post's own page: each photo has an address there, #2 is the second one's */
  large?: boolean;
  className?: string;
  /** wraps each photo: the link that opens it */
  wrap: (photo: ImageView, drawn: ReactNode, index: number) => ReactNode;
};

/**
 * Several photos in one frame, that of the first: a row that scrolls from one to the next, without scripts
 * too. Arrows, keys and dots load with the first interaction, and so does the photo beside the shown one. Until
 * then the clipped frame keeps it out of sight, however near it is: who only looks at a page does not fetch it, and
 * who swipes first has its colours while it loads.
 */
export function PhotoCarousel({ photos, alt, priority = false, large, className, wrap }: Props) {
  const row = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  const acted = useHasInteracted();
  useNeighbours(row, acted ? index : null);
  const [first, ...others] = photos;
  if (!first) return null;
  // Photos of the first one's ratio fill it, and none is drawn larger than it is.
  const frame = sharedFrame([first, ...others]);
  const count = photos.length;
  return (
    <PhotoFrame {...frame} className={`group/set w-full overflow-clip ${className}`}>
      <ul
        ref={row}
        aria-label={counted(words.photos, count)}
        className="relative flex size-full [scroll-snap-type:x_mandatory] overflow-x-auto overscroll-x-contain scroll-smooth [scrollbar-width:none] [&::-webkit-scrollbar]:hidden"
      >
        {photos.map((photo, slide) => (
          <li
            key={photo.key}
            id={large ? String(slide + 1) : undefined}
            className="relative size-full shrink-0 scroll-mt-36 snap-center snap-always"
          >
            {wrap(
              photo,
              <MattedPhoto
                photo={photo}
                alt={alt}
                ratio={frame.ratio}
                fit="contain"
                large={large}
                priority={priority && slide === 0}
              />,
              slide,
            )}
            <span className="pointer-events-none absolute end-3 top-3 rounded-full bg-black/60 px-2.5 py-1 text-xs font-medium text-white">
              <span aria-hidden="true">{`${slide + 1}/${count}`}</span>
              <span className="sr-only">{fill(words.photoOf, { index: slide + 1, count })}</span>
            </span>
            <AltChip alt={photo.alt} />
          </li>
        ))}
      </ul>
      {acted && (
        <CarouselControls
          {...{ row, count, index, setIndex }}
          positionKey={large ? undefined : first.key}
        />
      )}
    </PhotoFrame>
  );
}

/** A photo out of sight does not load by itself: once the shown one has loaded, its neighbours do. */
function useNeighbours(row: RefObject<HTMLElement | null>, index: number | null): void {
  useEffect(() => {
    if (index === null) return;
    const images = (slide: number) => row.current?.children[slide]?.querySelectorAll("img") ?? [];
    const fetchNeighbours = () => {
      for (const image of [...images(index + 1), ...images(index - 1)]) image.loading = "eager";
    };
    const shown = [...images(index)].at(-1);
    if (shown?.complete) return fetchNeighbours();
    shown?.addEventListener("load", fetchNeighbours, { once: true });
    return () => shown?.removeEventListener("load", fetchNeighbours);
  }, [row, index]);
}
