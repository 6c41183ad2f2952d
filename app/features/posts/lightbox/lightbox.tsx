import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from "react";
import { useNavigate } from "react-router";
import { largestVariant } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";
import { close } from "#messages/common.json";
import * as words from "#messages/lightbox.json";
import { photoOf } from "#messages/posts.json";
import { Details, usePhotoFacts, type ShownPost } from "#app/features/posts/lightbox/details.tsx";
import { attachGestures, type Gestures } from "#app/features/posts/lightbox/gestures.ts";
import {
  neighbourOf,
  openNeighbour,
  type Direction,
} from "#app/features/posts/lightbox/neighbours.ts";
import { leaveOverlay } from "#app/features/posts/lightbox/overlay-history.ts";
import { useGrowingOut } from "#app/features/posts/lightbox/use-growing-out.ts";
import { fullSize, useSources } from "#app/features/posts/lightbox/use-sources.ts";
import { useSlides, type Slides } from "#app/features/posts/lightbox/use-slides.ts";
import { PhotoSteps, rightward } from "#app/features/posts/photo-steps.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { PauseIcon, PlayIcon, XIcon } from "#app/ui/icons.ts";

type Props = {
  photos: ImageView[];
  /** index of the one that is opened, from 0 */
  start: number;
  /** the pressed element: the photo grows out of it, and goes back there */
  opener: HTMLElement;
  /** for a photo without a description */
  alt: string;
  of?: ShownPost | undefined;
  /** a slide show: one after the other by themselves */
  slides?: Slides;
  onClose: () => void;
};

/** CSS pixels that an arrow key moves a zoomed photo. */
const farther = 80;
const round = "bg-black/50 text-white hover:bg-white/20";

/**
 * Photos as large as the window: zoom, swipe, arrow keys, past the last photo to the next post of the list
 * one came from. One press hides all but the photo. Escape closes, and so does Back.
 */
export function Lightbox({ photos, start, opener, alt, of, slides, onClose }: Props) {
  const [index, setIndex] = useState(start);
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const gestures = useRef<Gestures>(null);
  const last = photos.length - 1;
  const photo = photos[index];
  const { source, sharpen } = useSources(photo, index === start ? opener : null);

  const photoFacts = usePhotoFacts(of);

  const [bare, setBare] = useState(false);
  const posts = { before: neighbourOf(of?.post.id, -1), after: neighbourOf(of?.post.id, 1) };
  const onward = useRef<() => void>(null);
  const navigate = useNavigate();

  function go(to: number): void {
    const post = to > last ? posts.after : to < 0 ? posts.before : null;
    if (!post) return setIndex(Math.min(last, Math.max(0, to)));
    onward.current = () =>
      void openNeighbour(post, to < 0 ? -1 : 1, {
        navigate,
        failed: () => dialog.current?.close(),
      });
    leaveOverlay();
  }

  function toggleBare(): void {
    setBare(!bare);
    // What had the focus may be hidden now: keys are heard all the same.
    dialog.current?.focus();
  }

  useGrowingOut(opener, { dialog, image, gestures, index, onward });

  const sharpenShown = useEffectEvent(() => sharpen());
  const step = useEffectEvent((direction: Direction) => go(index + direction));
  const pressed = useEffectEvent((beside: boolean) =>
    beside && !bare ? leaveOverlay() : toggleBare(),
  );
  useLayoutEffect(() => {
    if (!frame.current || !image.current || !photo) return;
    const sizes = { size: largestVariant(photo), full: fullSize(photo) };
    gestures.current = attachGestures(frame.current, image.current, sizes, {
      onSwipe: (towards) => step(towards === rightward ? 1 : -1),
      onDismiss: leaveOverlay,
      onPress: (beside) => pressed(beside),
      onLookClosely: () => sharpenShown(),
    });
    return () => gestures.current?.detach();
  }, [photo]);

  useNeighbours(photos, index);
  const show = useSlides(slides, index, (from) => setIndex(from < last ? from + 1 : 0));

  function press(event: KeyboardEvent): void {
    if (event.key === "Tab") setBare(false);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = gestures.current;
    const keys: Record<string, () => unknown> = {
      ArrowRight: () => shown?.pan({ x: -farther, y: 0 }) || go(index + rightward),
      ArrowLeft: () => shown?.pan({ x: farther, y: 0 }) || go(index - rightward),
      ArrowDown: () => shown?.pan({ x: 0, y: -farther }),
      ArrowUp: () => shown?.pan({ x: 0, y: farther }),
      Home: () => go(0),
      End: () => go(last),
      "+": () => shown?.zoomBy(1.5),
      "=": () => shown?.zoomBy(1.5),
      "-": () => shown?.zoomBy(1 / 1.5),
      "0": () => shown?.zoomOut(),
      h: toggleBare,
      ...(slides && { " ": show.toggle }),
    };
    const act = keys[event.key];
    // On a button the space bar presses it.
    if (!act || (event.key === " " && (event.target as Element).closest("button"))) return;
    event.preventDefault();
    act();
  }

  if (!photo) return null;
  const count = last > 0 ? fill(photoOf, { index: index + 1, count: photos.length }) : words.photo;
  return (
    // Everything its keys do, its buttons and gestures do too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-label={count}
      data-bare={bare ? "" : undefined}
      onCancel={(event) => {
        event.preventDefault();
        leaveOverlay();
      }}
      onClose={onClose}
      onKeyDown={press}
      className="fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none flex-col overflow-hidden border-0 bg-black p-0 text-white open:flex"
    >
      <TopBar index={index} last={last} label={count}>
        {slides && <PlayButton {...show} />}
      </TopBar>
      <div className="peer relative flex min-h-0 flex-1">
        {(last > 0 || posts.before || posts.after) && (
          <PhotoSteps
            index={index}
            last={last}
            go={go}
            posts={{ before: posts.before !== null, after: posts.after !== null }}
            className={`in-data-bare:invisible absolute top-1/2 z-10 -translate-y-1/2 aria-disabled:opacity-30 ${round}`}
          />
        )}
        <div
          ref={frame}
          className="relative flex-1 cursor-zoom-in touch-none select-none data-zoomed:cursor-grab"
        >
          <img
            key={photo.key}
            ref={image}
            src={source}
            width={photo.width}
            height={photo.height}
            alt={photo.alt || alt}
            draggable={false}
            onError={slides?.onBroken}
            className="absolute inset-0 m-auto max-w-none"
          />
        </div>
      </div>
      {(of || photo.alt) && <Details photo={photo} of={of} photoFacts={photoFacts} />}
    </dialog>
  );
}

/** The neighbours load meanwhile. */
function useNeighbours(photos: readonly ImageView[], index: number): void {
  useEffect(() => {
    for (const neighbour of [photos[index + 1], photos[index - 1]]) {
      if (neighbour) new Image().src = largestVariant(neighbour).url;
    }
  }, [photos, index]);
}

type TopBarProps = { index: number; last: number; label: string; children: ReactNode };

/** The number of the photo, and the close button. */
const TopBar = ({ index, last, label, children }: TopBarProps) => (
  <div className="pointer-events-none absolute inset-x-0 top-0 z-10 flex items-center justify-between p-2 in-data-bare:invisible">
    <output className="rounded-full bg-black/50 px-3 py-1 text-sm empty:invisible">
      {last > 0 && (
        <>
          <span aria-hidden="true">{`${index + 1} / ${last + 1}`}</span>
          <span className="sr-only">{label}</span>
        </>
      )}
    </output>
    <span className="pointer-events-auto flex gap-2">
      {children}
      <IconButton label={close} className={round} onClick={leaveOverlay}>
        <XIcon className="size-6" aria-hidden />
      </IconButton>
    </span>
  </div>
);

const PlayButton = ({ playing, toggle }: { playing: boolean; toggle: () => void }) => (
  <IconButton label={playing ? words.pause : words.play} className={round} onClick={toggle}>
    {playing ? (
      <PauseIcon weight="fill" className="size-6" aria-hidden />
    ) : (
      <PlayIcon weight="fill" className="size-6" aria-hidden />
    )}
  </IconButton>
);
