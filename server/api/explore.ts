import type { Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { pageOf, postTileSchema } from "#shared/views.schemas.ts";

type Deps = { features: { explore: Pick<Features["explore"], "recent"> } };

/** What people posted lately, for those who follow nobody yet. */
export function exploreRoutes({ features }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/explore",
      {
        config: { access: "anybody" },
        schema: {
          tags: ["Feed"],
          summary: "Recent photos of everybody",
          description:
            "Newest first, 24 a page, a few of each account: of those that are older than a day and " +
            "whose owners show their photos there. Empty where the operator turned it off.",
          querystring: cursorQuery,
          response: { 200: pageOf(postTileSchema) },
        },
      },
      async ({ viewer, query }) => features.explore.recent(viewer, query.cursor || null),
    );
  };
}
