import { messageProblem } from "#shared/chat.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { limits } from "#shared/limits.ts";
import { isBlank } from "#shared/text.ts";
import * as words from "#messages/chat.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { fill } from "#app/lib/text/messages.tsx";

/**
 * Why a message cannot be sent, in the language of these screens: "" where nothing was written, null when it can. Takes
 * the cleaned text. The server refuses the same.
 */
export function messageProblemText(body: string, hasPhoto: boolean): string | null {
  const problem = messageProblem(body, hasPhoto);
  if (problem === null) return null;
  if (isBlank(body)) return "";
  const more = countGraphemes(body) - limits.message;
  if (more <= 0) return words.tooManyCombined;
  return fill(words.tooLong, { limit: wholeCount(limits.message), more: wholeCount(more) });
}
