import type { FastifyInstance } from "fastify";
import type { Database } from "#server/db/database.ts";

type Deps = { db: Pick<Database, "ping">; isDraining: () => boolean };

/**
 * GET /health/live: the process answers. GET /health/ready: it can serve, database included. A
 * database that can only be read still serves everybody who reads, and says so.
 */
export function healthRoutes({ db, isDraining }: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/health/live", { logLevel: "warn" }, async () => ({ status: "alive" }));
    app.get("/health/ready", { logLevel: "warn" }, async (_request, reply) => {
      const database = isDraining() ? "away" : await db.ping(2000);
      if (database === "writable") return { status: "ready" };
      if (database === "read-only") return { status: "read only" };
      return reply.status(503).header("Retry-After", 2).send({ status: "not ready" });
    });
  };
}
