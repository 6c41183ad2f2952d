import * as words from "#messages/albums.json";
import type { AlbumTile, ImageView, Page } from "#shared/views.ts";
import { AlbumAudienceMark } from "#app/features/albums/album-audience.tsx";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { counted, rich } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ImagesIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { focusClass, Photo } from "#app/ui/photo.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";

type Props = { first: Page<AlbumTile>; username: string; own: boolean };

export const tilesClass =
  "grid grid-cols-[repeat(auto-fill,minmax(min(100%,10rem),1fr))] gap-x-3 gap-y-6 px-4 py-4 md:grid-cols-3 md:px-0";

/** The albums of a profile; on one's own also those of others that one is in. */
export function AlbumTiles({ first, username, own }: Props) {
  const list = useInfiniteList(first, own ? "/api/albums" : `/api/accounts/${username}/albums`);
  if (list.items.length === 0) {
    return own ? (
      <EmptyState
        drawing="card"
        title={words.noAlbumsYet}
        action={
          <ButtonLink to="/album/new" look="primary">
            {words.newAlbum}
          </ButtonLink>
        }
      >
        <p>{words.albumsAreFor}</p>
      </EmptyState>
    ) : (
      <EmptyState drawing="card" title={words.noAlbumsYet} />
    );
  }
  return (
    <>
      {own && (
        <p className="px-4 pt-4 md:px-0">
          <ButtonLink to="/album/new">{words.newAlbum}</ButtonLink>
        </p>
      )}
      <ul className={tilesClass}>
        {list.items.map((album) => (
          <li key={album.id} className="min-w-0">
            <Tile album={album} />
          </li>
        ))}
      </ul>
      <ListFoot list={list} label={words.moreAlbums} waiting={<Skeleton className="mx-4 h-40" />} />
    </>
  );
}

/** The photo on top of a pile of prints. */
export const Print = ({ photo }: { photo: ImageView | null }) => (
  <span className="relative block aspect-[4/3] rounded-field border border-line bg-base-100 p-2 shadow-sm">
    {photo ? (
      <Photo
        photo={photo}
        alt=""
        sizes="(min-width: 48rem) 310px, 50vw"
        className={`size-full ${focusClass(photo)}`}
      />
    ) : (
      <span className="grid size-full place-items-center bg-base-200 text-muted">
        <ImagesIcon className="size-10" aria-hidden />
      </span>
    )}
  </span>
);

function Tile({ album }: { album: AlbumTile }) {
  const { id, title, cover, photoCount, owner, role } = album;
  return (
    <Link to={albumPath(id)} className="group grid grid-cols-1 gap-2">
      <Print photo={cover} />
      <span className="min-w-0">
        <span
          dir="auto"
          className="at-page-start block font-semibold wrap-break-word group-hover:underline"
        >
          {title}
        </span>
        <span className="flex flex-wrap gap-x-2 text-sm text-muted">
          {counted(words.photos, photoCount)}
          <AlbumAudienceMark of={album} />
        </span>
        {role !== "owner" && role !== null && (
          <span className="one-line text-sm text-muted">
            {rich(words.by, { name: <bdi className="truncate">{owner.name}</bdi> })}
          </span>
        )}
      </span>
    </Link>
  );
}
