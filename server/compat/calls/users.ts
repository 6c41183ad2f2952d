import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Budget } from "#server/compat/calls/budget.ts";
import type { Calls } from "#server/api/calls.ts";
import { emailParams, tags } from "#server/compat/calls/parameters.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import { tagOf } from "#server/compat/documents/documents.ts";
import type { Features } from "#server/features/index.ts";
import { documentedUser, type DocumentedUser } from "#shared/documents.inputs.ts";

type Deps = { features: Pick<Features, "documents">; publicUrl: string; budget: Budget };

const open = { access: "anybody" } as const;
const openOne = { access: "anybody", refusals: ["not-found"] } as const;
const one = {
  tags,
  response: { 200: documentedUser },
  answerHeaders: { ETag: "of the document as it is now, for `If-Match`" },
};

/** Accounts with all they hold, as the specification's clients load them. */
export function documentedUserRoutes({ features, publicUrl, budget }: Deps) {
  const { documents } = features;

  /** Writes an answer as JSON, once, and counts its size to whoever asked. */
  async function counted<Answer>(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
    const json = JSON.stringify(answer);
    await budget.spend(request, Buffer.byteLength(json));
    void reply.type("application/json; charset=utf-8").serializer(() => json);
    return { answer, json };
  }

  async function tagged(request: FastifyRequest, reply: FastifyReply, document: DocumentedUser) {
    const { json } = await counted(request, reply, document);
    void reply.header("ETag", tagOf(document, json));
    return document;
  }

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
      async (request, reply) => {
        const { viewer, query } = request;
        await budget.check(request);
        const { items, nextCursor } = await documents.page(viewer, query.cursor || null);
        if (nextCursor) {
          const next = `${publicUrl}/api/users?cursor=${encodeURIComponent(nextCursor)}`;
          void reply.header("Link", `<${next}>; rel="next"`);
        }
        return (await counted(request, reply, items)).answer;
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
        async (request, reply) => {
          await budget.check(request);
          const { viewer, params } = request;
          return tagged(request, reply, await documents.at(viewer, params.email));
        },
      );
    }

    app.get(
      "/api/users/id/:id",
      {
        config: openOne,
        schema: { ...one, summary: "One account by its id", params: z.object({ id: z.string() }) },
      },
      async (request, reply) => {
        await budget.check(request);
        const { viewer, params } = request;
        return tagged(request, reply, await documents.byId(viewer, params.id));
      },
    );
  };
}
