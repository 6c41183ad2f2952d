import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Budget } from "#server/compat/calls/budget.ts";
import type { Calls } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { chapterName, emailParams } from "#server/compat/calls/parameters.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import { tagOf } from "#server/compat/documents/documents.ts";
import type { Features } from "#server/features/index.ts";
import { documentedUser, type DocumentedUser } from "#shared/documents.inputs.ts";

type Deps = { features: Pick<Features, "documents">; publicUrl: string; budget: Budget };

const { forAnybody } = chapter(chapterName);

const one = {
  response: { 200: documentedUser },
  answerHeaders: { ETag: "of the document as it is now, for `If-Match`" },
};

const byAddress = (summary: string) =>
  forAnybody(["not-found"], {
    ...one,
    summary,
    description:
      "At most its newest 1,000 posts, 100 entries in a list and 4 MB. Other people's saved " +
      "posts never appear, nor do emails that their owners do not show.",
    params: emailParams,
  });

const declared = {
  list: forAnybody([], {
    summary: "All accounts",
    description:
      "In the order they joined, the caller first; at most 100 a page, each with its newest " +
      "20 posts and 20 entries in a list. The header `Link` has the next page.",
    querystring: z.object({
      cursor: cursorQuery.shape.cursor.describe("stands in the address that `Link` has"),
    }),
    response: { 200: z.array(documentedUser) },
    answerHeaders: { Link: '`<address>; rel="next"`: the next page; not there on the last' },
  }),
  byId: forAnybody(["not-found"], {
    ...one,
    summary: "One account by its id",
    params: z.object({ id: z.string() }),
  }),
};

/** Accounts with all their content, as the specification's clients load them. */
export function documentedUserRoutes({ features, publicUrl, budget }: Deps) {
  const { documents } = features;

  /** Writes an answer as JSON, once, and counts its size for the caller. */
  async function counted<Answer>(request: FastifyRequest, reply: FastifyReply, answer: Answer) {
    const json = JSON.stringify(answer);
    await budget.spend(request, Buffer.byteLength(json));
    void reply.type("application/json; charset=utf-8").serializer(() => json);
    return { answer, json };
  }

  /** Answers with one document, within the caller's budget, and its tag. */
  async function tagged(
    request: FastifyRequest,
    reply: FastifyReply,
    read: () => Promise<DocumentedUser>,
  ) {
    await budget.check(request);
    const { answer, json } = await counted(request, reply, await read());
    void reply.header("ETag", tagOf(answer, json));
    return answer;
  }

  return async (app: Calls): Promise<void> => {
    app.get("/api/users", declared.list, async (request, reply) => {
      await budget.check(request);
      const { items, nextCursor } = await documents.page(request.viewer, request.query.cursor);
      if (nextCursor) {
        const next = `${publicUrl}/api/users?cursor=${encodeURIComponent(nextCursor)}`;
        void reply.header("Link", `<${next}>; rel="next"`);
      }
      return (await counted(request, reply, items)).answer;
    });
    for (const [path, summary] of [
      ["/api/users/:email", "One account by its address"],
      ["/api/users/email/:email", "One account by its email"],
    ] as const) {
      app.get(path, byAddress(summary), (request, reply) =>
        tagged(request, reply, () => documents.at(request.viewer, request.params.email)),
      );
    }
    app.get("/api/users/id/:id", declared.byId, (request, reply) =>
      tagged(request, reply, () => documents.byId(request.viewer, request.params.id)),
    );
  };
}
