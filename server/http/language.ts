import type { IncomingHttpHeaders } from "node:http";
import { readCookie } from "#server/features/identity/index.ts";
import { languageCookie, type OfferedLanguage } from "#shared/languages.ts";
import type { Viewer } from "#shared/views.ts";

/** What browsers send has a handful of languages; longer headers are read so far. */
const mostLetters = 200;

/**
 * The language of a page: the member's, else one that was chosen in this browser (cookie), else the browser's, else the
 * first that is offered.
 */
export function languageOf(
  { cookie, "accept-language": accepted }: IncomingHttpHeaders,
  offered: readonly OfferedLanguage[],
  viewer: Pick<Viewer, "language"> | null,
): string {
  const tags = offered.map(({ tag }) => tag);
  const [first = ""] = tags;
  if (tags.length < 2) return first;
  const chosen = [viewer?.language, readCookie(cookie, languageCookie)];
  const known = chosen.find((tag) => tag && tags.includes(tag));
  return known ?? acceptedOf(accepted, tags) ?? first;
}

/**
 * The offered language that a browser asks for first, by its weights (RFC 9110, section 12.5.4). A region is left out
 * where it is not offered (`de-AT` is `de`), as in the lookup of RFC 4647, section 3.4.
 */
function acceptedOf(header: string | undefined, tags: readonly string[]): string | undefined {
  const ranges = (header ?? "")
    .slice(0, mostLetters)
    .split(",")
    .map((range) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
      return { tag, weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  for (const { tag } of ranges) {
    const found = lookUp(tag, tags);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lookUp(range: string, tags: readonly string[]): string | undefined {
  const parts = range.split("-");
  for (let length = parts.length; length > 0; length -= 1) {
    const asked = parts.slice(0, length).join("-");
    const found = tags.find((tag) => tag.toLowerCase() === asked);
    if (found !== undefined) return found;
  }
  return undefined;
}
