import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { accountSchema, postTileSchema, tagSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "tags" | "search"> };

const { forAnybody, forMembers } = chapter("Tags");
const typed = z.object({ q: z.string().max(400).describe("what was typed so far") });

const declared = {
  posts: forAnybody([], {
    summary: "The posts that carry a tag",
    description:
      "Photos and words, newest first, 24 a page at most: a page can have fewer, or none, and " +
      "go on all the same.",
    params: z.object({
      tag: z.string().max(400).describe("with its # or without, in any letter case"),
    }),
    ...pagesOf(postTileSchema),
  }),
  beginning: forMembers([], {
    summary: "Tags that begin with some letters",
    description: "Eight at most, those with most posts first.",
    querystring: typed,
    response: { 200: z.object({ items: z.array(tagSchema) }) },
  }),
  mentions: forMembers([], {
    summary: "People to mention",
    description:
      "Eight at most whose name or username matches, those you follow first. For nothing " +
      "typed yet, those you followed last.",
    querystring: typed,
    response: { 200: z.object({ items: z.array(accountSchema) }) },
  }),
};

/** The posts of a tag, and the suggestions for somebody who types # or @. */
export function tagCalls({ features: { tags, search } }: Deps) {
  return {
    posts: call("GET", "/api/tags/:tag/posts", declared.posts, async ({ viewer, params, query }) =>
      tags.posts(viewer, params.tag, query.cursor || null),
    ),
    beginning: call("GET", "/api/tags", declared.beginning, async (request) => ({
      items: await tags.beginning(memberOf(request), request.query.q),
    })),
    mentions: call("GET", "/api/mentions", declared.mentions, async (request) => ({
      items: await search.offered(memberOf(request), request.query.q),
    })),
  };
}
