import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { postTileSchema } from "#shared/views.schemas.ts";

type Deps = { features: { explore: Pick<Features["explore"], "recent"> } };

const recent = chapter("Feed").forAnybody([], {
  summary: "Recent photos of everybody",
  description:
    "Newest first, 24 a page, a few of each account: of those that are older than a day, or of " +
    "the place's first day, and whose owners show their photos there. Empty where the operator turned it off.",
  ...pagesOf(postTileSchema),
});

/** Recent posts, for members who follow nobody yet. */
export function exploreCalls({ features: { explore } }: Deps) {
  return {
    recent: call("GET", "/api/explore", recent, async ({ viewer, query }) =>
      explore.recent(viewer, query.cursor || null),
    ),
  };
}
