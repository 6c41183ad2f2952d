import { limits } from "#shared/limits.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";

/** The error for a title that cannot be saved; null when it can. Takes the cleaned text. */
export function collectionTitleProblem(title: string): string | null {
  if (isBlank(title)) return "Give the collection a title.";
  return lengthProblem("A title", title, limits.collections.title);
}
