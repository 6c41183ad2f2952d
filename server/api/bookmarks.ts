import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import { bookmarkCountsSchema } from "#shared/bookmarks.schemas.ts";
import { postViewSchema } from "#shared/views.schemas.ts";

const { forMembers } = callsOf("Posts");
/** Saved posts of one kind. */
const listed = (summary: string) => ({
  summary,
  description: "Latest saved first. Only you can read it.",
  ...pagesOf(postViewSchema),
});

/** The caller's bookmarks. */
export const bookmarkCalls = {
  photos: forMembers("GET /api/saved/photos", {
    ...listed("Photos you saved"),
    handler: ({ bookmarks }, { viewer, query }) => bookmarks.list(viewer, "photos", query.cursor),
  }),
  texts: forMembers("GET /api/saved/texts", {
    ...listed("Posts without a photo you saved"),
    handler: ({ bookmarks }, { viewer, query }) => bookmarks.list(viewer, "texts", query.cursor),
  }),
  counts: forMembers("GET /api/saved/counts", {
    summary: "How many posts you saved",
    description: "Counted to 100, which stands for 100 and more.",
    response: { 200: bookmarkCountsSchema },
    handler: ({ bookmarks }, { viewer }) => bookmarks.counts(viewer),
  }),
};
