import { useEffect, useState, type KeyboardEvent, type ReactNode } from "react";
import * as words from "#messages/composer.json";
import { direction } from "#messages/language.json";
import { listComma } from "#messages/text.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { badgeText, PhotoBadge } from "#app/features/posts/composer/photo-badge.tsx";
import { useReadable } from "#app/features/posts/composer/use-readable.ts";
import { useSortByDrag } from "#app/features/posts/composer/use-sort-by-drag.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon, ImageIcon, TrashIcon } from "#app/ui/icons.ts";

export type PhotoSize = { width: number; height: number };

type Props = {
  photos: readonly ChosenPhoto[];
  /** the photo that is previewed and described */
  chosenId: string;
  onChoose: (id: string) => void;
  /** `to` counts from 0 */
  onMove: (id: string, to: number) => void;
  onRemove: (id: string) => void;
  /** A photo is drawn: its size in pixels. */
  onSize: (id: string, size: PhotoSize) => void;
  /** list items after the last photo */
  children: ReactNode;
};

/** The photos of a post in their order: select one, sort by drag or by keys, remove one. */
export function PhotoStrip(props: Props) {
  const { photos, chosenId, onChoose, onMove, onRemove, onSize, children } = props;
  const [announcement, setAnnouncement] = useState("");
  const { draggedId, handlers } = useSortByDrag(move);
  const count = photos.length;
  const at = photos.findIndex(({ id }) => id === chosenId);
  const { ref: list } = handlers;
  useEffect(() => keepInView(list.current, at), [list, at]);

  function move(id: string, to: number): void {
    if (to < 0 || to >= count) return;
    onMove(id, to);
    setAnnouncement(fill(words.moved, { at: to + 1, count }));
  }

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const ahead = direction === "rtl" ? -1 : 1;
    const steps: Record<string, number> = { ArrowLeft: -ahead, ArrowRight: ahead };
    const step = steps[event.key];
    const photo = photos[index];
    if (step === undefined || !photo || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.shiftKey) return move(photo.id, index + step);
    const next = photos[index + step];
    if (!next) return;
    onChoose(next.id);
    const other = event.currentTarget.closest("ul")?.children[index + step];
    other?.querySelector("button")?.focus();
  }

  function remove(): void {
    onRemove(chosenId);
    setAnnouncement(count > 1 ? counted(words.removedLeft, count - 1) : words.removed);
  }

  return (
    <div>
      <ul
        {...handlers}
        aria-label={words.yourPhotos}
        className="composer-strip relative flex gap-2 p-3 select-none"
      >
        {photos.map((photo, index) => (
          <li
            key={photo.id}
            data-sort-id={photo.id}
            data-dragged={photo.id === draggedId || undefined}
            className={`relative size-14 shrink-0 ${photo.id === draggedId ? "z-10 rounded-field shadow-lg" : ""}`}
          >
            <button
              type="button"
              aria-pressed={photo.id === chosenId}
              aria-label={nameOf(photo, index + 1, count)}
              onClick={() => onChoose(photo.id)}
              onKeyDown={(event) => onKeyDown(event, index)}
              className="block size-full touch-manipulation overflow-hidden rounded-field bg-base-300"
            >
              <Thumbnail photo={photo} onSize={onSize} />
              <PhotoBadge photo={photo} />
              {photo.alt ? <AltChip /> : null}
            </button>
          </li>
        ))}
        {children}
      </ul>
      {at < 0 ? null : (
        <Tools at={at} count={count} onStep={(by) => move(chosenId, at + by)} onRemove={remove} />
      )}
      <output className="sr-only">{announcement}</output>
    </div>
  );
}

/** With what there is to say of it: "Photo 2 of 3: paused, has alt text". */
function nameOf(photo: ChosenPhoto, at: number, count: number): string {
  const states = [badgeText(photo), photo.alt ? words.hasAlt : ""].filter(Boolean);
  if (states.length === 0) return fill(words.photoOf, { at, count });
  const all = states.reduce((first, next) => fill(listComma, { first, next }));
  return fill(words.photoOfWith, { at, count, states: all });
}

type ToolsProps = {
  /** index of the selected photo, from 0 */
  at: number;
  count: number;
  onStep: (by: 1 | -1) => void;
  onRemove: () => void;
};

/** For the selected photo, on it. */
const Tools = ({ at, count, onStep, onRemove }: ToolsProps) => (
  <div className="composer-tools absolute start-2 flex rounded-full bg-black/60 text-white">
    {count > 1 ? (
      <>
        <IconButton label={words.moveEarlier} aria-disabled={at === 0} onClick={() => onStep(-1)}>
          <CaretLeftIcon className="size-5 rtl:-scale-x-100" aria-hidden />
        </IconButton>
        <IconButton
          label={words.moveLater}
          aria-disabled={at === count - 1}
          onClick={() => onStep(1)}
        >
          <CaretRightIcon className="size-5 rtl:-scale-x-100" aria-hidden />
        </IconButton>
      </>
    ) : null}
    <IconButton
      label={count > 1 ? fill(words.removePhotoAt, { at: at + 1 }) : words.removePhoto}
      onClick={onRemove}
    >
      <TrashIcon className="size-5" aria-hidden />
    </IconButton>
  </div>
);

/** Scrolls the strip, and nothing else, to one of its photos. */
function keepInView(list: HTMLElement | null, at: number): void {
  const photo = list?.children[at];
  if (!list || !(photo instanceof HTMLElement)) return;
  const { offsetLeft: start, offsetWidth: width } = photo;
  const most = start - margin;
  const least = start + width + margin - list.clientWidth;
  list.scrollLeft = Math.max(Math.min(list.scrollLeft, most), least);
}

/** Beside the first and the last photo, CSS pixels. */
const margin = 12;

type ThumbnailProps = { photo: ChosenPhoto; onSize: Props["onSize"] };

function Thumbnail({ photo, onSize }: ThumbnailProps) {
  const { src, onError } = useReadable(photo);
  const sized = (image: HTMLImageElement) =>
    onSize(photo.id, { width: image.naturalWidth, height: image.naturalHeight });
  return src ? (
    <img
      key={src}
      src={src}
      alt=""
      draggable={false}
      decoding="async"
      ref={(image) => {
        // Drawn before the scripts were there.
        if (image?.complete && image.naturalWidth > 0) sized(image);
      }}
      onLoad={({ currentTarget }) => sized(currentTarget)}
      onError={onError}
      className="size-full object-cover"
    />
  ) : (
    <span className="grid size-full place-items-center text-muted">
      <ImageIcon className="size-6" aria-hidden />
    </span>
  );
}

function AltChip() {
  return (
    <span
      aria-hidden
      className="composer-alt absolute top-1 rounded bg-black/60 px-1 font-semibold text-white"
    >
      {words.altMark}
    </span>
  );
}
