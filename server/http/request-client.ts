import type { FastifyInstance } from "fastify";
import { countingEmailLookups } from "#server/features/people/index.ts";
import { currentClient } from "#server/features/identity/index.ts";
import { clientOf } from "#server/http/page-context.ts";

/** Proxies one behind another, of which a request tells. */
const mostProxies = 10;

/**
 * Everything that a request's handler calls can know who is at the other end, and looks nobody up by an
 * email that was not counted.
 */
export function addRequestClient(app: FastifyInstance): void {
  // Whoever asks for the address reads the whole list again: what a client put in front of it is left out.
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers } = request.raw;
    const passed = String(headers["x-forwarded-for"] ?? "").split(",");
    if (passed.length > mostProxies) {
      headers["x-forwarded-for"] = passed.slice(-mostProxies).join(",");
    }
    done();
  });
  // Not before the body was read: its parser loses the context.
  app.addHook("preHandler", (request, _reply, done) => {
    currentClient.run(clientOf(request), () => countingEmailLookups(done));
  });
}
