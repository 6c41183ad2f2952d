import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import { limits } from "#shared/limits.ts";
import { feedPostSchema, pageOf } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Feed");

/** The caller's home feed. */
export const feedCalls = {
  home: forMembers("GET /api/feed", {
    summary: "Your home feed",
    description:
      "Posts from accounts you follow, newest first, 20 a page, each with everything its card shows.",
    ...pagesOf(feedPostSchema),
    handler: ({ feed }, { viewer, query }) => feed.home(viewer, query.cursor),
  }),
  newer: forMembers("GET /api/feed/newer", {
    summary: "How many posts are newer than one",
    querystring: z.object({ than: z.uuid().describe("`id` of a post of your home feed") }),
    response: { 200: z.object({ count: z.number().int().min(0) }) },
    handler: async ({ feed }, { viewer, query }) => ({
      count: await feed.newerCount(viewer, query.than),
    }),
  }),
  visit: forMembers("POST /api/feed/visits", {
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
    handler: ({ feed }, { viewer }) => feed.visit(viewer, limits.feedPage),
  }),
  caughtUp: forMembers("PUT /api/feed/caught-up", {
    summary: "Say that you scrolled down to where your last visit ended",
    description: "Your next visit then ends where this one began.",
    response: noContent,
    handler: ({ feed }, { viewer }) => feed.reachLine(viewer),
  }),
};
