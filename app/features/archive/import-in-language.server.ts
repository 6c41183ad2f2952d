import type { ImportView } from "#shared/archive.ts";
import { inLanguage } from "#app/lib/text/refusal-sentences.ts";

/** An import with its sentences, which are stored in English, in the language of the page. */
export function importInLanguage(view: ImportView | null): ImportView | null {
  if (!view) return null;
  const { problem, skipped, leftOut } = view;
  return {
    ...view,
    problem: problem && inLanguage(problem),
    skipped: skipped.map(inLanguage),
    leftOut: leftOut.map(inLanguage),
  };
}
