import type { ReactNode } from "react";
import { noDescription } from "#messages/posts.json";
import type { AlbumOrder } from "#shared/albums.ts";
import type { AlbumPhoto, ImageView, PostTile } from "#shared/views.ts";
import { AudienceMark } from "#app/features/posts/audience/audience-mark.tsx";
import { useMorphing } from "#app/features/posts/use-morphing.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { postPath } from "#app/lib/text/links.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { lazyComponent } from "#app/ui/lazy-component.tsx";
import { Link } from "#app/ui/link.tsx";
import { Photo } from "#app/ui/photo.tsx";
import styles from "#app/styles/album.css?url";

const VeiledTile = lazyComponent(
  async () => (await import("#app/features/posts/veiled.tsx")).VeiledTile,
  () => undefined,
);

/** The step of a width-to-height ratio, 0.4 × 1.04^step, as styles/album.css has it; square without a photo. */
function ratioStep(photo: ImageView | null) {
  const { width, height } = photo ?? { width: 1, height: 1 };
  const step = Math.round(Math.log(width / height / 0.4) / Math.log(1.04));
  const within = Math.min(53, Math.max(0, step));
  return { "data-coarse": Math.floor(within / 9), "data-fine": within % 9 };
}

/** What a photo is called where it has no description. */
export const photoName = ({ picture, caption }: Pick<AlbumPhoto, "picture" | "caption">) =>
  picture?.alt || firstGraphemes(caption, 120) || noDescription;

type RowsProps<Item> = {
  photos: readonly Item[];
  order: AlbumOrder;
  /** the photo in its place */
  tile: (photo: Item, first: boolean) => ReactNode;
};

/** Photos in rows, each at its own ratio; by date, a heading for each day. */
export function PhotoRows<Item extends Pick<AlbumPhoto, "id" | "createdAt" | "picture">>({
  photos,
  order,
  tile,
}: RowsProps<Item>) {
  const timeZone = useRootData()?.timeZone ?? "UTC";
  const days = new Map<string, Item[]>();
  for (const photo of photos) {
    const day = order === "date" ? formatDate(photo.createdAt, timeZone) : "";
    days.set(day, [...(days.get(day) ?? []), photo]);
  }
  return (
    <>
      <link rel="stylesheet" href={styles} precedence="page" />
      {[...days].map(([day, ofDay]) => (
        <section key={day} {...(day && { "aria-label": day })}>
          {day && <h2 className="px-4 pt-6 pb-2 font-semibold md:px-0">{day}</h2>}
          <ul className="album-grid">
            {ofDay.map((photo) => (
              <li key={photo.id} className="album-photo" {...ratioStep(photo.picture)}>
                {tile(photo, photo === photos[0])}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

type Props = { photos: readonly AlbumPhoto[]; order: AlbumOrder };

/** The photos of an album. */
export const AlbumGrid = (props: Props) => (
  <PhotoRows
    {...props}
    tile={(photo, first) =>
      photo.sensitive ? (
        <VeiledTile tile={photo} shown={Tile} badge={Badge} />
      ) : (
        <Tile tile={photo} priority={first} />
      )
    }
  />
);

type RowPhotoProps = { photo: ImageView; alt: string; priority: boolean; className?: string };

/** A photo as large as its place in the rows. */
export const RowPhoto = ({ className = "", ...photo }: RowPhotoProps) => (
  <Photo {...photo} sizes="(min-width: 48rem) 420px, 60vw" className={`size-full ${className}`} />
);

type TileProps = { tile: PostTile; priority?: boolean };

function Tile({ tile, priority = false }: TileProps) {
  const to = postPath(tile);
  const morphing = useMorphing(to);
  if (!tile.picture) return null;
  return (
    <Link to={to} viewTransition className="relative block size-full overflow-hidden">
      <RowPhoto
        photo={tile.picture}
        alt={photoName(tile)}
        priority={priority}
        className={morphing}
      />
      <Badge tile={tile} className="bg-black/60 text-white" />
    </Link>
  );
}

/** For whom a post is that was put in, where it is not for whoever sees the album. */
const Badge = ({ tile, className }: { tile: PostTile; className: string }) =>
  tile.audience === "album" ? null : (
    <span
      className={`absolute start-1.5 top-1.5 grid rounded-full p-1 empty:hidden md:start-2 md:top-2 ${className}`}
    >
      <AudienceMark of={tile} className="size-4 md:size-5" />
    </span>
  );
