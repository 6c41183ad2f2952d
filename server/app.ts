import { randomUUID } from "node:crypto";
import { join } from "node:path";
import rateLimit from "@fastify/rate-limit";
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { diskSpaceOf } from "#server/platform/disk-space.ts";
import { watchOutages } from "#server/platform/outages.ts";
import { createBudget } from "#server/compat/calls/budget.ts";
import { healthRoutes } from "#server/api/health.ts";
import { programRoutes } from "#server/api/routes.ts";
import { createUploads, type Uploads } from "#server/http/uploads.ts";
import type { Config } from "#server/config.ts";
import type { Database } from "#server/platform/db/database.ts";
import { sumStorage } from "#server/features/administration/index.ts";
import type { Hints } from "#server/features/change-hint.ts";
import type { Features } from "#server/features/index.ts";
import { countDecodes } from "#server/features/posts/index.ts";
import { answerClientError } from "#server/http/client-errors.ts";
import { admitRequests } from "#server/http/admit-requests.ts";
import { boundConnections } from "#server/http/connections.ts";
import { addDraining } from "#server/http/drain.ts";
import { addErrorMapper, answerError } from "#server/http/errors.ts";
import { logRequests, requestSerializers } from "#server/http/logging.ts";
import { addCors } from "#server/http/cors.ts";
import { createOriginGuard } from "#server/http/origin-guard.ts";
import { mastodonRoutes, takesSocket } from "#server/mastodon/routes.ts";
import { noteRequests, routeOf } from "#server/http/note-requests.ts";
import { manifestRoutes } from "#server/http/manifest.ts";
import { pageRoutes } from "#server/http/pages.ts";
import { addRequestClient } from "#server/http/request-client.ts";
import { refuseOtherTargets, toOriginForm } from "#server/http/request-target.ts";
import { addSecurityHeaders } from "#server/http/security-headers.ts";
import {
  rateLimitStore,
  createRateLimitCounts,
  windowMs,
  type RateLimitCounts,
} from "#server/http/rate-limit-counts.ts";
import { endUnreadBodies } from "#server/http/unread-bodies.ts";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { ImageStores } from "#server/adapters/image-store/open.ts";
import type * as Metrics from "#server/platform/metrics.ts";
import type { Screens } from "#server/screens.ts";
import { createStatus } from "#server/platform/status/status.ts";

type Deps = {
  config: Config;
  db: Database;
  features: Features;
  store: ImageStore;
  pictures: Pick<ImageStores, "isReady" | "onDisk">;
  hints: Pick<Hints, "publish" | "listen">;
  log: Logger;
  screens: Screens;
  /** counts for Prometheus; null or missing if nobody asks for them */
  metrics?: typeof Metrics | null;
};

/** Requests one network may make in a minute; more are refused. */
const requestsPerMinute = 1200;

/** Connects the features to HTTP. */
export async function createApp(deps: Deps): Promise<FastifyInstance> {
  const { config, db, features, pictures, screens } = deps;
  const uploads = createUploads({ folder: join(config.dataDir, "tmp"), onDisk: pictures.onDisk });
  const app = openServer(deps);

  let draining = false;
  app.addHook("preClose", async () => {
    draining = true;
    features.live.stop();
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.setHeader("X-Request-Id", request.id);
  });
  addDraining(app, () => draining);
  endUnreadBodies(app);
  logRequests(app);
  noteRequests(app, screens.names);
  measure(app, deps, uploads);
  await addSecurityHeaders(app, {
    https: config.publicUrl.startsWith("https:"),
    development: config.nodeEnv === "development",
    imageBaseUrl: config.imageBaseUrl,
  });
  addErrorMapper(app);
  refuseOtherTargets(app);
  admitRequests(app, {
    isMember: ({ headers }) => features.identity.sessions.claimsSession(headers),
  });
  addRequestClient(app);
  await addCors(app, config.corsOrigins);
  const documentsSpent = await limitRequests(app, deps);
  app.addHook("onRequest", createOriginGuard({ own: config.origins, allowed: config.corsOrigins }));
  watchShortages(app, deps);

  const imagesUrl = config.imageBaseUrl ?? config.publicUrl;
  const budget = createBudget({ most: requestsPerMinute, spent: documentsSpent });
  await app.register(healthRoutes({ db, features, pictures, isDraining: () => draining }));
  await app.register(programRoutes({ ...deps, uploads, budget, hasReplica: db.hasReplica }));
  await app.register(
    mastodonRoutes({
      features,
      publicUrl: config.publicUrl.replace(/\/$/, ""),
      imagesUrl: imagesUrl.replace(/\/$/, ""),
      uploads,
    }),
  );
  await app.register(manifestRoutes({ site: features.site }));
  const { troubles } = features;
  const status = createStatus({ ...deps, troubles, sumStorage, onDisk: pictures.onDisk });
  const { publicUrl, imageBaseUrl, origins } = config;
  await app.register(
    pageRoutes({ screens, features, status, publicUrl, imageBaseUrl, origins, uploads }),
  );
  return app;
}

function openServer({ config, log, screens }: Deps): FastifyInstance {
  const app = fastify({
    loggerInstance: log.child({}, { serializers: requestSerializers }) as FastifyBaseLogger,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy,
    bodyLimit: 1024 * 1024,
    // A client that offers HTTP/2 (Upgrade: h2c), as Java's always does, is answered in HTTP/1.1.
    http: { shouldUpgradeCallback: takesSocket },
    // The longest parameter is a conversation's documented address: two emails joined.
    routerOptions: { maxParamLength: 700 },
    rewriteUrl: toOriginForm(config.origins),
    // Plugins only load our own code. On a stalled machine that may take longer than Fastify's ten seconds,
    // and a slow start is better than one that gives up and begins again.
    pluginTimeout: 0,
    // A slow or silent client must not hold its connection for ever.
    requestTimeout: 300_000,
    // Fastify's own answer while it closes has another format than ours (addDraining).
    return503OnClosing: false,
    // For example, an address that cannot be decoded.
    frameworkErrors: answerError,
    clientErrorHandler: answerClientError,
    // logRequests writes one line for each request.
    logController: new LogController({ disableRequestLogging: true }),
  });
  boundConnections(app.server, log);
  app.decorateRequest("viewer", null);
  app.decorate("languages", screens.languages);
  return app;
}

function measure(app: FastifyInstance, deps: Deps, uploads: Uploads): void {
  const { config, db, features, pictures, screens, metrics } = deps;
  metrics?.countRequests(app, (request) => routeOf(request, screens.names));
  metrics?.countWork({
    db,
    own: [
      ["postcard_streams", "open streams of browsers", features.live.count],
      ["postcard_uploads", "files on their way to the server", uploads.count, "kind"],
      ["postcard_decodes", "pictures in the decoder and in front of it", countDecodes, "state"],
    ],
    backupDir: config.backupDir,
    dataDir: config.dataDir,
    diskSpace: () => pictures.onDisk(() => diskSpaceOf(config.dataDir)),
  });
}

/** Limits the requests of one network in a minute; returns the counts of documents, null without limits. */
async function limitRequests(
  app: FastifyInstance,
  { config, hints }: Deps,
): Promise<RateLimitCounts | null> {
  const { rateLimits, processes } = config;
  if (!rateLimits) return null;
  const countsOf = (limit: string) => {
    const counts = createRateLimitCounts({ limit, hints, processes, most: requestsPerMinute });
    app.addHook("onClose", async () => counts.close());
    return counts;
  };
  await app.register(rateLimit, {
    max: requestsPerMinute,
    timeWindow: windowMs,
    store: rateLimitStore(countsOf("requests")),
    errorResponseBuilder: (_request, { ttl }) =>
      refuse("too-many-attempts", { retryAfter: Math.ceil(ttl / 1000) }),
  });
  return countsOf("documents");
}

function watchShortages(app: FastifyInstance, { config, db, pictures, log }: Deps): void {
  const stop = watchOutages({
    log,
    isOver: async (code) => {
      if (code === "picture-host-away") return pictures.isReady();
      const database = await db.ping(2000);
      if (code === "not-ready" || code === "busy") return database !== "away";
      const { free } = await pictures.onDisk(() => diskSpaceOf(config.dataDir));
      return database === "writable" && free >= limits.uploads.reserve;
    },
  });
  app.addHook("onClose", async () => stop());
}
