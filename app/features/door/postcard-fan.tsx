import { Link } from "react-router";
import type { PostTile } from "#shared/views.ts";
import { focusOf } from "#app/features/posts/post-grid.tsx";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { postPath } from "#app/lib/text/links.ts";
import { momentOf } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Picture } from "#app/ui/picture.tsx";

/**
 * Where each lies, from the front to the back: the one in front whole, the others with as much as one
 * needs to want to see them. Each settles a moment after the one below it.
 */
const places = [
  "z-5 start-[19%] top-[17%] w-[62%] -rotate-[1.5deg] [animation-delay:320ms]",
  "z-4 end-0 top-0 w-[59%] rotate-[6deg] [animation-delay:240ms]",
  "z-3 start-0 top-[9%] w-[57%] -rotate-[8deg] [animation-delay:160ms]",
  "z-2 end-[1%] bottom-[9%] w-[50%] rotate-[12deg] [animation-delay:80ms]",
  "z-1 start-[3%] bottom-[10%] w-[50%] -rotate-[13deg]",
];

/** One alone lies in the middle. */
const alone = "z-5 start-[14%] top-[5%] w-[72%] -rotate-[1.5deg]";

/** A handful of postcards thrown on the table. Drawn with boxes of one size: nothing moves when they come. */
export function PostcardFan({ photos }: { photos: PostTile[] }) {
  return (
    <ul className="relative mx-auto aspect-[10/11] w-full max-w-[min(19rem,78vw)] sm:max-w-[23rem] lg:max-w-none">
      {photos.map((photo, index) => (
        <li
          key={photo.id}
          className={`absolute motion-settle ${photos.length === 1 ? alone : (places[index] ?? "")}`}
        >
          <FannedPostcard photo={photo} front={index === 0} />
        </li>
      ))}
    </ul>
  );
}

function FannedPostcard({ photo, front }: { photo: PostTile; front: boolean }) {
  const timeZone = useRootData()?.timeZone ?? "UTC";
  const { picture, caption, authorUsername, createdAt } = photo;
  if (!picture) return null;
  const words = firstGraphemes(caption.replace(/\s+/gu, " ").trim(), 80);
  const { day, month } = momentOf(createdAt, timeZone);
  return (
    <Link
      to={postPath(photo)}
      viewTransition
      className="block rounded-[3px] border border-line bg-base-100 p-[4%] [[data-theme=synthwave]_&]:bg-paper pb-0 shadow-lg transition-transform duration-150 ease-out hover:-translate-y-1 focus-visible:-translate-y-1"
    >
      <Picture
        picture={picture}
        alt={picture.alt || words || "Photo without a description"}
        sizes="(min-width: 64rem) 260px, 60vw"
        priority={front}
        className={`aspect-[4/5] rounded-[1px] ${focusOf(picture)}`}
        fit="cover"
      />
      <span className="flex items-baseline justify-between gap-3 px-0.5 py-2.5 text-base-content lg:py-3">
        <span dir="auto" className="truncate font-wordmark text-lg/6 italic lg:text-xl/7">
          {words || `@${authorUsername}`}
        </span>
        <span className="shrink-0 text-xs tracking-wide whitespace-nowrap text-muted uppercase">
          {day} {month.slice(0, 3)}
        </span>
      </span>
    </Link>
  );
}
