import type { FastifyInstance, RawServerDefault, RawRequestDefaultExpression } from "fastify";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

type RawRequest = RawRequestDefaultExpression<RawServerDefault>;

/**
 * A request may name its whole address (`GET http://host/path`, RFC 9112, section 3.2.2). One of ours is read
 * as its path alone, so that routes, checks and the log see one form; others stay as they are. A slash at the
 * end of a call of the Mastodon API is ignored, as Mastodon does: Mastodon.py sends it.
 */
export function toOriginForm(origins: readonly string[]) {
  const hosts = new Set(origins.map((origin) => new URL(origin).host));
  return ({ url = "/" }: RawRequest): string => {
    if (url.startsWith("/") || !URL.canParse(url)) return withoutLastSlash(url);
    const { host, pathname, search } = new URL(url);
    return hosts.has(host) ? withoutLastSlash(pathname + search) : url;
  };
}

const withoutLastSlash = (url: string) =>
  url.replace(/^(\/api\/v[12]\/[^?]*[^/?])\/(?=\?|$)/, "$1");

/**
 * Refuses addresses that nothing here can have, before they are queued, counted or matched: React Router
 * matches every ancestor of a path, so the cost of a path grows with the square of its segments. A page would
 * cost more than this refusal, so people get a plain one, and 414 rather than 404: the address itself is
 * wrong, nothing at it was removed.
 */
export function refuseOtherTargets(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ url }) => {
    if (isTooLong(pathOf(url)) || discoversTooMuch(url)) throw refuse("address-too-long");
    // Nothing is served for an address of another server: this is no proxy.
    if (url.startsWith("/") || url === "*") return;
    throw refuse("input-invalid", { message: "This address doesn't belong to this server." });
  });
}

/** The address without its query. */
export const pathOf = (url: string): string => url.split("?", 1)[0] ?? "";

function isTooLong(path: string): boolean {
  if (path.length > limits.address.pathBytes) return true;
  // A URL parser reads \\ as /.
  return (path.match(/[/\\]/g) ?? []).length > limits.address.segments;
}

/** Whether a page's script asks for the routes of more, or longer, paths than a page's links lead to. */
function discoversTooMuch(url: string): boolean {
  if (!url.includes("__manifest")) return false;
  const read = URL.parse(url, "http://localhost");
  if (read?.pathname !== "/__manifest") return false;
  const paths = (read.searchParams.get("paths") ?? "").split(",");
  return paths.length > limits.address.discovered || paths.some(isTooLong);
}
