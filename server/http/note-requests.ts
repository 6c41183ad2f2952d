import type { FastifyInstance, FastifyRequest } from "fastify";
import { lasts } from "#server/http/admit-requests.ts";
import { noteWork } from "#server/processes/under-way.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** takes the note of this request away */
    noteEnd: (() => void) | null;
  }
}

/** Notes the method and the route of each request while it is served; not of streams, which last. */
export function noteRequests(app: FastifyInstance, screens: ReadonlySet<string>): void {
  app.decorateRequest("noteEnd", null);
  app.addHook("onRequest", (request, _reply, done) => {
    if (!lasts(request))
      request.noteEnd = noteWork(`${request.method} ${routeOf(request, screens)}`);
    done();
  });
  app.addHook("onResponse", (request, _reply, done) => {
    request.noteEnd?.();
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
