import { useEffect, useRef } from "react";
import { chosenOf, posts as postCount } from "#messages/bring.json";
import type { DeviceExport } from "#app/features/archive/device/read-export.ts";
import { columns } from "#app/features/archive/bring/move-by-arrows.ts";
import { PostTile } from "#app/features/archive/bring/post-tile.tsx";
import type { Year } from "#app/features/archive/bring/selection.ts";
import { SquareGrid } from "#app/features/posts/post-grid.tsx";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";

type Props = {
  year: Year;
  ticked: ReadonlySet<string>;
  known: ReadonlySet<string>;
  photo: DeviceExport["photo"];
  onTick: (index: number, tick: { on: boolean; range: boolean }) => void;
  onTickYear: (year: Year, on: boolean) => void;
};

/** Rows that are there before it is known which are near the window. */
const rowsAtFirst = { pitch: 0, gap: 0, from: 0, to: 8, focused: null };

/** The posts of one year. Of a long one only the rows near the window are rendered, as in other grids. */
export function YearGrid({ year, ticked, known, photo, onTick, onTickYear }: Props) {
  const { posts } = year;
  const open = posts.filter(({ post }) => !known.has(post.key)).length;
  const chosen = posts.filter(({ post }) => ticked.has(post.key)).length;
  return (
    <section aria-label={String(year.year)}>
      <YearBox
        label={String(year.year)}
        count={
          chosen === posts.length
            ? counted(postCount, posts.length)
            : counted(chosenOf, posts.length, { chosen: wholeCount(chosen) })
        }
        chosen={chosen}
        open={open}
        onChange={(on) => onTickYear(year, on)}
      />
      <SquareGrid
        items={posts}
        columns={columns}
        className="grid-cols-4"
        rowsAtFirst={rowsAtFirst}
        keyOf={({ post }) => post.key}
        tile={({ post, index }) => (
          <PostTile
            post={post}
            index={index}
            ticked={ticked.has(post.key)}
            known={known.has(post.key)}
            photo={photo}
            onTick={onTick}
          />
        )}
      />
    </section>
  );
}

type BoxProps = {
  label: string;
  count: string;
  chosen: number;
  /** that can be ticked */
  open: number;
  onChange: (on: boolean) => void;
};

/** A box for many: ticked, not, or some of them. */
export function YearBox({ label, count, chosen, open, onChange }: BoxProps) {
  const box = useRef<HTMLInputElement>(null);
  const some = chosen > 0 && chosen < open;
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return (
    <label className="flex min-h-11 items-center gap-3 px-4 py-1 md:px-0">
      <input
        ref={box}
        type="checkbox"
        checked={open > 0 && chosen === open}
        disabled={open === 0}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        className="size-5 shrink-0 accent-primary"
      />
      <span className="text-lg font-semibold tabular-nums">{label}</span>
      <span className="text-sm text-muted tabular-nums">{count}</span>
    </label>
  );
}
