import { useLayoutEffect, useRef, type ReactNode } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import type { AlbumPhoto, AlbumView, Page } from "#shared/views.ts";
import { photoName } from "#app/features/albums/album-grid.tsx";
import { useSortByDrag } from "#app/features/posts/composer/use-sort-by-drag.ts";
import { errorMessage, sendJson } from "#app/lib/api-client.ts";
import { instead } from "#app/lib/instead.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.ts";
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

/** Whether a change was saved; otherwise a message says what stays, and why. */
async function isSaved(call: Promise<unknown>, stays: string): Promise<boolean> {
  try {
    await call;
    forgetLists();
    return true;
  } catch (error) {
    notify.error(fill(stays, { reason: errorMessage(error) }));
    return false;
  }
}

/** Moves at once, and back with a message where that fails. Each move says which photo it follows. */
function useArranging(id: string, list: ReturnType<typeof useInfiniteList<AlbumPhoto>>) {
  const { items, change } = list;
  const moved = useRef<string | null>(null);
  /** as the server has them */
  const saved = useRef(items);
  /** One after another: what is moved twice is where it was moved last. */
  const saving = useRef(Promise.resolve());
  const now = useRef(items);
  useLayoutEffect(() => {
    now.current = items;
  }, [items]);

  function moveTo(item: string, to: number): void {
    const photo = now.current.find((one) => one.id === item);
    if (!photo) return;
    if (moved.current === null) saved.current = now.current;
    now.current = now.current.filter((one) => one !== photo).toSpliced(to, 0, photo);
    const changed = now.current;
    change((shown) => ({ ...shown, items: changed }));
    moved.current = item;
  }

  function save(): void {
    const item = moved.current;
    if (item === null) return;
    moved.current = null;
    const before = saved.current;
    const at = now.current.findIndex((one) => one.id === item);
    const after = now.current[at - 1]?.id ?? null;
    const earlier = saving.current;
    const send = async () => {
      await earlier;
      const call = sendJson("PUT", `/api/albums/${id}/order`, { item, after });
      if (!(await isSaved(call, words.notMoved))) {
        change((shown) => ({ ...shown, items: before }));
      }
    };
    saving.current = send();
  }

  async function takeOut({ id: item, authorUsername, number, audience }: AlbumPhoto) {
    const sure = await ask({
      title: words.takeThisOut,
      text: audience === "album" ? words.addedGoes : words.postStays,
      ok: words.takeOut,
      cancel: common.cancel,
    });
    if (!sure) return;
    const call = sendJson("DELETE", `/api/albums/${id}/posts/${authorUsername}/${number}`);
    if (await isSaved(call, words.stillInAlbum)) {
      change((shown) => ({ ...shown, items: shown.items.filter((one) => one.id !== item) }));
    }
  }

  async function makeCover({ id: item }: AlbumPhoto) {
    const call = sendJson("PUT", `/api/albums/${id}/cover`, { item });
    if (await isSaved(call, words.coverStill)) notify.success(words.coverChanged);
  }

  return { items, moveTo, save, takeOut, makeCover };
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
