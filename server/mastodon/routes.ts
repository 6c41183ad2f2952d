import type { IncomingMessage } from "node:http";
import websocket from "@fastify/websocket";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerError } from "#server/http/errors.ts";
import {
  createMastodonRouter,
  preflightHeaders,
  type MastodonDeps,
} from "#server/mastodon/router.ts";
import { accountRoutes } from "#server/mastodon/routes/accounts.ts";
import { emptyRoutes } from "#server/mastodon/routes/empty.ts";
import { filterRoutes } from "#server/mastodon/routes/filters.ts";
import { initialsRoute } from "#server/mastodon/routes/initials.ts";
import { instanceRoutes } from "#server/mastodon/routes/instance.ts";
import { mediaRoutes } from "#server/mastodon/routes/media.ts";
import { notificationRoutes } from "#server/mastodon/routes/notifications.ts";
import { notOfferedRoutes } from "#server/mastodon/routes/not-offered.ts";
import { oauthRoutes } from "#server/mastodon/routes/oauth.ts";
import { ownAccountRoutes } from "#server/mastodon/routes/own-account.ts";
import { publishingRoutes } from "#server/mastodon/routes/publishing.ts";
import { pushRoutes } from "#server/mastodon/routes/push.ts";
import { relationshipRoutes } from "#server/mastodon/routes/relationships.ts";
import { searchRoutes } from "#server/mastodon/routes/search.ts";
import { statusRoutes } from "#server/mastodon/routes/statuses.ts";
import { streamingRoutes } from "#server/mastodon/routes/streaming.ts";
import { timelineRoutes } from "#server/mastodon/routes/timelines.ts";
import { webfingerRoutes } from "#server/mastodon/routes/webfinger.ts";
import { refuse } from "#shared/errors.ts";

/** Below these paths only the Mastodon API answers. */
const roots = ["/api/v1/*", "/api/v2/*"];
const single = [
  "/oauth/token",
  "/oauth/revoke",
  "/oauth/userinfo",
  "/nodeinfo/2.0",
  "/nodeinfo/2.1",
  "/.well-known/nodeinfo",
  "/.well-known/webfinger",
  "/.well-known/host-meta",
  "/.well-known/oauth-authorization-server",
];

/** One message of an app over a WebSocket: it names a stream. */
const mostSocketBytes = 4096;

/** Whether a request may become a WebSocket; all others that offer to upgrade are answered as they are. */
export const takesSocket = ({ url = "", headers }: IncomingMessage): boolean =>
  /^websocket$/i.test(headers.upgrade ?? "") && /^\/api\/v1\/streaming\/?(?:\?|$)/.test(url);

/** A call of the specification that happens to be below our path: it is only read. */
const isProjects = ({ url }: FastifyRequest) => /^\/api\/v1\/projects(?:\?|$)/.test(url);

function answerProjects(request: FastifyRequest, reply: FastifyReply) {
  void reply.removeHeader("Access-Control-Allow-Origin").header("Allow", "GET, HEAD, OPTIONS");
  if (request.method === "OPTIONS") return reply.status(204).send();
  answerError(refuse("method-not-allowed"), request, reply);
  return reply;
}

/** The Mastodon client API (docs.joinmastodon.org/methods), on top of the features as they are. */
export function mastodonRoutes(deps: MastodonDeps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.decorateRequest("appCaller", null);
    app.decorateRequest("appForm", null);
    await app.register(websocket, { options: { maxPayload: mostSocketBytes } });
    const router = createMastodonRouter(app, deps);
    oauthRoutes(router, deps);
    instanceRoutes(router, deps);
    ownAccountRoutes(router);
    accountRoutes(router);
    relationshipRoutes(router, deps);
    timelineRoutes(router, deps);
    statusRoutes(router);
    publishingRoutes(router, deps);
    mediaRoutes(router, deps);
    notificationRoutes(router, deps);
    pushRoutes(router, deps);
    searchRoutes(router, deps);
    streamingRoutes(router, deps);
    webfingerRoutes(router, deps);
    filterRoutes(router, deps);
    emptyRoutes(router, deps);
    notOfferedRoutes(router);
    initialsRoute(app, deps);
    for (const url of [...roots, ...single]) {
      app.options(url, { schema: { hide: true } }, async (request, reply) => {
        if (isProjects(request)) return answerProjects(request, reply);
        return reply.status(204).headers(preflightHeaders).send();
      });
    }
    for (const url of roots) {
      app.route({
        method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        url,
        schema: { hide: true },
        // Before a body is read.
        onRequest: async (request, reply) => {
          if (isProjects(request)) return answerProjects(request, reply);
          throw refuse("not-found");
        },
        handler: async () => {
          throw refuse("not-found");
        },
      });
    }
  };
}
