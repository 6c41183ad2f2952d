import { findTags } from "#shared/tags.ts";

/**
 * A text without hashtags: those at its end go, since they are labels; within a sentence a tag is a word, which
 * stays without its #. Web addresses stay as they are.
 */
export function withoutHashtags(text: string): string {
  const tags = findTags(text).filter(({ index }) => !isInAddress(text, index));
  let end = text.length;
  let words = tags.length;
  for (const { index, end: after } of tags.toReversed()) {
    if (!isBetweenLabels(text.slice(after, end))) break;
    end = index;
    words -= 1;
  }
  let plain = "";
  let from = 0;
  for (const { index } of tags.slice(0, words)) {
    plain += text.slice(from, index);
    from = index + 1;
  }
  plain += text.slice(from, end);
  return words === tags.length ? plain : withoutEmptyEnd(plain);
}

/** What stands between labels, and after them. A full stop right after a tag ends a sentence. */
const isBetweenLabels = (text: string) => !/^\.|[^\s.,·•|]/u.test(text);

/** Labels are often set apart by lines of a dot each. */
function withoutEmptyEnd(text: string): string {
  const lines = text.split("\n");
  while (lines.length > 0 && isBetweenLabels(` ${lines.at(-1)}`)) lines.pop();
  return lines.join("\n").trimEnd();
}

/** Whether the word up to there is a web address. */
function isInAddress(text: string, index: number): boolean {
  const word = text.slice(0, index).split(/\s/).at(-1) ?? "";
  return /^\W*(?:https?:\/\/|www\.)/i.test(word);
}
