import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { postViewSchema, bookmarkCountsSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "bookmarks"> };

const { forMembers } = chapter("Posts");
const list = (summary: string) =>
  forMembers([], {
    summary,
    description: "Latest saved first. Only you can read it.",
    ...pagesOf(postViewSchema),
  });

const counts = forMembers([], {
  summary: "How many posts you saved",
  description: "Counted to 100, which stands for 100 and more.",
  response: { 200: bookmarkCountsSchema },
});

/** The caller's bookmarks. */
export function bookmarkCalls({ features: { bookmarks } }: Deps) {
  return {
    photos: call("GET", "/api/saved/photos", list("Photos you saved"), async (request) =>
      bookmarks.list(memberOf(request), "photos", request.query.cursor || null),
    ),
    texts: call(
      "GET",
      "/api/saved/texts",
      list("Posts without a photo you saved"),
      async (request) => bookmarks.list(memberOf(request), "texts", request.query.cursor || null),
    ),
    counts: call("GET", "/api/saved/counts", counts, async (request) =>
      bookmarks.counts(memberOf(request)),
    ),
  };
}
