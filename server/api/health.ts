import type { FastifyInstance } from "fastify";
import type { ObservedRequest } from "#server/platform/admin/doctor/doctor-pass.ts";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Features } from "#server/features/index.ts";
import { refuse } from "#shared/errors.ts";

type Deps = {
  db: Pick<Database, "ping">;
  features: Pick<Features, "doctorPass">;
  pictures: Pick<ImageStores, "isReady">;
  isDraining: () => boolean;
};

/**
 * GET /health/live: the process answers. GET /health/ready: it can serve, database included. A database that
 * can only be read still serves everybody who reads, and says so; so does a server whose image store is away:
 * another server would not have the images either. GET /health/seen is for the doctor alone; for others it
 * doesn't exist.
 */
export function healthRoutes({ db, features, pictures, isDraining }: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook("onRequest", async (_request, reply) => {
      void reply.header("Cache-Control", "no-store");
    });
    app.get("/health/live", { logLevel: "warn" }, async () => ({ status: "alive" }));
    app.get("/health/ready", { logLevel: "warn" }, async (_request, reply) => {
      const [database, imagesReady] = await Promise.all([
        isDraining() ? "away" : db.ping(2000),
        pictures.isReady(),
      ]);
      const away = imagesReady ? {} : { pictures: "away" };
      if (database === "writable") return { status: "ready", ...away };
      if (database === "read-only") return { status: "read only", ...away };
      return reply.status(503).header("Retry-After", 2).send({ status: "not ready" });
    });
    app.get(
      "/health/seen",
      { logLevel: "warn" },
      async ({ headers, ip, socket }): Promise<ObservedRequest> => {
        if (!features.doctorPass.accepts(headers["x-doctor-pass"])) throw refuse("not-found");
        return {
          connection: socket.remoteAddress ?? "",
          visitor: ip,
          forwardedFor: [headers["x-forwarded-for"]].flat().join(", ") || null,
          host: headers.host ?? "",
          now: Date.now(),
        };
      },
    );
  };
}
