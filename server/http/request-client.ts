import type { FastifyInstance, FastifyRequest } from "fastify";
import { countingEmailLookups } from "#server/features/people/index.ts";
import { currentClient } from "#server/features/identity/index.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { languageOf } from "#server/http/language.ts";
import type { OfferedLanguage } from "#shared/languages.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** those that pages are offered in; missing where there are no pages */
    languages?: readonly OfferedLanguage[];
  }
}

/** Proxies in a row that a request may name. */
const mostProxies = 10;

/**
 * All code that a request's handler calls can know the client, and looks nobody up by an email that was not
 * counted.
 */
export function addRequestClient(app: FastifyInstance): void {
  // Reading the address parses the whole list again: what a client put in front of it is left out.
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request.raw;
    const passed = String(headers["x-forwarded-for"] ?? "").split(",");
    if (passed.length > mostProxies) {
      headers["x-forwarded-for"] = passed.slice(-mostProxies).join(",");
    }
    done();
  });
  // Only after the body was read: its parser loses the context.
  app.addHook("preHandler", (request, _reply, done) => {
    const client = {
      ...clientOf(request),
      // Few requests lead to an email that asks for it.
      get language() {
        return languageOf(request.headers, app.languages ?? [], null);
      },
    };
    currentClient.run(client, () => countingEmailLookups(done));
  });
}

/** The client, for limits and the list of sessions. */
export function clientOf(request: Pick<FastifyRequest, "ip" | "headers">): ClientInfo {
  return {
    ip: request.ip,
    userAgent: (request.headers["user-agent"] ?? "").slice(0, 400),
    cookieHeader: request.headers.cookie ?? "",
  };
}
