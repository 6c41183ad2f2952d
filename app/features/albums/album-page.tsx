import * as words from "#messages/albums.json";
import type { AlbumPhoto, AlbumView, Page } from "#shared/views.ts";
import { AlbumGrid } from "#app/features/albums/album-grid.tsx";
import { AlbumHeader } from "#app/features/albums/album-header.tsx";
import { albumPath, mayAdd } from "#app/features/albums/album-paths.ts";
import { SlideShowButton } from "#app/features/albums/slide-show-button.tsx";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

type Props = { album: AlbumView; first: Page<AlbumPhoto>; viewerId: string | null };

/** An album: what it is, and its photos. */
export function AlbumPage({ album, first, viewerId }: Props) {
  const list = useInfiniteList(first, `/api/albums/${album.id}/photos`);
  const { items } = list;
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[1183px] lg:p-6">
      <AlbumHeader album={album} viewerId={viewerId} slideShow={<SlideShowButton list={list} />} />
      {items.length > 0 ? (
        <>
          <AlbumGrid photos={items} order={album.order} />
          <ListFoot
            list={list}
            label={words.morePhotos}
            waiting={<Skeleton className="mt-1 h-30 rounded-none md:h-60" />}
          />
        </>
      ) : (
        <NoPhotos album={album} />
      )}
    </div>
  );
}

const NoPhotos = ({ album: { id, role } }: { album: AlbumView }) =>
  mayAdd(role) ? (
    <EmptyState
      drawing="card"
      title={words.nothingYet}
      action={
        <ButtonLink to={albumPath(id, "add")} look="primary">
          {words.addTheFirst}
        </ButtonLink>
      }
    />
  ) : (
    <EmptyState drawing="card" title={words.nothingYet}>
      <p>{words.photosWillBeHere}</p>
    </EmptyState>
  );
