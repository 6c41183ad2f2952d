import { useState, type KeyboardEvent, type ReactNode } from "react";
import { useSortByDrag } from "#app/features/posts/composer/use-sort-by-drag.ts";
import { IconButton } from "#app/ui/button.tsx";
import { CaretLeftIcon, CaretRightIcon, ImageIcon, TrashIcon } from "#app/ui/icons.ts";

/** A photo of a post that is being written or edited. */
export type StripPhoto = {
  id: string;
  /** an address it can be shown from; null where there is none */
  preview: string | null;
  alt: string;
};

type Props<Photo extends StripPhoto> = {
  photos: readonly Photo[];
  /** the photo that is seen large and described */
  chosenId: string | null;
  onChoose: (id: string) => void;
  /** `to` counts from 0 */
  onMove: (id: string, to: number) => void;
  onRemove: (id: string) => void;
  /** over a photo: how far it is, or that something is wrong with it */
  badge?: (photo: Photo) => ReactNode;
  /** the same in words, for who does not see it */
  stateOf?: (photo: Photo) => string;
  /** list items behind the last photo, such as one that adds more */
  after?: ReactNode;
};

/** The photos of a post in their order: choose one, sort by drag or by keys, take one out. */
export function PhotoStrip<Photo extends StripPhoto>(props: Props<Photo>) {
  const { photos, chosenId, onChoose, onMove, onRemove, badge, stateOf, after } = props;
  const [said, setSaid] = useState("");
  const { draggedId, handlers } = useSortByDrag(move);
  const count = photos.length;
  const at = photos.findIndex(({ id }) => id === chosenId);

  function move(id: string, to: number): void {
    if (to < 0 || to >= count) return;
    onMove(id, to);
    setSaid(`Moved to position ${to + 1} of ${count}.`);
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
    const photo = photos[at];
    if (!photo) return;
    onRemove(photo.id);
    setSaid(count > 1 ? `Removed. ${count - 1} left.` : "Removed.");
  }

  return (
    <div>
      <ul
        {...handlers}
        aria-label="Your photos"
        className="relative grid grid-cols-5 gap-2 select-none"
      >
        {photos.map((photo, index) => {
          const { id, preview, alt } = photo;
          const states = [stateOf?.(photo), alt ? "has alt text" : ""].filter(Boolean).join(", ");
          return (
            <li
              key={id}
              data-sort-id={id}
              data-dragged={id === draggedId || undefined}
              className="relative aspect-square data-dragged:z-10 data-dragged:scale-110"
            >
              <button
                type="button"
                aria-pressed={id === chosenId}
                aria-label={`Photo ${index + 1} of ${count}${states ? `: ${states}` : ""}`}
                onClick={() => onChoose(id)}
                onKeyDown={(event) => onKeyDown(event, index)}
                className={`block size-full touch-manipulation overflow-hidden rounded-field bg-base-300 ${
                  id === draggedId ? "cursor-grabbing shadow-lg" : ""
                } ${id === chosenId ? "ring-2 ring-primary ring-offset-2 ring-offset-base-200" : ""}`}
              >
                <Thumbnail key={preview} src={preview} />
                {badge?.(photo)}
                {alt ? <AltChip /> : null}
              </button>
            </li>
          );
        })}
        {after}
      </ul>
      {at < 0 ? null : (
        <div className="-mx-2 flex items-center text-sm text-muted">
          {count > 1 ? (
            <>
              <IconButton label="Move earlier" aria-disabled={at === 0} {...step(-1)}>
                <CaretLeftIcon className="size-5" aria-hidden />
              </IconButton>
              <span className="whitespace-nowrap tabular-nums">
                {at + 1} of {count}
              </span>
              <IconButton label="Move later" aria-disabled={at === count - 1} {...step(1)}>
                <CaretRightIcon className="size-5" aria-hidden />
              </IconButton>
              <span className="ms-1 whitespace-nowrap max-lg:hidden">Drag to sort</span>
            </>
          ) : null}
          <button
            type="button"
            className="btn ms-auto gap-2 px-3 font-normal btn-ghost"
            onClick={remove}
          >
            <TrashIcon className="size-5" aria-hidden />
            {count > 1 ? `Remove photo ${at + 1}` : "Remove the photo"}
          </button>
        </div>
      )}
      <output className="sr-only">{said}</output>
    </div>
  );

  function step(by: number) {
    const id = photos[at]?.id ?? "";
    return { onClick: () => move(id, at + by), className: "aria-disabled:opacity-30" };
  }
}

/** Most browsers cannot show a HEIC: then an icon stands for it. */
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
