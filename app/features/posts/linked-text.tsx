import { Link } from "#app/ui/link.tsx";
import { findLinks, type Piece } from "#shared/find-links.ts";
import { findMentions } from "#shared/mentions.ts";
import { findTags, tagPath } from "#shared/tags.ts";

type Props = {
  text: string;
  /** usernames of existing accounts; others are no links. Not given where nobody checked: all are */
  mentions?: readonly string[] | undefined;
};

/** A text with its web addresses (no endorsement, no referrer), mentions and tags as links. */
export function LinkedText({ text, mentions }: Props) {
  let at = 0;
  return findLinks(text)
    .flatMap((piece) => withNames(piece, mentions))
    .map(({ text: shown, href }) => {
      const key = at;
      at += 1;
      if (!href) return shown;
      if (href.startsWith("/")) {
        return (
          <Link
            key={key}
            to={href}
            // A tag has the direction of its characters, a username is left to right.
            dir={shown.startsWith("@") ? "ltr" : "auto"}
            className="text-primary underline decoration-1 underline-offset-2"
          >
            {shown}
          </Link>
        );
      }
      return (
        <a
          key={key}
          href={href}
          title={href}
          target="_blank"
          rel="nofollow ugc noopener noreferrer"
          dir="ltr"
          className="text-primary underline decoration-1 underline-offset-2"
        >
          {shown}
        </a>
      );
    });
}

/** Text with mentions and tags as links; web addresses stay text. */
function withNames(piece: Piece, mentions: readonly string[] | undefined): Piece[] {
  if (piece.href) return [piece];
  const { text } = piece;
  const names = findMentions(text)
    .filter(({ username }) => mentions?.includes(username) ?? true)
    .map(({ username, ...position }) => ({ ...position, href: `/search/${username}` }));
  const tags = findTags(text).map(({ tag, ...position }) => ({ ...position, href: tagPath(tag) }));
  const pieces: Piece[] = [];
  let from = 0;
  for (const { index, end, href } of [...names, ...tags].sort((a, b) => a.index - b.index)) {
    if (index > from) pieces.push({ text: text.slice(from, index) });
    pieces.push({ text: text.slice(index, end), href });
    from = end;
  }
  if (from < text.length) pieces.push({ text: text.slice(from) });
  return pieces;
}
