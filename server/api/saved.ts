import { memberOf, type Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { pageOf, postViewSchema, savedCountsSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "bookmarks"> };

const declareList = (summary: string) => ({
  config: { access: "member" as const },
  schema: {
    tags: ["Posts"],
    summary,
    description: "Latest saved first. Only you can read it.",
    querystring: cursorQuery,
    response: { 200: pageOf(postViewSchema) },
  },
});

const counts = {
  config: { access: "member" as const },
  schema: {
    tags: ["Posts"],
    summary: "How many posts you saved",
    description: "Counted to 100, which stands for 100 and more.",
    response: { 200: savedCountsSchema },
  },
};

/** What the caller saved. */
export function savedRoutes({ features: { bookmarks } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get("/api/saved/photos", declareList("Photos you saved"), async (request) =>
      bookmarks.list(memberOf(request), "photos", request.query.cursor || null),
    );
    app.get("/api/saved/texts", declareList("Posts without a photo you saved"), async (request) =>
      bookmarks.list(memberOf(request), "texts", request.query.cursor || null),
    );
    app.get("/api/saved/counts", counts, async (request) => bookmarks.counts(memberOf(request)));
  };
}
