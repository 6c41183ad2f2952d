import { limits } from "#shared/limits.ts";
import { isBlank, toSearchText } from "#shared/text.ts";

/** Longer than any name: characters beyond it cannot match. */
const longestQuery = 200;

/**
 * A query as names are compared with it, null when nothing is left of it ("required*").
 * A username typed with its @ is found as well.
 */
export function foldQuery(query: string): string | null {
  const folded = toSearchText(query.slice(0, longestQuery).toWellFormed())
    // eslint-disable-next-line no-control-regex
    .replace(/\u0000/g, "")
    .replace(/^@(?=.)/, "");
  return isBlank(folded) ? null : folded;
}

/** RFC 5321, section 4.5.3.1.3, less the brackets: what no email is longer than. */
const longestEmail = 254;

/**
 * A query as it is compared with emails, letter case and all; null for one that is too short or that no
 * email contains: they are written in ASCII without spaces.
 */
export function emailPartOf(query: string): string | null {
  const part = query.slice(0, 10_000).trim();
  const { from } = limits.emailSearch;
  if (part.length < from || part.length > longestEmail) return null;
  return /^[!-~]+$/.test(part) ? part : null;
}
