import { countGraphemes } from "#shared/graphemes.ts";
import { normalizeText } from "#shared/normalize.ts";

// NUL cannot be stored in PostgreSQL text; other control characters but tab and newline show nothing.
// eslint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/**
 * A typed text, as it is stored: NFC, line ends as
 * , no control characters, trimmed.
 */
export function cleanText(text: string): string {
  return normalizeText(text.toWellFormed(), "NFC")
    .replace(/\r\n?/g, "\n")
    .replace(controlCharacters, "")
    .trim();
}

/** A name is one line: cleanText with every run of white space as one space. */
export function cleanName(text: string): string {
  return cleanText(text).replace(/\s+/gu, " ");
}

/** First and second name joined by a space; empty when both are. */
export function joinNames(firstName: string, secondName: string): string {
  return `${firstName} ${secondName}`.trim();
}

/** They join, direct or decorate others, and nobody types them into a search. */
// oxlint-disable-next-line no-misleading-character-class
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;

/**
 * The form that search compares: without case, white space and Latin accents, so that "jose" finds "José".
 * Only the combining marks of U+0300–U+036F are removed: in other scripts marks are vowels. Letters without
 * a one-to-one case mapping (ß and SS, the Turkish ı and I, the final ς and Σ) become one. A change here
 * changes what `search_grams` of the migrations relies on, and needs all names folded again.
 */
export function toSearchText(text: string): string {
  const plain = normalizeText(text, "NFKD").replace(/[\u0300-\u036f]/g, "");
  return normalizeText(plain, "NFC")
    .toLowerCase()
    .replace(/\s+/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll("ı", "i")
    .replaceAll("ς", "σ")
    .replace(unseen, "");
}

/** Code points of a name that search compares: more than any real name, less than an index row. */
const searchedAtMost = 200;

/**
 * The text that a search matches an account by: its folded full name, a space, its username. The space
 * separates them, since neither contains one.
 */
export function searchName(fullName: string, username: string): string {
  const name = [...toSearchText(fullName)].slice(0, searchedAtMost).join("");
  return `${name} ${username}`.trim();
}

/** Whether nothing is visible: empty, white space, or characters that only direct or join others. */
export function isBlank(text: string): boolean {
  return /^[\s\p{Z}\p{C}\u115f\u1160\u2800\u3164\uffa0]*$/u.test(text);
}

/** Counting stops here: the exact excess of a text that is millions too long is of no use. */
const countedAtMost = 200_000;

/**
 * The error for a text that is too long, null when it fits. `most.bytes` is what the database takes
 * (UTF-8): a text within its graphemes can exceed it only with long runs of combining marks.
 */
export function lengthProblem(
  name: string,
  text: string,
  most: { graphemes: number; bytes: number },
): string | null {
  const over = countGraphemes(text.slice(0, countedAtMost)) - most.graphemes;
  if (over > 0) {
    const [limit, more] = [most.graphemes, over].map((count) => count.toLocaleString("en"));
    return text.length > countedAtMost
      ? `${name} can have ${limit} characters; this is at least ${more} too many.`
      : `${name} can have ${limit} characters; this is ${more} too many.`;
  }
  if (new TextEncoder().encode(text).length <= most.bytes) return null;
  return `${name} has too many combined characters. Please shorten it.`;
}
