import type { ReactNode } from "react";
import type { PostTile } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { ChatCircleIcon, HeartIcon, ImagesIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { focusClass, Photo } from "#app/ui/photo.tsx";
import { AudienceMark } from "#app/features/posts/audience/audience-mark.tsx";
import { useMorphing } from "#app/features/posts/use-morphing.ts";
import { lazyComponent } from "#app/ui/lazy-component.tsx";
import { useGridWindow, type RenderedRows } from "#app/lib/lists/use-grid-window.ts";
import { compactCount } from "#app/lib/text/counts.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { postPath } from "#app/lib/text/links.ts";
import { counted } from "#app/lib/text/messages.tsx";

/** Few grids have any. */
const VeiledTile = lazyComponent(
  async () => (await import("#app/features/posts/veiled.tsx")).VeiledTile,
  () => undefined,
);

type GridProps = {
  tiles: PostTile[];
  /** the grid is the first thing on a page: its first photo is loaded before everything else */
  leads?: boolean;
};

const columns = 3;

/** Posts in three columns, on phones too: the photo, or the text. Each links to its post. */
export const PostGrid = ({ tiles, leads = true }: GridProps) => (
  <SquareGrid
    items={tiles}
    columns={columns}
    className="grid-cols-3"
    keyOf={({ id }) => id}
    tile={(tile, index) =>
      tile.sensitive ? (
        <VeiledTile tile={tile} shown={Tile} badge={Badge} />
      ) : (
        <Tile tile={tile} first={leads && index === 0} />
      )
    }
  />
);

type SquareGridProps<Item> = {
  items: readonly Item[];
  columns: number;
  className: string;
  keyOf: (item: Item) => string;
  tile: (item: Item, index: number) => ReactNode;
  /** those of a long grid that are rendered until it is known which are near the window; all, by default */
  rowsAtFirst?: RenderedRows | null;
};

/**
 * Squares in columns. Of a long grid only the rows near the window are rendered; a run of others is one empty
 * element, as high as they are.
 */
export function SquareGrid<Item>(props: SquareGridProps<Item>) {
  const { items, columns: across, className, keyOf, tile, rowsAtFirst = null } = props;
  const { ref, rows } = useGridWindow(items.length, across, rowsAtFirst);
  return (
    <ul ref={ref} className={`grid gap-0.5 md:gap-1 ${className}`}>
      {runsOf(Math.ceil(items.length / across), rows).flatMap(({ from, to, far }) =>
        far ? (
          <li
            key={`far ${from}`}
            aria-hidden
            // If this were a scroll anchor, the browser would lose its position when it changes.
            className="col-span-full [overflow-anchor:none]"
            style={{ height: (to - from) * far.pitch - far.gap }}
          />
        ) : (
          items.slice(from * across, to * across).map((item, at) => (
            <li
              key={keyOf(item)}
              {...(rows && { "aria-posinset": from * across + at + 1, "aria-setsize": -1 })}
            >
              {tile(item, from * across + at)}
            </li>
          ))
        ),
      )}
    </ul>
  );
}

/** Neighbouring rows: rendered, or `far`. */
type Run = { from: number; to: number; far: RenderedRows | null };

/** Of the server's markup nothing is far: the content security policy would refuse the height there. */
function runsOf(count: number, rows: RenderedRows | null): Run[] {
  if (!rows) return [{ from: 0, to: count, far: null }];
  const { from, to, focused } = rows;
  const ends = focused === null ? [] : [focused, focused + 1];
  const cuts = [0, from, to, ...ends, count].filter((cut) => cut >= 0 && cut <= count);
  const sorted = [...new Set(cuts)].toSorted((one, other) => one - other);
  return sorted.slice(1).map((end, index) => {
    const begin = sorted[index] ?? 0;
    const near = (begin >= from && begin < to) || begin === focused;
    return { from: begin, to: end, far: near ? null : rows };
  });
}

function Tile({ tile, first = false }: { tile: PostTile; first?: boolean }) {
  const to = postPath(tile);
  const morphing = useMorphing(to);
  if (!tile.picture) {
    return (
      <Link
        to={to}
        className="relative grid aspect-square place-items-center overflow-hidden border border-line bg-base-200 p-2"
      >
        <span
          dir="auto"
          className="line-clamp-3 w-full text-center text-sm text-pretty wrap-anywhere"
        >
          {firstGraphemes(tile.caption, 160)}
        </span>
        <Badge tile={tile} className="bg-base-100 text-muted" />
      </Link>
    );
  }
  const alt = tile.picture.alt || firstGraphemes(tile.caption, 120) || words.noDescription;
  return (
    <Link to={to} viewTransition className="group relative block aspect-square overflow-hidden">
      <Photo
        photo={tile.picture}
        alt={alt}
        sizes="(min-width: 48rem) 310px, 33vw"
        priority={first}
        className={`size-full ${focusClass(tile.picture)} ${morphing}`}
      />
      <Badge tile={tile} className="bg-black/60 text-white" />
      {tile.pictureCount > 1 && (
        <span className="absolute end-1.5 top-1.5 rounded-full bg-black/60 p-1 text-white md:end-2 md:top-2">
          <ImagesIcon
            weight="fill"
            aria-label={counted(words.photos, tile.pictureCount)}
            className="size-4 md:size-5"
          />
        </span>
      )}
      <Answers likes={tile.likeCount} comments={tile.commentCount} />
    </Link>
  );
}

/** For whom it is, in the corner, where that is not everyone. */
const Badge = ({ tile, className }: { tile: PostTile; className: string }) => (
  <span
    className={`absolute start-1.5 top-1.5 grid rounded-full p-1 empty:hidden md:start-2 md:top-2 ${className}`}
  >
    <AudienceMark of={tile} className="size-4 md:size-5" />
  </span>
);

/** On hover, or with the focus; fingers open the post. */
function Answers({ likes, comments }: { likes: number; comments: number }) {
  return (
    <span
      aria-hidden
      className="absolute inset-0 hidden items-center justify-center gap-6 bg-black/60 font-semibold text-white group-hover:flex group-focus-visible:flex"
    >
      <span className="flex items-center gap-2">
        <HeartIcon weight="fill" className="size-5" />
        {compactCount(likes)}
      </span>
      <span className="flex items-center gap-2">
        <ChatCircleIcon weight="fill" className="size-5" />
        {compactCount(comments)}
      </span>
    </span>
  );
}
