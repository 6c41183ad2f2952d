import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import { postTileSchema } from "#shared/views.schemas.ts";

const { forAnybody } = callsOf("Feed");

/** Recent posts, for members who follow nobody yet. */
export const exploreCalls = {
  recent: forAnybody("GET /api/explore", {
    summary: "Recent photos of everybody",
    description:
      "Newest first, 24 a page, a few of each account: of those that are older than a day, or of " +
      "the place's first day, and whose owners show their photos there. Empty where the operator turned it off.",
    ...pagesOf(postTileSchema),
    handler: ({ explore }, { viewer, query }) => explore.recent(viewer, query.cursor),
  }),
};
