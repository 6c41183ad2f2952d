import { z } from "zod";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { authorAndPost, forAnybody, forMembers } from "#server/compat/calls/parameters.ts";
import { commentInput, documentedChat, documentedComment } from "#shared/documents.inputs.ts";

/** Comments and conversations as the specification's clients read and write them. */
export const threadCalls = {
  list: forAnybody("GET /api/comments/:authorEmail/:postId", {
    refuses: ["not-found"],
    summary: "The comments of a post",
    description: "The newest 1,000, newest last, with their writers' present names.",
    params: authorAndPost,
    response: { 200: z.array(documentedComment) },
    handler: ({ threads }, { viewer, params }) =>
      threads.ofPost(viewer, params.authorEmail, params.postId),
  }),
  add: forMembers("POST /api/comments", {
    refuses: ["not-found", "not-yours", "comments-closed", "comments-limited", "key-reused"],
    summary: "Comment on a post",
    ...takesKey,
    body: commentInput,
    response: { 201: documentedComment },
    addressesIn: ({ author }) => [author],
    handler: (features, request, reply) =>
      answerOnce(features, request, reply, async () => ({
        status: 201,
        body: await features.threads.add(request.viewer, request.body),
      })),
  }),
  clear: forMembers("DELETE /api/comments/:commentId", {
    refuses: ["not-found", "not-yours", "conflict"],
    summary: "Delete all comments of a post",
    description: "For the post's author.",
    params: z.object({
      commentId: z
        .string()
        .max(400)
        .describe("an address of the post's author joined with the post's number"),
    }),
    response: { 200: z.object({ deletedCount: z.int() }) },
    handler: ({ threads }, { viewer, params }) => threads.clear(viewer, params.commentId),
  }),
  chat: forMembers("GET /api/chats/:chatId", {
    refuses: ["not-found"],
    summary: "The caller's conversation with a mutual connection",
    params: z.object({
      chatId: z
        .string()
        .max(700)
        .describe("both members' addresses joined, in either order, without a separator"),
    }),
    response: { 200: documentedChat },
    handler: ({ conversations }, { viewer, params }) => conversations.at(viewer, params.chatId),
  }),
};
