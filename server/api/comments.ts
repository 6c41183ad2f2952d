import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { checkSender, sentBy } from "#server/api/chats.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import { commentSchema, commentThreadSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = {
  features: Pick<Features, "posts" | "comments" | "commentLikes" | "idempotency">;
};

const tags = ["Comments"];
const commentId = z.uuid().describe("`id` of a comment");
const newComment = z.object({
  body: commentInput.shape.body.describe("1,000 characters at most"),
  replyTo: commentId.nullish().describe("which comment of the post it answers"),
  senderId: sentBy.senderId,
});
const oneComment = postParams.extend({ commentId: z.string().describe("`id` of the comment") });

type CommentRequest = Pick<FastifyRequest, "viewer"> & { params: z.output<typeof oneComment> };

/** The declaration of a call that likes a comment, or no more; sent again, it changes nothing. */
const declareLike = (summary: string) => ({
  config: { access: "member" as const, refusals: ["not-found"] as const },
  schema: {
    tags,
    summary,
    params: oneComment,
    response: { 200: z.object({ liked: z.boolean(), likeCount: z.number().int() }) },
  },
});

/** What people say under a post. */
export function commentCalls({ features }: Deps) {
  const { posts, comments, commentLikes } = features;
  const path = "/api/posts/:address/:number/comments";
  const one = `${path}/:commentId` as const;

  /** Who does something, with which comment of which post. */
  async function target(request: CommentRequest) {
    const viewer = memberOf(request);
    const { address, number, commentId } = request.params;
    return [viewer, await posts.refAt(viewer, address, number), commentId] as const;
  }

  return {
    list: call(
      "GET",
      path,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The comments of a post",
          description:
            "Those that answer none, oldest first, 30 a page, each with the first two answers to it.",
          params: postParams,
          querystring: cursorQuery.extend({
            after: commentId.optional().describe("only those written after this one"),
          }),
          response: { 200: pageOf(commentThreadSchema) },
        },
      },
      async ({ viewer, params, query }) => {
        const post = await posts.refAt(viewer, params.address, params.number);
        return query.after
          ? comments.after(viewer, post, query.after)
          : comments.list(viewer, post, query.cursor || null);
      },
    ),

    standing: call(
      "GET",
      `${path}/standing`,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "Which comments are still there",
          description:
            "Of the comments from one to another, answers apart: for a program that shows them.",
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
    ),

    add: call(
      "POST",
      path,
      {
        config: {
          access: "member",
          refusals: [
            "not-found",
            "comment-gone",
            "comments-closed",
            "comments-limited",
            "key-reused",
          ],
        },
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
          const { body, replyTo, senderId } = request.body;
          checkSender(viewer, senderId);
          return { status: 201, body: await comments.add(viewer, post, body, null, replyTo) };
        }),
    ),

    get: call(
      "GET",
      one,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "One comment",
          params: oneComment,
          response: { 200: commentSchema },
        },
      },
      async ({ viewer, params: { address, number, commentId } }) =>
        comments.get(viewer, await posts.refAt(viewer, address, number), commentId),
    ),

    replies: call(
      "GET",
      `${one}/replies`,
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "What was answered to a comment",
          description: "Oldest first, 30 a page.",
          params: oneComment,
          querystring: cursorQuery,
          response: { 200: pageOf(commentSchema) },
        },
      },
      async ({ viewer, params: { address, number, commentId }, query }) => {
        const post = await posts.refAt(viewer, address, number);
        return comments.replies(viewer, post, commentId, query.cursor || null);
      },
    ),

    edit: call(
      "PATCH",
      one,
      {
        config: { access: "member", refusals: ["not-found", "not-yours", "edit-too-late"] },
        schema: {
          tags,
          summary: "Edit one of your comments",
          description:
            "Until 15 minutes after it was written. It is marked as edited (`editedAt`). Sent " +
            "again, it changes nothing.",
          params: oneComment,
          body: newComment.pick({ body: true }),
          response: { 200: commentSchema },
        },
      },
      async (request) => comments.edit(...(await target(request)), request.body.body),
    ),

    remove: call(
      "DELETE",
      one,
      {
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "Delete one comment",
          description:
            "With the answers under it. Allowed for its writer and the post's author. `deleted` is how " +
            "many went: the comment and its answers.",
          params: oneComment,
          response: { 200: z.object({ deleted: z.number().int().min(1) }) },
        },
      },
      async (request) => ({ deleted: await comments.remove(...(await target(request))) }),
    ),

    like: call("PUT", `${one}/like`, declareLike("Like a comment"), async (request) =>
      commentLikes.like(...(await target(request))),
    ),
    unlike: call("DELETE", `${one}/like`, declareLike("Unlike a comment"), async (request) =>
      commentLikes.unlike(...(await target(request))),
    ),
  };
}
