import { graphemes } from "#shared/graphemes.ts";

/** The beginning of a text, never cut inside what people see as one character. */
export function firstGraphemes(text: string, count: number): string {
  let end = 0;
  let seen = 0;
  for (const { index, segment } of graphemes(text)) {
    if (seen === count) return `${text.slice(0, end).trimEnd()}…`;
    end = index + segment.length;
    seen += 1;
  }
  return text;
}
