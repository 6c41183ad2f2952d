import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { authorAndPost, tags } from "#server/compat/calls/parameters.ts";
import type { Features } from "#server/features/index.ts";
import {
  commentInput,
  documentedChat,
  documentedComment,
  type SentComment,
} from "#shared/documents.inputs.ts";

type Deps = { features: Pick<Features, "threads" | "conversations" | "idempotency"> };

/** Comments and conversations as the specification's clients read and write them. */
export function documentedThreadRoutes({ features }: Deps) {
  const { threads, conversations } = features;

  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/comments/:authorEmail/:postId",
      {
        config: { access: "anybody", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The comments of a post",
          description: "The newest 1,000, newest last, with their writers' present names.",
          params: authorAndPost,
          response: { 200: z.array(documentedComment) },
        },
      },
      async ({ viewer, params }) => threads.ofPost(viewer, params.authorEmail, params.postId),
    );

    app.post(
      "/api/comments",
      {
        config: {
          access: "member",
          refusals: ["not-found", "not-yours", "comments-closed", "comments-limited", "key-reused"],
          addressesIn: ({ author }: SentComment) => [author],
        },
        schema: {
          tags,
          summary: "Comment on a post",
          ...takesKey,
          body: commentInput,
          response: { 201: documentedComment },
        },
      },
      async (request, reply) =>
        answerOnce(features, request, reply, async () => {
          return { status: 201, body: await threads.add(memberOf(request), request.body) };
        }),
    );

    app.delete(
      "/api/comments/:commentId",
      {
        config: { access: "member", refusals: ["not-found", "not-yours", "conflict"] },
        schema: {
          tags,
          summary: "Delete all comments of a post",
          description: "For the post's author.",
          params: z.object({
            commentId: z
              .string()
              .max(400)
              .describe("an address of the post's author joined with the post's number"),
          }),
          response: { 200: z.object({ deletedCount: z.int() }) },
        },
      },
      async (request) => threads.clear(memberOf(request), request.params.commentId),
    );

    app.get(
      "/api/chats/:chatId",
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The caller's conversation with a mutual connection",
          params: z.object({
            chatId: z
              .string()
              .max(700)
              .describe("both members' addresses joined, in either order, without a separator"),
          }),
          response: { 200: documentedChat },
        },
      },
      async (request) => conversations.at(memberOf(request), request.params.chatId),
    );
  };
}
