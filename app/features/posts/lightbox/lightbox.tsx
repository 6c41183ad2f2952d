import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { largestVariant } from "#shared/pictures.ts";
import type { PictureView } from "#shared/views.ts";
import { attachGestures, type Gestures } from "#app/features/posts/lightbox/gestures.ts";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon, XIcon } from "#app/ui/icons.ts";

type Props = {
  pictures: PictureView[];
  /** which of them is opened, from 0 */
  start: number;
  /** for a picture nobody described */
  alt: string;
  onClose: () => void;
};

/** CSS pixels that an arrow key moves a zoomed picture. */
const step = 80;
const round = "bg-black/50 text-white hover:bg-white/20";

/** Pictures as large as the window: zoom, swipe, arrow keys; Escape closes. */
export function Lightbox({ pictures, start, alt, onClose }: Props) {
  const [index, setIndex] = useState(start);
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const gestures = useRef<Gestures>(null);
  const last = pictures.length - 1;
  const picture = pictures[index];

  const go = (to: number) => setIndex(Math.min(last, Math.max(0, to)));

  useEffect(() => {
    if (!dialog.current?.open) dialog.current?.showModal();
  }, []);

  useEffect(() => {
    if (!frame.current || !image.current || !picture) return;
    gestures.current = attachGestures(frame.current, image.current, largestVariant(picture), {
      onSwipe: (direction) =>
        setIndex((current) => Math.min(last, Math.max(0, current + direction))),
      onDismiss: () => dialog.current?.close(),
    });
    return () => gestures.current?.detach();
  }, [picture, last]);

  // The neighbours come while one looks.
  useEffect(() => {
    for (const neighbour of [pictures[index + 1], pictures[index - 1]]) {
      if (neighbour) new Image().src = largestVariant(neighbour).url;
    }
  }, [pictures, index]);

  function press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const shown = gestures.current;
    const keys: Record<string, () => unknown> = {
      ArrowRight: () => shown?.pan({ x: -step, y: 0 }) || go(index + 1),
      ArrowLeft: () => shown?.pan({ x: step, y: 0 }) || go(index - 1),
      ArrowDown: () => shown?.pan({ x: 0, y: -step }),
      ArrowUp: () => shown?.pan({ x: 0, y: step }),
      Home: () => go(0),
      End: () => go(last),
      "+": () => shown?.zoomBy(1.5),
      "=": () => shown?.zoomBy(1.5),
      "-": () => shown?.zoomBy(1 / 1.5),
      "0": () => shown?.zoomOut(),
    };
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  if (!picture) return null;
  const { url } = largestVariant(picture);
  const count = pictures.length > 1 ? `Photo ${index + 1} of ${pictures.length}` : "Photo";
  return (
    // What its keys do, its buttons and gestures do too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={count}
      onClose={onClose}
      onKeyDown={press}
      className="fixed inset-0 m-0 h-dvh max-h-none w-full max-w-none overflow-hidden border-0 bg-black p-0 text-white motion-fade"
    >
      <div
        ref={frame}
        className="size-full cursor-zoom-in touch-none overflow-hidden select-none data-zoomed:cursor-grab"
      >
        <img
          key={picture.key}
          ref={image}
          src={url}
          width={picture.width}
          height={picture.height}
          alt={picture.alt || alt}
          draggable={false}
          className="size-full object-scale-down motion-fade"
        />
      </div>
      <div className="pointer-events-none absolute inset-x-0 top-0 flex items-center justify-between p-2">
        <output className="rounded-full bg-black/50 px-3 py-1 text-sm tabular-nums empty:invisible">
          {last > 0 && (
            <>
              <span aria-hidden="true">{`${index + 1} / ${pictures.length}`}</span>
              <span className="sr-only">{count}</span>
            </>
          )}
        </output>
        <IconButton
          label="Close"
          className={`pointer-events-auto ${round}`}
          onClick={() => dialog.current?.close()}
        >
          <XIcon className="size-6" aria-hidden />
        </IconButton>
      </div>
      {last > 0 && (
        <>
          <IconButton
            label="Previous photo"
            aria-disabled={index === 0}
            className={`absolute start-2 top-1/2 -translate-y-1/2 aria-disabled:opacity-30 ${round}`}
            onClick={() => go(index - 1)}
          >
            <CaretLeftIcon className="size-6" aria-hidden />
          </IconButton>
          <IconButton
            label="Next photo"
            aria-disabled={index === last}
            className={`absolute end-2 top-1/2 -translate-y-1/2 aria-disabled:opacity-30 ${round}`}
            onClick={() => go(index + 1)}
          >
            <CaretRightIcon className="size-6" aria-hidden />
          </IconButton>
        </>
      )}
    </dialog>
  );
}
