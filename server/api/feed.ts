import type { FastifyInstance } from "fastify";
import { refuse } from "#shared/errors.ts";
import type { FeedPost, Page } from "#shared/views.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: { feed: Pick<Features["feed"], "home"> } };

/**
 * GET /api/feed?cursor=: a page of the caller's home, `{ items, nextCursor }`, each post with
 * everything its card shows; see FeedPost in shared/views.ts. For signed-in members.
 *
 * Without a response schema on purpose: on Node 26 JSON.stringify writes this page in half the
 * time of the function that Fastify would make from one (docs/decisions/0033-json-as-it-is.md).
 */
export function feedRoutes({ features }: Deps) {
  return async (app: FastifyInstance): Promise<void> => {
    app.get<{ Querystring: { cursor?: unknown } }>(
      "/api/feed",
      async (request, reply): Promise<Page<FeedPost>> => {
        void reply.header("Cache-Control", "private, no-store");
        if (!request.viewer) throw refuse("sign-in-required");
        const { cursor } = request.query;
        if (cursor !== undefined && typeof cursor !== "string") throw refuse("input-invalid");
        return features.feed.home(request.viewer, cursor || null);
      },
    );
  };
}
