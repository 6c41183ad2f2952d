import type { ReactNode } from "react";
import * as words from "#messages/albums.json";
import type { AlbumPhoto, AlbumView, Page } from "#shared/views.ts";
import { photoName } from "#app/features/albums/album-grid.tsx";
import { useArranging } from "#app/features/albums/use-arranging.ts";
import { useSortByDrag } from "#app/features/posts/composer/use-sort-by-drag.ts";
import { instead } from "#app/lib/instead.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { CaretLeftIcon, CaretRightIcon, type Icon } from "#app/ui/icons.ts";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { focusClass, Photo } from "#app/ui/photo.tsx";
import { GridSkeleton } from "#app/ui/skeleton.tsx";

type Props = { album: AlbumView; first: Page<AlbumPhoto> };

/** The photos of an album to be moved, taken out, or made its cover; without scripts by plain forms. */
export function ArrangePhotos({ album, first }: Props) {
  const { id, order, role } = album;
  const list = useInfiniteList(first, `/api/albums/${id}/photos`);
  const { items, moveTo, save, takeOut, makeCover } = useArranging(id, list);
  const sort = useSortByDrag((item, to) => moveTo(item, to));
  const byHand = order === "manual";
  const drop = () => {
    sort.handlers.onPointerUp();
    save();
  };
  return (
    <>
      <p className="px-4 pb-4 text-pretty text-muted md:px-0">
        {byHand ? words.dragPhotos : words.orderedByDate}
      </p>
      <ul
        {...(byHand && sort.handlers)}
        onPointerUp={drop}
        onPointerCancel={drop}
        className="relative grid grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))] gap-3 px-4 pb-4 md:px-0"
      >
        {items.map((photo, index) => (
          <li
            key={photo.id}
            data-sort-id={byHand ? photo.id : undefined}
            className={`min-w-0 rounded-box border border-line bg-base-100 ${
              sort.draggedId === photo.id ? "z-10 shadow-lg" : ""
            }`}
          >
            {photo.picture && (
              <Photo
                photo={photo.picture}
                alt={photoName(photo)}
                sizes="(min-width: 48rem) 190px, 50vw"
                className={`aspect-square rounded-t-box select-none ${focusClass(photo.picture)}`}
              />
            )}
            <PhotoForm
              {...{ photo, byHand, own: role === "owner" }}
              before={items[index - 2]?.id ?? null}
              next={items[index + 1]?.id ?? null}
              first={index === 0}
              onMove={(by) => {
                moveTo(photo.id, index + by);
                save();
              }}
              onTakeOut={() => void takeOut(photo)}
              onCover={() => void makeCover(photo)}
            />
          </li>
        ))}
      </ul>
      <ListFoot list={list} label={words.morePhotos} waiting={<GridSkeleton rows={1} />} />
    </>
  );
}

type FormProps = {
  photo: AlbumPhoto;
  byHand: boolean;
  own: boolean;
  /** which photo it follows once it is moved earlier; null: it becomes the first */
  before: string | null;
  /** which photo it follows once it is moved later */
  next: string | null;
  first: boolean;
  onMove: (by: -1 | 1) => void;
  onTakeOut: () => void;
  onCover: () => void;
};

/** Its buttons; each submits a form until scripts run. */
function PhotoForm({ photo, byHand, own, before, next, first, ...on }: FormProps) {
  const { onMove, onTakeOut, onCover } = on;
  const named = { photo: photoName(photo) };
  const item = <input type="hidden" name="item" value={photo.id} />;
  return (
    <>
      {byHand && (
        <div className="flex justify-between px-1">
          <MoveForm
            item={item}
            after={before}
            label={fill(words.moveEarlier, named)}
            Arrow={CaretLeftIcon}
            onMove={first ? null : () => onMove(-1)}
          />
          <MoveForm
            item={item}
            after={next ?? before}
            label={fill(words.moveLater, named)}
            Arrow={CaretRightIcon}
            onMove={next === null ? null : () => onMove(1)}
          />
        </div>
      )}
      <div className="flex flex-wrap justify-between px-1">
        {own && (
          <form method="post" onSubmit={instead(onCover)}>
            {item}
            <IntentButton
              intent="cover"
              look="quiet"
              className="px-2"
              aria-label={fill(words.makeCover, named)}
            >
              {words.cover}
            </IntentButton>
          </form>
        )}
        {(own || photo.mine) && (
          <form method="post" onSubmit={instead(onTakeOut)}>
            <input type="hidden" name="address" value={photo.authorUsername} />
            <input type="hidden" name="number" value={photo.number} />
            <IntentButton
              intent="take-out"
              look="quiet"
              className="px-2"
              aria-label={fill(words.takeOutPhoto, named)}
            >
              {words.takeOut}
            </IntentButton>
          </form>
        )}
      </div>
    </>
  );
}

type MoveProps = {
  item: ReactNode;
  after: string | null;
  label: string;
  Arrow: Icon;
  /** null: it is at that end already */
  onMove: (() => void) | null;
};

const MoveForm = ({ item, after, label, Arrow, onMove }: MoveProps) => (
  <form method="post" onSubmit={instead(() => onMove?.())}>
    {item}
    <input type="hidden" name="after" value={after ?? ""} />
    <IconButton
      type="submit"
      name="intent"
      value="move"
      label={label}
      aria-disabled={onMove === null}
      className="aria-disabled:opacity-30"
    >
      <Arrow className="size-5 rtl:-scale-x-100" aria-hidden />
    </IconButton>
  </form>
);
