import { parseWebAddress } from "#shared/web-address.ts";

/** A piece of what somebody wrote: words, or a web address and what is shown of it. */
export type Piece = { text: string; href?: string };

/**
 * Where a web address may begin, and every character up to the next that never belongs to one:
 * spaces, controls, quotes, brackets, and the invisible marks that turn or join letters, with
 * which an address can be made to look like another.
 */
const candidate = /(?:https?:\/\/|www\.)[^\s\p{Cc}\p{Cf}\p{Zs}<>"“”„«»‹›`{}|\\^]+/giu;

/** Longer ones are shortened for the eye, in characters. */
const shownLength = 40;

/** Nobody reads a text of so many addresses; the rest stays words. */
const mostLinks = 100;

/**
 * Splits a text into words and links: http and https only, found by their beginning, never without
 * a host, never with a name and password before it (which makes a foreign host look familiar).
 */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    if (pieces.length >= 2 * mostLinks) break;
    // In the middle of a word, or behind the @ of an email address, it is none.
    if (/[\p{L}\p{N}_@]$/u.test(text.slice(Math.max(0, match.index - 2), match.index))) continue;
    const written = withoutTrailingMarks(match[0]);
    const href = toHref(written);
    if (!href) continue;
    if (match.index > end) pieces.push({ text: text.slice(end, match.index) });
    pieces.push({ text: shorten(written), href });
    end = match.index + written.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** The marks of the sentence around it, and a closing bracket that was not opened inside. */
function withoutTrailingMarks(written: string): string {
  let open = count(written, "(") - count(written, ")");
  let squareOpen = count(written, "[") - count(written, "]");
  let end = written.length;
  for (; end > 0; end -= 1) {
    const last = written[end - 1] ?? "";
    if (last === ")" && open < 0) open += 1;
    else if (last === "]" && squareOpen < 0) squareOpen += 1;
    else if (!/[.,:;!?'’‘…*_~。、，！？]/u.test(last)) break;
  }
  return written.slice(0, end);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function toHref(written: string): string | null {
  const address = /^https?:/i.test(written) ? written : `https://${written}`;
  const url = parseWebAddress(address);
  if (!url) return null;
  // One label is a machine of this network, unless a scheme says that it is meant.
  if (!/^https?:/i.test(written) && !/^www\.[^.]+\../i.test(url.hostname)) return null;
  return url.href;
}

function shorten(written: string): string {
  const shown = written.replace(/^https?:\/\//i, "").replace(/^([^/?#]+)\/$/, "$1");
  const characters = [...shown];
  return characters.length <= shownLength
    ? shown
    : `${characters.slice(0, shownLength - 1).join("")}…`;
}
