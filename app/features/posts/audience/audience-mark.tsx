import type { ReactNode } from "react";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { ShownAudience } from "#shared/posts.ts";
import type { PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { LockKeyIcon, StarIcon, UsersIcon, type Icon } from "#app/ui/icons.ts";

type Mark = { icon: Icon; label: string };

const marks: Partial<Record<ShownAudience, Mark>> = {
  followers: { icon: UsersIcon, label: words.forFollowers },
  "close-friends": { icon: StarIcon, label: words.forCloseFriends },
  "only-me": { icon: LockKeyIcon, label: words.onlyYou },
  album: { icon: UsersIcon, label: words.forAlbum },
};

type Of = Pick<PostView, "audience" | "private">;

/** The mark of a post that is not for everyone; undefined: it is. */
export const markOf = ({ audience, private: isPrivate }: Of): Mark | undefined =>
  marks[effectiveAudience(audience, isPrivate)];

type Props = { of: Of; className?: string; before?: ReactNode };

/** An icon for the audience of a post, in the height of its line; nothing where it is for everyone. */
export function AudienceMark({ of, before, className = "size-4" }: Props) {
  const mark = markOf(of);
  if (!mark) return null;
  const { icon: MarkIcon, label } = mark;
  return (
    <>
      {before}
      <span title={label} className="inline-block align-[-0.15em]">
        <MarkIcon weight="fill" className={className} aria-hidden />
        <span className="sr-only">{label}</span>
      </span>
    </>
  );
}
