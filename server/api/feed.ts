import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { limits } from "#shared/limits.ts";
import { feedPostSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = {
  features: { feed: Pick<Features["feed"], "home" | "newerCount" | "visit" | "reachLine"> };
};

/** The caller's home. */
export function feedRoutes({ features }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/feed",
      {
        config: { access: "member" },
        schema: {
          tags: ["Feed"],
          summary: "Your home feed",
          description:
            "Posts from accounts you follow, newest first, 20 a page, each with everything its card shows.",
          querystring: cursorQuery,
          response: { 200: pageOf(feedPostSchema) },
        },
      },
      async (request) => features.feed.home(memberOf(request), request.query.cursor || null),
    );
    app.get(
      "/api/feed/newer",
      {
        config: { access: "member" },
        schema: {
          tags: ["Feed"],
          summary: "How many posts are newer than one",
          querystring: z.object({ than: z.uuid().describe("`id` of a post of your home feed") }),
          response: { 200: z.object({ count: z.number().int().min(0) }) },
        },
      },
      async (request) => ({
        count: await features.feed.newerCount(memberOf(request), request.query.than),
      }),
    );
    app.post(
      "/api/feed/visits",
      {
        config: { access: "member" },
        schema: {
          tags: ["Feed"],
          summary: "Open your home feed",
          description:
            "The first page, and where your last visit ended, on any device. Opening it again within half an hour continues the same visit.",
          response: {
            200: z.object({
              page: pageOf(feedPostSchema),
              caughtUpTo: z
                .uuid()
                .nullable()
                .describe("posts whose `id` is not greater were there at your last visit"),
            }),
          },
        },
      },
      async (request) => features.feed.visit(memberOf(request), limits.feedPage),
    );
    app.put(
      "/api/feed/caught-up",
      {
        config: { access: "member" },
        schema: {
          tags: ["Feed"],
          summary: "Say that you scrolled down to where your last visit ended",
          description: "Your next visit then ends where this one began.",
          response: { 204: z.undefined().describe("done") },
        },
      },
      async (request, reply) => {
        await features.feed.reachLine(memberOf(request));
        void reply.status(204);
      },
    );
  };
}
