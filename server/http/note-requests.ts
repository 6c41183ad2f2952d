import type { FastifyInstance, FastifyRequest } from "fastify";
import { isEventStream } from "#server/http/admit-requests.ts";
import { noteWork } from "#server/platform/processes/in-flight.ts";

/**
 * How long the work of a request may go on after its client has left, milliseconds: longer than its
 * statements may.
 */
const leftMs = 30_000;

/** Notes the method and route of each request while it is served; not of streams, which last. */
export function noteRequests(app: FastifyInstance, screens: ReadonlySet<string>): void {
  app.addHook("onRequest", (request, { raw }, done) => {
    if (!isEventStream(request)) {
      const end = noteWork(`${request.method} ${routeOf(request, screens)}`);
      // onResponse is not called for a request that nobody waits for any more.
      raw.once("close", () => (raw.writableFinished ? end() : setTimeout(end, leftMs).unref()));
    }
    done();
  });
}

/**
 * The route of a request, or the screen of a page. It names nobody, and there is a limited number of them.
 */
export function routeOf(
  { routeOptions, url }: FastifyRequest,
  screens: ReadonlySet<string>,
): string {
  const route = routeOptions.url ?? "none";
  return route.endsWith("*") ? screenOf(url, screens) : route;
}

/** The screen of an address by its first word, where there is one: everything made up shares one name. */
function screenOf(url: string, screens: ReadonlySet<string>): string {
  const [, word = ""] = /^\/([^/?]*)/.exec(url) ?? [];
  const name = word.replace(/\.data$/, "").replace(/^_root$/, "");
  return screens.has(name) ? `/${name}` : "/*";
}
