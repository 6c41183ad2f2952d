import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { accountSchema, pageOf, postTileSchema, tagSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "tags" | "search"> };

const typed = z.object({ q: z.string().max(400).describe("what was typed so far") });

/** The posts of a tag, and what is offered to somebody who writes a # or an @. */
export function tagRoutes({ features }: Deps) {
  const { tags, search } = features;

  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/tags/:tag/posts",
      {
        config: { access: "anybody" },
        schema: {
          tags: ["Tags"],
          summary: "The posts that carry a tag",
          description:
            "Photos and words, newest first, 24 a page at most: a page can have fewer, or none, and " +
            "go on all the same.",
          params: z.object({
            tag: z.string().max(400).describe("with its # or without, in any letter case"),
          }),
          querystring: cursorQuery,
          response: { 200: pageOf(postTileSchema) },
        },
      },
      async ({ viewer, params, query }) => tags.posts(viewer, params.tag, query.cursor || null),
    );

    app.get(
      "/api/tags",
      {
        config: { access: "member" },
        schema: {
          tags: ["Tags"],
          summary: "Tags that begin with some letters",
          description: "Eight at most, those with most posts first.",
          querystring: typed,
          response: { 200: z.object({ items: z.array(tagSchema) }) },
        },
      },
      async (request) => ({ items: await tags.beginning(memberOf(request), request.query.q) }),
    );

    app.get(
      "/api/mentions",
      {
        config: { access: "member" },
        schema: {
          tags: ["Tags"],
          summary: "People to mention",
          description:
            "Eight at most whose name or username matches, those you follow first. For nothing " +
            "typed yet, those you followed last.",
          querystring: typed,
          response: { 200: z.object({ items: z.array(accountSchema) }) },
        },
      },
      async (request) => ({ items: await search.offered(memberOf(request), request.query.q) }),
    );
  };
}
