import { foldWords } from "#shared/muted-words.ts";
import type { Viewer } from "#shared/views.ts";

/** Finds the first of some words and phrases in a text, as its owner typed it; null: none. */
export type Matching = (text: string) => string | null;

/**
 * The words that this member does not want to see, ready to search for; null for visitors and for
 * members without any. They came with the session: no query here.
 */
export function mutedWordsOf(viewer: Pick<Viewer, "mutedWords"> | null): Matching | null {
  const words = viewer?.mutedWords ?? [];
  if (words.length === 0) return null;
  const known = built.get(words);
  if (known) return known;
  const matching = matchingOf(words);
  built.set(words, matching);
  return matching;
}

/** By the list of a request, and garbage-collected with it. */
const built = new WeakMap<readonly string[], Matching>();

type State = {
  next: Map<number, State>;
  /**
   * where the search continues when the next character does not match: the longest end that begins
   * a word
   */
  fallback: State | null;
  /** a word ends here: as it was typed, and how long it is when folded, UTF-16 code units */
  ends: { word: string; length: number } | null;
  /** the next shorter word that ends here as well */
  shorter: State | null;
};

const newState = (): State => ({ next: new Map(), fallback: null, ends: null, shorter: null });

/**
 * Searches for all words in one walk over the text (Aho and Corasick, Efficient String Matching,
 * 1975): whatever the words and the text are, each character is read once, and no word is read as a
 * pattern.
 */
export function matchingOf(words: readonly string[]): Matching {
  const root = newState();
  for (const word of words) {
    const folded = foldWords(word);
    let at = root;
    for (let index = 0; index < folded.length; index += 1) {
      const unit = folded.charCodeAt(index);
      const next = at.next.get(unit) ?? newState();
      at.next.set(unit, next);
      at = next;
    }
    if (at !== root) at.ends ??= { word, length: folded.length };
  }
  // The shorter before the longer: each falls back to one that is finished.
  const states = [root];
  for (const state of states) {
    for (const [unit, next] of state.next) {
      let from = state.fallback;
      while (from && !from.next.has(unit)) from = from.fallback;
      const fallback = from?.next.get(unit) ?? root;
      next.fallback = fallback;
      next.shorter = fallback.ends ? fallback : fallback.shorter;
      states.push(next);
    }
  }

  return (text) => {
    const folded = foldWords(text);
    let at = root;
    for (let index = 0; index < folded.length; index += 1) {
      const unit = folded.charCodeAt(index);
      while (at.fallback && !at.next.has(unit)) at = at.fallback;
      at = at.next.get(unit) ?? root;
      for (let found: State | null = at; found; found = found.shorter) {
        if (!found.ends) continue;
        const { word, length } = found.ends;
        const end = index + 1;
        if (isBorder(folded, end - length) && isBorder(folded, end)) return word;
      }
    }
    return null;
  };
}

const partOfWord = /[\p{L}\p{M}\p{N}_]/u;

/**
 * Scripts that are written without spaces between words; in Korean, particles are attached to the
 * noun. A word of theirs counts anywhere.
 */
const borderless =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/** Whether a word can begin or end here: no letter or digit on the other side makes it longer. */
function isBorder(text: string, at: number): boolean {
  if (at === 0 || at === text.length) return true;
  const low = text.charCodeAt(at - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1;
  const before = text.slice(pair ? at - 2 : at - 1, at);
  const after = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (!partOfWord.test(before) || !partOfWord.test(after)) return true;
  return borderless.test(before) || borderless.test(after);
}
