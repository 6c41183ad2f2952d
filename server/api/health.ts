import type { FastifyInstance } from "fastify";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import type { Database } from "#server/db/database.ts";

type Deps = {
  db: Pick<Database, "ping">;
  pictures: Pick<ImageStores, "isReady">;
  isDraining: () => boolean;
};

/**
 * GET /health/live: the process answers. GET /health/ready: it can serve, database included. A
 * database that can only be read still serves everybody who reads, and says so; so does a server
 * whose pictures are away: another server would not have them either.
 */
export function healthRoutes({ db, pictures, isDraining }: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get("/health/live", { logLevel: "warn" }, async () => ({ status: "alive" }));
    app.get("/health/ready", { logLevel: "warn" }, async (_request, reply) => {
      const [database, hasPictures] = await Promise.all([
        isDraining() ? "away" : db.ping(2000),
        pictures.isReady(),
      ]);
      const away = hasPictures ? {} : { pictures: "away" };
      if (database === "writable") return { status: "ready", ...away };
      if (database === "read-only") return { status: "read only", ...away };
      return reply.status(503).header("Retry-After", 2).send({ status: "not ready" });
    });
  };
}
