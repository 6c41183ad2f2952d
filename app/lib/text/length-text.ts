import { excessOf, type LengthLimit } from "#shared/text.ts";
import { atLeast } from "#messages/ui.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { fill } from "#app/lib/text/messages.tsx";

/** "A comment can have {limit} characters; this is {more} too many.", and that for too many combining marks. */
type Sentences = { tooLong: string; tooCombined: string };

/** What `lengthProblem` says of a text that is too long, in the language of these screens; null when it fits. */
export function lengthText(
  { tooLong, tooCombined }: Sentences,
  text: string,
  most: LengthLimit,
): string | null {
  const excess = excessOf(text, most);
  if (excess === null) return null;
  if (excess === "combined") return tooCombined;
  const over = wholeCount(excess.over);
  return fill(tooLong, {
    limit: wholeCount(most.graphemes),
    more: excess.atLeast ? fill(atLeast, { count: over }) : over,
  });
}
