import * as words from "#messages/data.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";

type Counts = { total: number; taken: number; known: number };

/** How many were left out. */
export const leftOf = ({ total, taken, known }: Counts) => total - taken - known;

/** "2 of 3 posts imported. 1 was left out." `imported`: the first sentence, by the number of all. */
export function sentenceOn(counts: Counts, imported: Record<string, string>): string {
  const { total, taken, known } = counts;
  const left = leftOf(counts);
  const parts = [counted(imported, total, { taken: wholeCount(taken) })];
  if (known > 0) parts.push(counted(words.hereAlready, known));
  if (left > 0) parts.push(counted(words.leftOut, left));
  return parts.join(" ");
}
