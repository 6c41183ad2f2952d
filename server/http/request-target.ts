import type { FastifyInstance, RawServerDefault, RawRequestDefaultExpression } from "fastify";
import { refuse } from "#shared/errors.ts";

type RawRequest = RawRequestDefaultExpression<RawServerDefault>;

/**
 * A request may name its whole address (`GET http://host/path`, RFC 9112, section 3.2.2). One of ours
 * is read as its path alone, so that routes, checks and the log see one form; others stay as they are.
 * A slash at the end of a call of the Mastodon API means nothing, as at Mastodon: Mastodon.py asks so.
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

/** Nobody is served under an address of another server: this is no proxy. */
export function refuseOtherTargets(app: FastifyInstance): void {
  app.addHook("onRequest", async ({ url }) => {
    if (url.startsWith("/") || url === "*") return;
    throw refuse("input-invalid", { message: "This address doesn't belong to this server." });
  });
}
