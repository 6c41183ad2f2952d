import type { Calls } from "#server/api/calls.ts";
import { refuse } from "#shared/errors.ts";

/** Below these nothing but calls is answered: no screen begins so. */
const roots = ["/api/*", "/v1/*"];

/**
 * What an address answers to a method that it has no call for: 405 with the methods it has
 * (RFC 9110, section 15.5.6), to OPTIONS these alone, and 404 where no call is at all. Before a body
 * is read. Call it before the calls are declared.
 */
export function answerMethodNotAllowed(calls: Calls): void {
  const declared: { address: RegExp; methods: string[] }[] = [];
  calls.addHook("onRoute", ({ method, url }) => {
    if (!roots.includes(url))
      declared.push({ address: addressesOf(url), methods: [method].flat() });
  });
  for (const url of roots) {
    calls.all(url, {
      schema: { hide: true },
      onRequest: async (request, reply) => {
        const [path = ""] = request.url.split("?", 1);
        const here = declared.filter(({ address }) => address.test(path));
        const methods = new Set(here.flatMap(({ methods }) => methods));
        // One that has this method is here because a part of it is longer than an address can be.
        if (methods.size === 0 || methods.has(request.method)) throw refuse("not-found");
        methods.add("OPTIONS");
        void reply.header("Allow", [...methods].join(", "));
        if (request.method !== "OPTIONS") throw refuse("method-not-allowed");
        return reply.status(204).send();
      },
      handler: async () => {
        throw refuse("not-found");
      },
    });
  }
}

/** All addresses of a declared one, `/api/users/:email`. */
function addressesOf(url: string): RegExp {
  const parts = url
    .split("/")
    .map((part) => (part.startsWith(":") ? "[^/]+" : part.replaceAll(".", "\\.")));
  return new RegExp(`^${parts.join("/")}$`);
}
