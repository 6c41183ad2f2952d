import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import { commentSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "posts" | "comments" | "idempotency"> };

const tags = ["Comments"];
const commentId = z.uuid().describe("`id` of a comment");
const newComment = z.object({
  body: commentInput.shape.body.describe("1,000 characters at most"),
});

/** What people say under a post. */
export function commentRoutes({ features }: Deps) {
  const { posts, comments } = features;
  const path = "/api/posts/:address/:number/comments";

  return async (app: Calls): Promise<void> => {
    app.get(
      path,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The comments of a post",
          description: "Oldest first, 30 a page.",
          params: postParams,
          querystring: cursorQuery.extend({
            after: commentId.optional().describe("only those written after this one"),
          }),
          response: { 200: pageOf(commentSchema) },
        },
      },
      async ({ viewer, params, query }) => {
        const post = await posts.refAt(viewer, params.address, params.number);
        return query.after
          ? comments.after(viewer, post, query.after)
          : comments.list(viewer, post, query.cursor || null);
      },
    );

    app.get(
      `${path}/standing`,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "Which comments are still there",
          description: "Of the comments from one to another: for a program that shows them.",
          params: postParams,
          querystring: z.object({ from: commentId, to: commentId }),
          response: {
            200: z.object({
              ids: z.array(z.uuid()),
              to: z.uuid().describe("how far this answer reaches; ask for the rest from there"),
            }),
          },
        },
      },
      async ({ viewer, params, query }) =>
        comments.standing(viewer, await posts.refAt(viewer, params.address, params.number), query),
    );

    app.post(
      path,
      {
        config: { access: "member", refusals: ["not-found", "key-reused"] },
        schema: {
          tags,
          summary: "Comment on a post",
          ...takesKey,
          params: postParams,
          body: newComment,
          response: { 201: commentSchema },
        },
      },
      async (request, reply) =>
        answerOnce(features, request, reply, async () => {
          const viewer = memberOf(request);
          const { address, number } = request.params;
          const post = await posts.refAt(viewer, address, number);
          return { status: 201, body: await comments.add(viewer, post, request.body.body, null) };
        }),
    );

    app.delete(
      `${path}/:commentId`,
      {
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "Delete one comment",
          description: "Allowed for its writer and the post's author.",
          params: postParams.extend({ commentId: z.string().describe("`id` of the comment") }),
          response: { 204: z.undefined().describe("done") },
        },
      },
      async (request, reply) => {
        const viewer = memberOf(request);
        const { address, number, commentId } = request.params;
        await comments.remove(viewer, await posts.refAt(viewer, address, number), commentId);
        void reply.status(204);
      },
    );
  };
}
