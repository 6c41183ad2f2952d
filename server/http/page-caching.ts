import type { FastifyRequest } from "fastify";
import type { PageAnswer } from "#server/screens.ts";

/**
 * How long a shared cache may answer with its copy of a page: what is deleted or withdrawn is out of
 * sight after as long. Browsers ask each time. Nothing about stale copies: browsers would read that, too.
 */
const cacheControl = "public, max-age=0, s-maxage=30";

/** What else than its address a page depends on: who asks. */
const dependsOn = "Cookie, Authorization";

/**
 * Says of a page whether shared caches may keep it: only one that its screen calls public
 * (app/lib/page/public-page.server.ts), asked for by somebody of whom nothing at all is known. A theme, a
 * time zone or a sign-in under way come by cookie; a search, a place in a list or a draft in the query;
 * and looking up an email is counted (decision 0186). @returns whether it may
 */
export function declareCaching(
  { method, url, headers: asked }: Pick<FastifyRequest, "method" | "url" | "headers">,
  { status, headers, html }: PageAnswer,
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
  if (isPublic) headers.append("Vary", dependsOn);
  return isPublic;
}
