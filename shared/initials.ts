import { graphemes } from "#shared/graphemes.ts";

/** Background colours of initials: names of the theme's colours. */
export const initialsColours = [
  "primary",
  "accent",
  "neutral",
  "info",
  "success",
  "warning",
] as const;

/** The same name, the same colour: an index in `initialsColours`. */
export function initialsColourIndex(name: string): number {
  let sum = 0;
  for (let index = 0; index < name.length; index += 1) sum += name.charCodeAt(index) * (index + 1);
  return sum % initialsColours.length;
}

/** A plain letter with nothing that could join it is a character, as in most names. */
const plain = /^\w(?:\w|-|$)/;

function firstOf(word: string): string {
  if (plain.test(word)) return word.charAt(0);
  for (const { segment } of graphemes(word)) return segment;
  return "";
}

/** First characters of the first and the last word; an emoji stays whole. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_]+/u).filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => firstOf(word ?? ""))
    .join("")
    .toUpperCase();
}
