import { findLinks } from "#shared/find-links.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { limits } from "#shared/limits.ts";
import { normalizeText } from "#shared/normalize.ts";

/**
 * A # (or its wide form) and the start of a tag: a letter, digit or _ first, so that a keycap (#️⃣) is
 * none, then marks as well, and the joiners in words of some scripts.
 */
const candidate = /[#＃]([\p{L}\p{Nd}_](?:[\p{L}\p{M}\p{Nd}_]|[\u200c\u200d](?=[\p{L}\p{M}]))*)/gu;

/** After these a # belongs to a word, an address, a heading or an entity (&#39;). */
const within = /[\p{L}\p{M}\p{N}_#＃/@&]$/u;

const longest = limits.tagGraphemes;
const heaviest = limits.tagCodeUnits;

/** Every tag in a text without web addresses: its position, and the text after its #. */
export function findTags(text: string): { index: number; end: number; tag: string }[] {
  const found: { index: number; end: number; tag: string }[] = [];
  for (const { index, 0: written, 1: tag = "" } of text.matchAll(candidate)) {
    // No look-behind: browsers that do not know it would not even load this file.
    if (within.test(text.slice(Math.max(0, index - 2), index))) continue;
    if (isTag(tag)) found.push({ index, end: index + written.length, tag });
  }
  return found;
}

/** The different tags of a text, folded, in their order: as many as are indexed. */
export function tagsOf(text: string): string[] {
  if (!/[#＃]/.test(text)) return [];
  const words = findLinks(text).filter(({ href }) => href === undefined);
  const tags = new Set(words.flatMap((piece) => findTags(piece.text)).map(({ tag }) => fold(tag)));
  return [...tags].slice(0, limits.tags.perPost);
}

/** The tag in a search for "#harbour", folded; null for any other search. */
export function tagAsked(query: string): string | null {
  const typed = query.slice(0, heaviest).trim().normalize("NFC");
  const [found] = findTags(typed);
  return found?.index === 0 && found.end === typed.length ? fold(found.tag) : null;
}

/** The address of a tag: the posts that have it. */
export const tagPath = (tag: string): string => `/search?q=${encodeURIComponent(`#${tag}`)}`;

/** Digits alone are a number; a tag has a letter, and a readable length. */
function isTag(tag: string): boolean {
  if (!/\p{L}/u.test(tag) || tag.length > heaviest) return false;
  // A character has one code unit at least: short ones need no counting.
  return tag.length <= longest || countGraphemes(tag, longest) <= longest;
}

/**
 * The form in which tags are compared: NFKC, which makes wide letters narrow, without case in any script (ß
 * is ss, ς is σ), and without invisible characters. Both case conversions in turn come closest to Unicode's
 * case folding, which JavaScript does not offer.
 */
export function fold(tag: string): string {
  const caseless = normalizeText(tag, "NFKC").toUpperCase().toLowerCase();
  return normalizeText(caseless.replaceAll("ς", "σ"), "NFKC")
    .replace(/[^\p{L}\p{M}\p{Nd}_]|[\ufe00-\ufe0f]/gu, "")
    .slice(0, heaviest);
}
