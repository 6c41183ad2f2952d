import type { PostTile } from "#shared/views.ts";
import { AudienceMark } from "#app/features/posts/audience/audience-mark.tsx";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";

/** What a tile says in the place of a photo. */
export const TileWords = ({ text }: { text: string }) => (
  <span
    dir="auto"
    className="relative line-clamp-3 w-full text-center text-sm text-pretty wrap-anywhere"
  >
    {firstGraphemes(text, 160)}
  </span>
);

type BadgeProps = { tile: PostTile; className: string };

/** For whom it is, in the corner, where that is not everyone. */
export const Badge = ({ tile, className }: BadgeProps) => (
  <span
    className={`absolute start-1.5 top-1.5 grid rounded-full p-1 empty:hidden md:start-2 md:top-2 ${className}`}
  >
    <AudienceMark of={tile} className="size-4 md:size-5" />
  </span>
);
