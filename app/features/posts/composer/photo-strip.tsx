import { useState, type KeyboardEvent, type ReactNode } from "react";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { badgeText, PhotoBadge } from "#app/features/posts/composer/photo-badge.tsx";
import { useSortByDrag } from "#app/features/posts/composer/use-sort-by-drag.ts";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon, ImageIcon, TrashIcon } from "#app/ui/icons.ts";

type Props = {
  photos: readonly ChosenPhoto[];
  /** the photo that is previewed and described */
  chosenId: string;
  onChoose: (id: string) => void;
  /** `to` counts from 0 */
  onMove: (id: string, to: number) => void;
  onRemove: (id: string) => void;
  /** list items after the last photo */
  children: ReactNode;
};

/** The photos of a post in their order: select one, sort by drag or by keys, remove one. */
export function PhotoStrip({ photos, chosenId, onChoose, onMove, onRemove, children }: Props) {
  const [announcement, setAnnouncement] = useState("");
  const { draggedId, handlers } = useSortByDrag(move);
  const count = photos.length;
  const at = photos.findIndex(({ id }) => id === chosenId);

  function move(id: string, to: number): void {
    if (to < 0 || to >= count) return;
    onMove(id, to);
    setAnnouncement(`Moved to position ${to + 1} of ${count}.`);
  }

  function onKeyDown(event: KeyboardEvent<HTMLButtonElement>, index: number): void {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
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
    setAnnouncement(count > 1 ? `Removed. ${count - 1} left.` : "Removed.");
  }

  return (
    <div>
      <ul
        {...handlers}
        aria-label="Your photos"
        className="relative grid grid-cols-5 gap-2 select-none"
      >
        {photos.map((photo, index) => (
          <li
            key={photo.id}
            data-sort-id={photo.id}
            data-dragged={photo.id === draggedId || undefined}
            className="relative aspect-square data-dragged:z-10 data-dragged:scale-110"
          >
            <button
              type="button"
              aria-pressed={photo.id === chosenId}
              aria-label={`Photo ${index + 1} of ${count}${statesOf(photo)}`}
              onClick={() => onChoose(photo.id)}
              onKeyDown={(event) => onKeyDown(event, index)}
              className={`block size-full touch-manipulation overflow-hidden rounded-field bg-base-300 ${
                photo.id === draggedId ? "cursor-grabbing shadow-lg" : ""
              } ${photo.id === chosenId ? "ring-2 ring-primary ring-offset-2 ring-offset-base-200" : ""}`}
            >
              <Thumbnail key={photo.preview} src={photo.preview} />
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

function statesOf(photo: ChosenPhoto): string {
  const states = [badgeText(photo), photo.alt ? "has alt text" : ""].filter(Boolean);
  return states.length > 0 ? `: ${states.join(", ")}` : "";
}

type ToolsProps = {
  /** index of the selected photo, from 0 */
  at: number;
  count: number;
  onStep: (by: 1 | -1) => void;
  onRemove: () => void;
};

/** For the selected photo. */
const Tools = ({ at, count, onStep, onRemove }: ToolsProps) => (
  <div className="-mx-2 flex items-center text-sm text-muted">
    {count > 1 ? (
      <>
        <IconButton
          label="Move earlier"
          aria-disabled={at === 0}
          onClick={() => onStep(-1)}
          className="aria-disabled:opacity-30"
        >
          <CaretLeftIcon className="size-5" aria-hidden />
        </IconButton>
        <span className="whitespace-nowrap tabular-nums">
          {at + 1} of {count}
        </span>
        <IconButton
          label="Move later"
          aria-disabled={at === count - 1}
          onClick={() => onStep(1)}
          className="aria-disabled:opacity-30"
        >
          <CaretRightIcon className="size-5" aria-hidden />
        </IconButton>
        <span className="ms-1 whitespace-nowrap max-lg:hidden">Drag to sort</span>
      </>
    ) : null}
    <button
      type="button"
      className="btn ms-auto gap-2 px-3 font-normal btn-ghost"
      onClick={onRemove}
    >
      <TrashIcon className="size-5" aria-hidden />
      {count > 1 ? `Remove photo ${at + 1}` : "Remove the photo"}
    </button>
  </div>
);

/** Most browsers cannot show a HEIC: an icon replaces it. */
function Thumbnail({ src }: { src: string | null }) {
  const [readable, setReadable] = useState(src !== null);
  return readable && src !== null ? (
    <img
      src={src}
      alt=""
      draggable={false}
      decoding="async"
      onError={() => setReadable(false)}
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
      className="absolute start-1 top-1 rounded-sm bg-black/65 px-1 text-[10px]/4 font-semibold text-white"
    >
      ALT
    </span>
  );
}
