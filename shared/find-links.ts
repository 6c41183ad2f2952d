import { parseWebAddress } from "#shared/web-address.ts";

/** A part of a text: plain, or a web address and its shown form. */
export type Piece = { text: string; href?: string };

/**
 * Where a web address may begin, and every character up to the next that never belongs to one: spaces,
 * controls, quotes, brackets, and the invisible marks that reverse or join characters, with which an
 * address can be made to look like another.
 */
const candidate = /(?:https?:\/\/|www\.)[^\s\p{Cc}\p{Cf}\p{Zs}<>"“”„«»‹›`{}|\\^]+/giu;

/** Longer ones are shortened on the screen, in characters. */
const shownLength = 40;

/** Nobody reads a text with so many addresses; the rest stays text. */
const mostLinks = 100;

/**
 * Splits a text into plain parts and links: http and https only, found by their beginning, never without a
 * host, never with a name and password before it (which makes a foreign host look familiar).
 */
export function findLinks(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    if (pieces.length >= 2 * mostLinks) break;
    // In the middle of a word, or after the @ of an email address, it is none.
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

/** The punctuation of the sentence around it, and a closing bracket that was not opened inside. */
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
  // A single label is a machine of this network, unless a scheme makes the intention clear.
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
