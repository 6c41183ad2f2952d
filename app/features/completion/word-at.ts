/** A name or a tag that is being written. */
export type Word = {
  mark: "@" | "#";
  /** what stands behind its mark so far */
  typed: string;
  /** where its mark stands */
  start: number;
};

/** Not behind a letter, in an address or an email, as in shared/mentions.ts and shared/tags.ts. */
const unfinished = /(?:^|[^\p{L}\p{M}\p{N}_@#＃/.&-])([@#＃])([\p{L}\p{M}\p{N}_\u200c\u200d]*)$/u;

/** Longer than any name or tag that is offered, in code units. */
const looksBack = 120;

/** The name or tag that ends where the caret stands; null where none does, or it goes on behind it. */
export function wordAt(text: string, caret: number): Word | null {
  if (/^[\p{L}\p{M}\p{N}_]/u.test(text.slice(caret, caret + 2))) return null;
  const found = unfinished.exec(text.slice(Math.max(0, caret - looksBack), caret));
  if (!found) return null;
  const [, mark, typed = ""] = found;
  return { mark: mark === "@" ? "@" : "#", typed, start: caret - typed.length - 1 };
}
