import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import { accountSchema, postTileSchema, tagSchema } from "#shared/views.schemas.ts";

const { forAnybody, forMembers } = callsOf("Tags");
const typed = z.object({ q: z.string().max(400).describe("what was typed so far") });

/** The posts of a tag, and the suggestions for somebody who types # or @. */
export const tagCalls = {
  posts: forAnybody("GET /api/tags/:tag/posts", {
    summary: "The posts that carry a tag",
    description:
      "Photos and words, newest first, 24 a page at most: a page can have fewer, or none, and " +
      "go on all the same.",
    params: z.object({
      tag: z.string().max(400).describe("with its # or without, in any letter case"),
    }),
    ...pagesOf(postTileSchema),
    handler: ({ tags }, { viewer, params, query }) => tags.posts(viewer, params.tag, query.cursor),
  }),
  beginning: forMembers("GET /api/tags", {
    summary: "Tags that begin with some letters",
    description: "Eight at most, those with most posts first.",
    querystring: typed,
    response: { 200: z.object({ items: z.array(tagSchema) }) },
    handler: async ({ tags }, { viewer, query }) => ({
      items: await tags.beginning(viewer, query.q),
    }),
  }),
  mentions: forMembers("GET /api/mentions", {
    summary: "People to mention",
    description:
      "Eight at most whose name or username matches, those you follow first. For nothing " +
      "typed yet, those you followed last.",
    querystring: typed,
    response: { 200: z.object({ items: z.array(accountSchema) }) },
    handler: async ({ search }, { viewer, query }) => ({
      items: await search.offered(viewer, query.q),
    }),
  }),
};
