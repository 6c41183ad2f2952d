import { limits } from "#shared/limits.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";

/** The error for a comment that cannot be sent; null when it can. Takes the cleaned text. */
export function commentProblem(body: string): string | null {
  if (isBlank(body)) return "required*";
  return lengthProblem("A comment", body, { graphemes: limits.comment, bytes: 32_768 });
}
