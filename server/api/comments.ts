import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";
import { checkSender, sentBy } from "#server/api/chats.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery, pagesOf, postParams } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { commentInput } from "#shared/comments.inputs.ts";
import type { Viewer } from "#shared/views.ts";
import { commentSchema, commentThreadSchema, pageOf } from "#shared/views.schemas.ts";

const { forAnybody, forMembers } = callsOf("Comments");
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
const toggleLike = (summary: string) => ({
  refuses: ["not-found"] as const,
  summary,
  params: oneComment,
  response: { 200: z.object({ liked: z.boolean(), likeCount: z.number().int() }) },
});

type Asked = { viewer: Viewer; params: z.output<typeof oneComment> };
type Posts = Pick<Features["posts"], "refAt">;

const postOf = (
  posts: Posts,
  viewer: Viewer | null,
  { address, number }: z.output<typeof postParams>,
) => posts.refAt(viewer, address, number);

/** The caller, and the comment of the post. */
async function target(posts: Posts, { viewer, params }: Asked) {
  return [viewer, await postOf(posts, viewer, params), params.commentId] as const;
}

/** The comments on a post. */
export const commentCalls = {
  list: forAnybody(`GET ${path}`, {
    refuses: ["not-found"],
    summary: "The comments of a post",
    description:
      "Those that answer none, oldest first, 30 a page, each with the first two answers to it.",
    params: postParams,
    querystring: cursorQuery.extend({
      after: commentId.optional().describe("only those written after this one"),
    }),
    response: { 200: pageOf(commentThreadSchema) },
    handler: async ({ comments, posts }, { viewer, params, query }) => {
      const post = await postOf(posts, viewer, params);
      return query.after
        ? comments.after(viewer, post, query.after)
        : comments.list(viewer, post, query.cursor);
    },
  }),
  standing: forAnybody(`GET ${path}/standing`, {
    refuses: ["not-found"],
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
    handler: async ({ comments, posts }, { viewer, params, query }) =>
      comments.standing(viewer, await postOf(posts, viewer, params), query),
  }),
  add: forMembers(`POST ${path}`, {
    refuses: ["not-found", "comment-gone", "comments-closed", "comments-limited", "key-reused"],
    summary: "Comment on a post",
    ...takesKey,
    params: postParams,
    body: newComment,
    response: { 201: commentSchema },
    handler: (features, request, reply) =>
      answerOnce(features, request, reply, async () => {
        const { viewer, params } = request;
        const { body, replyTo, senderId } = request.body;
        checkSender(viewer, senderId);
        const added = await features.comments.add(viewer, params, body, null, replyTo);
        return { status: 201, body: added };
      }),
  }),
  get: forAnybody(`GET ${one}`, {
    refuses: ["not-found"],
    summary: "One comment",
    params: oneComment,
    response: { 200: commentSchema },
    handler: async ({ comments, posts }, { viewer, params }) =>
      comments.get(viewer, await postOf(posts, viewer, params), params.commentId),
  }),
  replies: forAnybody(`GET ${one}/replies`, {
    refuses: ["not-found"],
    summary: "What was answered to a comment",
    description: "Oldest first, 30 a page.",
    params: oneComment,
    ...pagesOf(commentSchema),
    handler: async ({ comments, posts }, { viewer, params, query }) => {
      const post = await postOf(posts, viewer, params);
      return comments.replies(viewer, post, params.commentId, query.cursor);
    },
  }),
  edit: forMembers(`PATCH ${one}`, {
    refuses: ["not-found", "not-yours", "edit-too-late"],
    summary: "Edit one of your comments",
    description:
      "Until 15 minutes after it was written. It is marked as edited (`editedAt`). Sent " +
      "again, it changes nothing.",
    params: oneComment,
    body: newComment.pick({ body: true }),
    response: { 200: commentSchema },
    handler: async ({ comments, posts }, request) =>
      comments.edit(...(await target(posts, request)), request.body.body),
  }),
  remove: forMembers(`DELETE ${one}`, {
    refuses: ["not-found", "not-yours"],
    summary: "Delete one comment",
    description:
      "With the answers under it. Allowed for its writer and the post's author. `deleted` is how " +
      "many went: the comment and its answers.",
    params: oneComment,
    response: { 200: z.object({ deleted: z.number().int().min(1) }) },
    handler: async ({ comments, posts }, request) => ({
      deleted: await comments.remove(...(await target(posts, request))),
    }),
  }),
  like: forMembers(`PUT ${one}/like`, {
    ...toggleLike("Like a comment"),
    handler: async ({ commentLikes, posts }, request) =>
      commentLikes.like(...(await target(posts, request))),
  }),
  unlike: forMembers(`DELETE ${one}/like`, {
    ...toggleLike("Unlike a comment"),
    handler: async ({ commentLikes, posts }, request) =>
      commentLikes.unlike(...(await target(posts, request))),
  }),
};
