import type { PostTile } from "#shared/views.ts";
import { noDescription } from "#messages/posts.json";
import { veilText } from "#app/features/posts/veiled.tsx";
import { useRootData } from "#app/lib/page/root-data.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { focusClass, Photo } from "#app/ui/photo.tsx";

type Props = { posts: readonly { tile: PostTile; key: string; within: boolean }[] };

/** Posts to tick, in the grid of Saved. */
export const PostBoxes = ({ posts }: Props) => (
  <ul className="grid grid-cols-3 gap-0.5 md:gap-1">
    {posts.map(({ tile, key, within }) => (
      <li key={key}>
        <label className="relative block aspect-square cursor-pointer overflow-hidden has-checked:outline-4 has-checked:-outline-offset-4 has-checked:outline-primary">
          <Shown tile={tile} />
          <input
            type="checkbox"
            name={`in-${key}`}
            defaultChecked={within}
            className="absolute start-2 top-2 size-6 accent-primary"
          />
        </label>
        {within && <input type="hidden" name={`was-${key}`} value="on" />}
      </li>
    ))}
  </ul>
);

function Shown({ tile }: { tile: PostTile }) {
  const { picture, caption, sensitive, warning } = tile;
  const veiled = !(useRootData()?.showVeiled ?? false) && (sensitive || warning !== null);
  if (!picture || veiled) {
    return (
      <span className="grid size-full place-items-center border border-line bg-base-200 p-2">
        <span
          dir="auto"
          className="line-clamp-3 w-full text-center text-sm text-pretty wrap-anywhere"
        >
          {veiled ? veilText(warning) : firstGraphemes(caption, 160)}
        </span>
      </span>
    );
  }
  return (
    <Photo
      photo={picture}
      alt={picture.alt || firstGraphemes(caption, 120) || noDescription}
      sizes="(min-width: 48rem) 310px, 33vw"
      className={`size-full ${focusClass(picture)}`}
    />
  );
}
