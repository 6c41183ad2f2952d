import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Calls } from "#server/api/calls.ts";
import { emailParams, tags } from "#server/api/documented/parameters.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import { tagOf } from "#server/features/documents/documents.ts";
import type { Features } from "#server/features/index.ts";
import { documentedUser, type DocumentedUser } from "#shared/documents.inputs.ts";

type Deps = { features: Pick<Features, "documents">; publicUrl: string };

const open = { access: "anybody" } as const;
const openOne = { access: "anybody", refusals: ["not-found"] } as const;
const one = {
  tags,
  response: { 200: documentedUser },
  answerHeaders: { ETag: "of the document as it is now, for `If-Match`" },
};

/** Accounts with all they hold, as the specification's clients load them. */
export function documentedUserRoutes({ features, publicUrl }: Deps) {
  const { documents } = features;

  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/users",
      {
        config: open,
        schema: {
          tags,
          summary: "All accounts",
          description:
            "In the order they joined, the caller first; at most 100 a page, each with its newest " +
            "20 posts and 20 entries in a list. The header `Link` has the next page.",
          querystring: z.object({
            cursor: cursorQuery.shape.cursor.describe("stands in the address that `Link` has"),
          }),
          response: { 200: z.array(documentedUser) },
          answerHeaders: { Link: '`<address>; rel="next"`: the next page; not there on the last' },
        },
      },
      async ({ viewer, query }, reply) => {
        const { items, nextCursor } = await documents.page(viewer, query.cursor || null);
        if (nextCursor) {
          const next = `${publicUrl}/api/users?cursor=${encodeURIComponent(nextCursor)}`;
          void reply.header("Link", `<${next}>; rel="next"`);
        }
        return items;
      },
    );

    for (const [path, summary] of [
      ["/api/users/:email", "One account by its address"],
      ["/api/users/email/:email", "One account by its email"],
    ] as const) {
      app.get(
        path,
        {
          config: openOne,
          schema: {
            ...one,
            summary,
            description:
              "At most its newest 1,000 posts, 100 entries in a list and 4 MB. Other people's saved " +
              "posts never appear, nor do emails that their owners do not show.",
            params: emailParams,
          },
        },
        async ({ viewer, params }, reply) =>
          tagged(reply, await documents.at(viewer, params.email)),
      );
    }

    app.get(
      "/api/users/id/:id",
      {
        config: openOne,
        schema: { ...one, summary: "One account by its id", params: z.object({ id: z.string() }) },
      },
      async ({ viewer, params }, reply) => tagged(reply, await documents.byId(viewer, params.id)),
    );
  };
}

function tagged(reply: FastifyReply, document: DocumentedUser): DocumentedUser {
  void reply.header("ETag", tagOf(document));
  return document;
}
