import { useRef, type ReactNode } from "react";
import type { PictureView } from "#shared/views.ts";
import { frameRatio, PhotoFrame } from "#app/features/posts/photo-frame.tsx";
import { PictureInFrame } from "#app/features/posts/post-picture.tsx";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { lazyPiece } from "#app/ui/lazy-piece.tsx";

/** Where its code cannot be loaded, the row still scrolls. */
const SetControls = lazyPiece(
  async () => (await import("#app/features/posts/set-controls.tsx")).SetControls,
  () => undefined,
);

type Props = {
  pictures: PictureView[];
  alt: string;
  priority?: boolean;
  className?: string;
  /** what stands around each photo: the link that opens it */
  wrap: (picture: PictureView, photo: ReactNode, index: number) => ReactNode;
};

/**
 * Several photos in one frame, that of the first: a row that scrolls from one to the next, without
 * scripts too. Arrows, keys and dots come when the page is alive.
 */
export function PhotoSet({ pictures, alt, priority = false, className, wrap }: Props) {
  const row = useRef<HTMLUListElement>(null);
  const alive = useHydrated();
  const [first] = pictures;
  if (!first) return null;
  const ratio = frameRatio(first);
  const count = pictures.length;
  return (
    <PhotoFrame ratio={ratio} className={`group/set ${className}`}>
      <ul
        ref={row}
        aria-label={`${count} photos`}
        className="relative flex size-full snap-x snap-mandatory overflow-x-auto overscroll-x-contain scroll-smooth [scrollbar-width:none] [&::-webkit-scrollbar]:hidden"
      >
        {pictures.map((picture, index) => (
          <li key={picture.key} className="relative size-full shrink-0 snap-center snap-always">
            {wrap(
              picture,
              <PictureInFrame
                picture={picture}
                alt={alt}
                ratio={ratio}
                priority={priority && index === 0}
              />,
              index,
            )}
            <span className="pointer-events-none absolute end-3 top-3 rounded-full bg-black/60 px-2.5 py-1 text-xs font-medium text-white tabular-nums">
              <span aria-hidden="true">{`${index + 1}/${count}`}</span>
              <span className="sr-only">{`Photo ${index + 1} of ${count}`}</span>
            </span>
          </li>
        ))}
      </ul>
      {alive && <SetControls row={row} count={count} />}
    </PhotoFrame>
  );
}
