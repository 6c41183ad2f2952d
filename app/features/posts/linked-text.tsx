import { Link } from "react-router";
import { findMentions } from "#shared/mentions.ts";
import { findLinks, type Piece } from "#shared/find-links.ts";

/**
 * What somebody wrote: its web addresses as links that vouch for nothing and tell nothing, and the
 * people it names as links to them.
 */
export function LinkedText({ text }: { text: string }) {
  let at = 0;
  return findLinks(text)
    .flatMap(withMentions)
    .map(({ text: shown, href }) => {
      const key = at;
      at += 1;
      if (!href) return shown;
      if (href.startsWith("/")) {
        return (
          <Link key={key} to={href} dir="ltr" className="text-primary hover:underline">
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

/** Words with the people named in them; addresses stay as they are. */
function withMentions(piece: Piece): Piece[] {
  if (piece.href) return [piece];
  const { text } = piece;
  const pieces: Piece[] = [];
  let end = 0;
  for (const mention of findMentions(text)) {
    if (mention.index > end) pieces.push({ text: text.slice(end, mention.index) });
    const shown = text.slice(mention.index, mention.end);
    pieces.push({ text: shown, href: `/search/${mention.username}` });
    end = mention.end;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}
