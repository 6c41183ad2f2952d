import type { FastifyInstance } from "fastify";
import { countingEmailLookups } from "#server/features/people/index.ts";
import { currentClient } from "#server/features/identity/index.ts";
import { clientOf } from "#server/http/page-context.ts";

/**
 * Everything that a request's handler calls can know who is at the other end, and looks nobody up by an
 * email that was not counted.
 */
export function addRequestClient(app: FastifyInstance): void {
  // Not before the body was read: its parser loses the context.
  app.addHook("preHandler", (request, _reply, done) => {
    currentClient.run(clientOf(request), () => countingEmailLookups(done));
  });
}
