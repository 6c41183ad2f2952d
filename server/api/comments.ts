import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { checkSender, sentBy } from "#server/api/chats.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery, pagesOf, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import type { Viewer } from "#shared/views.ts";
import { commentSchema, commentThreadSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = {
  features: Pick<Features, "posts" | "comments" | "commentLikes" | "idempotency">;
};

const { forAnybody, forMembers } = chapter("Comments");
const path = "/api/posts/:address/:number/comments";
const one = `${path}/:commentId` as const;
const commentId = z.uuid().describe("`id` of a comment");
const newComment = z.object({
  body: commentInput.shape.body.describe("1,000 characters at most"),
  replyTo: commentId.nullish().describe("which comment of the post it answers"),
  senderId: sentBy.senderId,
});
const oneComment = postParams.extend({ commentId: z.string().describe("`id` of the comment") });

/** Sets or withdraws a like of a comment; sent again, it changes nothing. */
const toggleLike = (summary: string) =>
  forMembers(["not-found"], {
    summary,
    params: oneComment,
    response: { 200: z.object({ liked: z.boolean(), likeCount: z.number().int() }) },
  });

const declared = {
  list: forAnybody(["not-found"], {
    summary: "The comments of a post",
    description:
      "Those that answer none, oldest first, 30 a page, each with the first two answers to it.",
    params: postParams,
    querystring: cursorQuery.extend({
      after: commentId.optional().describe("only those written after this one"),
    }),
    response: { 200: pageOf(commentThreadSchema) },
  }),
  standing: forAnybody(["not-found"], {
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
  }),
  add: forMembers(
    ["not-found", "comment-gone", "comments-closed", "comments-limited", "key-reused"],
    {
      summary: "Comment on a post",
      ...takesKey,
      params: postParams,
      body: newComment,
      response: { 201: commentSchema },
    },
  ),
  get: forAnybody(["not-found"], {
    summary: "One comment",
    params: oneComment,
    response: { 200: commentSchema },
  }),
  replies: forAnybody(["not-found"], {
    summary: "What was answered to a comment",
    description: "Oldest first, 30 a page.",
    params: oneComment,
    ...pagesOf(commentSchema),
  }),
  edit: forMembers(["not-found", "not-yours", "edit-too-late"], {
    summary: "Edit one of your comments",
    description:
      "Until 15 minutes after it was written. It is marked as edited (`editedAt`). Sent " +
      "again, it changes nothing.",
    params: oneComment,
    body: newComment.pick({ body: true }),
    response: { 200: commentSchema },
  }),
  remove: forMembers(["not-found", "not-yours"], {
    summary: "Delete one comment",
    description:
      "With the answers under it. Allowed for its writer and the post's author. `deleted` is how " +
      "many went: the comment and its answers.",
    params: oneComment,
    response: { 200: z.object({ deleted: z.number().int().min(1) }) },
  }),
  like: toggleLike("Like a comment"),
  unlike: toggleLike("Unlike a comment"),
};

/** The comments on a post. */
export function commentCalls({ features }: Deps) {
  const { posts, comments, commentLikes } = features;

  const postOf = (viewer: Viewer | null, { address, number }: z.output<typeof postParams>) =>
    posts.refAt(viewer, address, number);

  /** The caller, and the comment of the post. */
  async function target(
    request: Pick<FastifyRequest, "viewer"> & { params: z.output<typeof oneComment> },
  ) {
    const viewer = memberOf(request);
    return [viewer, await postOf(viewer, request.params), request.params.commentId] as const;
  }

  return {
    list: call("GET", path, declared.list, async ({ viewer, params, query }) => {
      const post = await postOf(viewer, params);
      return query.after
        ? comments.after(viewer, post, query.after)
        : comments.list(viewer, post, query.cursor || null);
    }),
    standing: call("GET", `${path}/standing`, declared.standing, async (request) =>
      comments.standing(
        request.viewer,
        await postOf(request.viewer, request.params),
        request.query,
      ),
    ),
    add: call("POST", path, declared.add, (request, reply) =>
      answerOnce(features, request, reply, async () => {
        const viewer = memberOf(request);
        const { body, replyTo, senderId } = request.body;
        checkSender(viewer, senderId);
        const added = await comments.add(viewer, request.params, body, null, replyTo);
        return { status: 201, body: added };
      }),
    ),
    get: call("GET", one, declared.get, async ({ viewer, params }) =>
      comments.get(viewer, await postOf(viewer, params), params.commentId),
    ),
    replies: call("GET", `${one}/replies`, declared.replies, async ({ viewer, params, query }) => {
      const post = await postOf(viewer, params);
      return comments.replies(viewer, post, params.commentId, query.cursor || null);
    }),
    edit: call("PATCH", one, declared.edit, async (request) =>
      comments.edit(...(await target(request)), request.body.body),
    ),
    remove: call("DELETE", one, declared.remove, async (request) => ({
      deleted: await comments.remove(...(await target(request))),
    })),
    like: call("PUT", `${one}/like`, declared.like, async (request) =>
      commentLikes.like(...(await target(request))),
    ),
    unlike: call("DELETE", `${one}/like`, declared.unlike, async (request) =>
      commentLikes.unlike(...(await target(request))),
    ),
  };
}
