import { Link } from "react-router";
import type { PictureView, PostTile } from "#shared/views.ts";
import { ImagesIcon } from "#app/ui/icons.ts";
import { Picture } from "#app/ui/picture.tsx";
import { useMorphing } from "#app/features/posts/use-morphing.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { postPath } from "#app/lib/text/links.ts";

/** Posts in three columns, on phones too: the photo, or the words. Each leads to its post. */
export function PostGrid({ tiles }: { tiles: PostTile[] }) {
  return (
    <ul className="grid grid-cols-3 gap-0.5 md:gap-1">
      {tiles.map((tile, index) => (
        <li key={tile.id}>
          <Tile tile={tile} first={index === 0} />
        </li>
      ))}
    </ul>
  );
}

/** A square shows the part with most to look at. In steps: style attributes are refused here. */
const focusSteps = [
  "*:object-[0%_0%]",
  "*:object-[25%_25%]",
  "*:object-center",
  "*:object-[75%_75%]",
  "*:object-[100%_100%]",
];

const focusOf = ({ focus }: PictureView) => focusSteps[Math.round((focus ?? 50) / 25)];

function Tile({ tile, first }: { tile: PostTile; first: boolean }) {
  const to = postPath(tile);
  const morphing = useMorphing(to);
  if (!tile.picture) {
    return (
      <Link
        to={to}
        className="grid aspect-square place-items-center overflow-hidden border border-line bg-base-200 p-2"
      >
        <span
          dir="auto"
          className="line-clamp-3 w-full text-center text-sm text-pretty wrap-anywhere"
        >
          {firstGraphemes(tile.caption, 160)}
        </span>
      </Link>
    );
  }
  const alt =
    tile.picture.alt || firstGraphemes(tile.caption, 120) || "Photo without a description";
  return (
    <Link to={to} viewTransition className="relative block aspect-square overflow-hidden">
      <Picture
        picture={tile.picture}
        alt={alt}
        sizes="(min-width: 48rem) 310px, 33vw"
        priority={first}
        className={`size-full ${focusOf(tile.picture)} ${morphing}`}
        fit="cover"
      />
      {tile.pictureCount > 1 && (
        <span className="absolute end-1.5 top-1.5 rounded-full bg-black/60 p-1 text-white md:end-2 md:top-2">
          <ImagesIcon
            weight="fill"
            aria-label={`${tile.pictureCount} photos`}
            className="size-4 md:size-5"
          />
        </span>
      )}
    </Link>
  );
}
