import type { PostTile } from "#shared/views.ts";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { postPath } from "#app/lib/text/links.ts";
import { momentOf, shortDay } from "#app/lib/text/times.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Link } from "#app/ui/link.tsx";
import { focusClass, Photo } from "#app/ui/photo.tsx";

/** A handful of postcards on the table, drawn as boxes of one size: nothing moves when they load. */
export function PostcardFan({ photos }: { photos: PostTile[] }) {
  return (
    <ul className="landing-fan">
      {photos.map((photo, index) => (
        <li key={photo.id}>
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
  return (
    <Link to={postPath(photo)} viewTransition className="landing-card">
      <Photo
        photo={picture}
        // Its words stand below it.
        alt={picture.alt === words ? "" : picture.alt}
        sizes="(min-width: 40rem) 260px, 34vw"
        priority={front}
        className={focusClass(picture)}
      />
      <span className="flex items-baseline justify-between gap-3 py-2.5">
        <span
          dir="auto"
          className={`font-wordmark text-xl/snug italic ${front ? "line-clamp-2" : "truncate"}`}
        >
          {words || `@${authorUsername}`}
        </span>
        <span className="shrink-0 text-xs text-muted uppercase">
          {shortDay(momentOf(createdAt, timeZone))}
        </span>
      </span>
    </Link>
  );
}
