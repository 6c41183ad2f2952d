import type { FastifyInstance, FastifyRequest } from "fastify";
import { isEventStream } from "#server/http/admit-requests.ts";
import { noteWork } from "#server/processes/in-flight.ts";

/** How long the work of a request may go on whose client is gone, milliseconds: longer than its statements may. */
const leftMs = 30_000;

/** Notes the method and the route of each request while it is served; not of streams, which last. */
export function noteRequests(app: FastifyInstance, screens: ReadonlySet<string>): void {
  app.addHook("onRequest", (request, { raw }, done) => {
    if (!isEventStream(request)) {
      const end = noteWork(`${request.method} ${routeOf(request, screens)}`);
      // Nothing is told of the end of what nobody waits for any more: onResponse is not called then.
      raw.once("close", () => (raw.writableFinished ? end() : setTimeout(end, leftMs).unref()));
    }
    done();
  });
}

/** The route of a request, of a page by its screen. It names nobody, and there are only so many. */
export function routeOf(
  { routeOptions, url }: FastifyRequest,
  screens: ReadonlySet<string>,
): string {
  const route = routeOptions.url ?? "none";
  return route.endsWith("*") ? screenOf(url, screens) : route;
}

/** The screen of an address by its first word, where there is one: what strangers make up is one name. */
function screenOf(url: string, screens: ReadonlySet<string>): string {
  const [, word = ""] = /^\/([^/?]*)/.exec(url) ?? [];
  const name = word.replace(/\.data$/, "").replace(/^_root$/, "");
  return screens.has(name) ? `/${name}` : "/*";
}
