import { isBlank, toSearchText } from "#shared/text.ts";

/** Longer than any name: what is typed beyond it cannot match. */
const LONGEST_QUERY = 200;

/**
 * A query as names are compared with it, null when nothing is left of it ("required*").
 * A username typed with its @ is found as well.
 */
export function foldQuery(query: string): string | null {
  const folded = toSearchText(query.slice(0, LONGEST_QUERY).toWellFormed())
    // eslint-disable-next-line no-control-regex
    .replace(/\u0000/g, "")
    .replace(/^@(?=.)/, "");
  return isBlank(folded) ? null : folded;
}
