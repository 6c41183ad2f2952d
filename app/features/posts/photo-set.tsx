import { useRef, type ReactNode } from "react";
import type { PictureView } from "#shared/views.ts";
import { AltChip } from "#app/features/posts/alt-chip.tsx";
import { frameRatio, frameWidth, PhotoFrame } from "#app/features/posts/photo-frame.tsx";
import { PictureInFrame } from "#app/features/posts/post-picture.tsx";
import { useActed } from "#app/lib/page/first-act.ts";
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
  /** on the post's own page: each photo has an address there, #2 is the second one's */
  large?: boolean;
  className?: string;
  /** what stands around each photo: the link that opens it */
  wrap: (picture: PictureView, photo: ReactNode, index: number) => ReactNode;
};

/**
 * Several photos in one frame, that of the first: a row that scrolls from one to the next, without
 * scripts too. Arrows, keys and dots come when somebody does something.
 */
export function PhotoSet({ pictures, alt, priority = false, large, className, wrap }: Props) {
  const row = useRef<HTMLUListElement>(null);
  const acted = useActed();
  const [first] = pictures;
  if (!first) return null;
  // Those of the first one's ratio fill it, and none is drawn larger than it is.
  const frame = { ratio: frameRatio(first), width: frameWidth(pictures) };
  const count = pictures.length;
  return (
    <PhotoFrame {...frame} className={`group/set ${className}`}>
      <ul
        ref={row}
        aria-label={`${count} photos`}
        className="relative flex size-full snap-x snap-mandatory overflow-x-auto overscroll-x-contain scroll-smooth [scrollbar-width:none] [&::-webkit-scrollbar]:hidden"
      >
        {pictures.map((picture, index) => (
          <li
            key={picture.key}
            id={large ? String(index + 1) : undefined}
            className="relative size-full shrink-0 scroll-mt-36 snap-center snap-always"
          >
            {wrap(
              picture,
              <PictureInFrame
                picture={picture}
                alt={alt}
                frame={frame}
                large={large}
                priority={priority && index === 0}
              />,
              index,
            )}
            <span className="pointer-events-none absolute end-3 top-3 rounded-full bg-black/60 px-2.5 py-1 text-xs font-medium text-white tabular-nums">
              <span aria-hidden="true">{`${index + 1}/${count}`}</span>
              <span className="sr-only">{`Photo ${index + 1} of ${count}`}</span>
            </span>
            <AltChip alt={picture.alt} />
          </li>
        ))}
      </ul>
      {acted && <SetControls row={row} count={count} keptBy={large ? undefined : first.key} />}
    </PhotoFrame>
  );
}
