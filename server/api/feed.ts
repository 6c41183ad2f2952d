import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { limits } from "#shared/limits.ts";
import { feedPostSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = {
  features: { feed: Pick<Features["feed"], "home" | "newerCount" | "visit" | "reachLine"> };
};

const { forMembers } = chapter("Feed");

const declared = {
  home: forMembers([], {
    summary: "Your home feed",
    description:
      "Posts from accounts you follow, newest first, 20 a page, each with everything its card shows.",
    ...pagesOf(feedPostSchema),
  }),
  newer: forMembers([], {
    summary: "How many posts are newer than one",
    querystring: z.object({ than: z.uuid().describe("`id` of a post of your home feed") }),
    response: { 200: z.object({ count: z.number().int().min(0) }) },
  }),
  visit: forMembers([], {
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
  }),
  caughtUp: forMembers([], {
    summary: "Say that you scrolled down to where your last visit ended",
    description: "Your next visit then ends where this one began.",
    response: noContent,
  }),
};

/** The caller's home feed. */
export function feedCalls({ features: { feed } }: Deps) {
  return {
    home: call("GET", "/api/feed", declared.home, async (request) =>
      feed.home(memberOf(request), request.query.cursor || null),
    ),
    newer: call("GET", "/api/feed/newer", declared.newer, async (request) => ({
      count: await feed.newerCount(memberOf(request), request.query.than),
    })),
    visit: call("POST", "/api/feed/visits", declared.visit, async (request) =>
      feed.visit(memberOf(request), limits.feedPage),
    ),
    caughtUp: call("PUT", "/api/feed/caught-up", declared.caughtUp, async (request) =>
      feed.reachLine(memberOf(request)),
    ),
  };
}
