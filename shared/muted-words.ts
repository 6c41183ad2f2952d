import { limits } from "#shared/limits.ts";
import { normalizeText } from "#shared/normalize.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";

/** Only marks that decorate a letter: in other scripts marks are vowels that distinguish words. */
// oxlint-disable-next-line no-misleading-character-class
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g;

/** They join, direct or decorate others: a word with one inside reads the same. */
// oxlint-disable-next-line no-misleading-character-class
const unseen = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]/g;

/**
 * The form in which texts are compared: NFKC, without case in any script (ß is ss, ς is σ), accents, points
 * of Hebrew and Arabic, and invisible characters; any white space is one space.
 */
export function foldWords(text: string): string {
  const caseless = normalizeText(text, "NFKD").toUpperCase().toLowerCase();
  const plain = normalizeText(caseless, "NFKD").replace(accents, "").replace(unseen, "");
  return normalizeText(plain, "NFC").replaceAll("ς", "σ").replace(/\s+/gu, " ").trim();
}

/** The error for a word that cannot be muted; null when it can. Takes the cleaned text. */
export function mutedWordProblem(word: string): string | null {
  const problem = lengthProblem("A word or phrase", word, limits.mutedWord);
  if (problem) return problem;
  return isBlank(foldWords(word)) ? "required*" : null;
}

/** The error for a title of a group of words, null for a valid one. */
export function wordFilterProblem(title: string): string | null {
  if (isBlank(title)) return "required*";
  return lengthProblem("A title", title, limits.wordFilterTitle);
}
