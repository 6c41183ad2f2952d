/** A name or a tag that is being written. */
export type Word = {
  mark: "@" | "#";
  /** the text after its mark so far */
  typed: string;
  /** index of its mark */
  start: number;
};

/** Not after a letter, nor in an address or an email, as in shared/mentions.ts and shared/tags.ts. */
const unfinished = /(?:^|[^\p{L}\p{M}\p{N}_@#＃/.&-])([@#＃])([\p{L}\p{M}\p{N}_\u200c\u200d]*)$/u;

/** Longer than any suggested name or tag, in code units. */
const maxLookBehind = 120;

/** The name or tag that ends at the caret; null where none does, or it goes on after the caret. */
export function wordAt(text: string, caret: number): Word | null {
  if (/^[\p{L}\p{M}\p{N}_]/u.test(text.slice(caret, caret + 2))) return null;
  const found = unfinished.exec(text.slice(Math.max(0, caret - maxLookBehind), caret));
  if (!found) return null;
  const [, mark, typed = ""] = found;
  return { mark: mark === "@" ? "@" : "#", typed, start: caret - typed.length - 1 };
}
