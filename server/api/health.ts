import type { FastifyInstance } from "fastify";
import type { Database } from "#server/db/database.ts";

type Deps = { db: Pick<Database, "ping">; isDraining: () => boolean };

/** GET /health/live: the process answers. GET /health/ready: it can serve, database included. */
export function healthRoutes({ db, isDraining }: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/health/live", { logLevel: "warn" }, async () => ({ status: "alive" }));
    app.get("/health/ready", { logLevel: "warn" }, async (_request, reply) => {
      const ready = !isDraining() && (await db.ping(2000));
      return reply.status(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
    });
  };
}
