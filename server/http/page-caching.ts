import type { FastifyRequest } from "fastify";
import type { PageAnswer } from "#server/screens.ts";

/**
 * How long a shared cache may answer with its copy of a page: what is deleted or withdrawn disappears after
 * that. Browsers ask each time. There is no directive about stale copies, because browsers would follow it,
 * too.
 */
const cacheControl = "public, max-age=0, s-maxage=30";

/** What a page depends on besides its address: who asks. */
const dependsOn = "Cookie, Authorization";
/** Where there is more than one language to ask for. */
const dependsOnLanguage = `${dependsOn}, Accept-Language`;

/**
 * Sets whether shared caches may store a page: only if its screen calls it public
 * (app/lib/page/public-page.server.ts) and nothing at all is known about the caller. A theme, a time zone or
 * a sign-in in progress come by cookie; a search, a position in a list or a draft in the query; and looking
 * up an email is counted (decision 0186). `byLanguage`: the site speaks several. @returns whether they may
 */
export function declareCaching(
  { method, url, headers: asked }: Pick<FastifyRequest, "method" | "url" | "headers">,
  { status, headers, html }: PageAnswer,
  byLanguage: boolean,
): boolean {
  const isPublic =
    headers.get("Cache-Control") === "public" &&
    html !== undefined &&
    status === 200 &&
    (method === "GET" || method === "HEAD") &&
    asked.cookie === undefined &&
    asked.authorization === undefined &&
    !/[?@]|%40/.test(url) &&
    headers.getSetCookie().length === 0;
  headers.set("Cache-Control", isPublic ? cacheControl : "private, no-store");
  if (isPublic) headers.append("Vary", byLanguage ? dependsOnLanguage : dependsOn);
  return isPublic;
}
