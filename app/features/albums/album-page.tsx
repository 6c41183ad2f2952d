import { useState } from "react";
import type { AlbumPhoto, AlbumView, Page } from "#shared/views.ts";
import { AlbumGrid } from "#app/features/albums/album-grid.tsx";
import { AlbumHeader } from "#app/features/albums/album-header.tsx";
import { albumPath, mayAdd } from "#app/features/albums/album-paths.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PlayIcon } from "#app/ui/icons.ts";
import { lazyComponent, notifyAndClose } from "#app/ui/lazy-component.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

const SlideShow = lazyComponent(
  async () => (await import("#app/features/albums/slide-show.tsx")).SlideShow,
  notifyAndClose,
);

type Props = { album: AlbumView; first: Page<AlbumPhoto>; viewerId: string | null };

/** An album: what it is, and its photos. */
export function AlbumPage({ album, first, viewerId }: Props) {
  const list = useInfiniteList(first, `/api/albums/${album.id}/photos`);
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const hydrated = useHydrated();
  const { items } = list;
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[1183px] lg:p-6">
      <AlbumHeader
        album={album}
        viewerId={viewerId}
        slideShow={
          items.some(({ sensitive }) => !sensitive) && (
            // Without scripts it could show nothing; its room is there, so that nothing moves.
            <Button
              className={hydrated ? "" : "invisible"}
              onClick={({ currentTarget }) => setOpener(currentTarget)}
            >
              <PlayIcon weight="fill" className="size-5" aria-hidden />
              Slide show
            </Button>
          )
        }
      />
      {items.length > 0 ? (
        <>
          <AlbumGrid photos={items} order={album.order} />
          <ListFoot
            list={list}
            label="More photos"
            waiting={<Skeleton className="mt-1 h-30 rounded-none md:h-60" />}
          />
        </>
      ) : (
        <NoPhotos album={album} />
      )}
      {opener && <SlideShow list={list} opener={opener} onClose={() => setOpener(null)} />}
    </div>
  );
}

const NoPhotos = ({ album: { id, role } }: { album: AlbumView }) =>
  mayAdd(role) ? (
    <EmptyState
      drawing="card"
      title="Nothing in it yet"
      action={
        <ButtonLink to={albumPath(id, "add")} look="primary">
          Add the first photos
        </ButtonLink>
      }
    />
  ) : (
    <EmptyState drawing="card" title="Nothing in it yet">
      <p>Photos that you may see will be here.</p>
    </EmptyState>
  );
