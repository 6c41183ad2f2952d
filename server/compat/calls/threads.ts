import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { authorAndPost, forAnybody, forMembers } from "#server/compat/calls/parameters.ts";
import type { Features } from "#server/features/index.ts";
import {
  commentInput,
  documentedChat,
  documentedComment,
  type SentComment,
} from "#shared/documents.inputs.ts";

type Deps = { features: Pick<Features, "threads" | "conversations" | "idempotency"> };

const declared = {
  list: forAnybody(["not-found"], {
    summary: "The comments of a post",
    description: "The newest 1,000, newest last, with their writers' present names.",
    params: authorAndPost,
    response: { 200: z.array(documentedComment) },
  }),
  add: forMembers(["not-found", "not-yours", "comments-closed", "comments-limited", "key-reused"], {
    summary: "Comment on a post",
    ...takesKey,
    body: commentInput,
    response: { 201: documentedComment },
  }),
  clear: forMembers(["not-found", "not-yours", "conflict"], {
    summary: "Delete all comments of a post",
    description: "For the post's author.",
    params: z.object({
      commentId: z
        .string()
        .max(400)
        .describe("an address of the post's author joined with the post's number"),
    }),
    response: { 200: z.object({ deletedCount: z.int() }) },
  }),
  chat: forMembers(["not-found"], {
    summary: "The caller's conversation with a mutual connection",
    params: z.object({
      chatId: z
        .string()
        .max(700)
        .describe("both members' addresses joined, in either order, without a separator"),
    }),
    response: { 200: documentedChat },
  }),
};

const addressesIn = ({ author }: SentComment) => [author];

/** Comments and conversations as the specification's clients read and write them. */
export function documentedThreadRoutes({ features }: Deps) {
  const { threads, conversations } = features;
  return async (app: Calls): Promise<void> => {
    app.get("/api/comments/:authorEmail/:postId", declared.list, async ({ viewer, params }) =>
      threads.ofPost(viewer, params.authorEmail, params.postId),
    );
    const { config, schema } = declared.add;
    app.post("/api/comments", { config: { ...config, addressesIn }, schema }, (request, reply) =>
      answerOnce(features, request, reply, async () => ({
        status: 201,
        body: await threads.add(memberOf(request), request.body),
      })),
    );
    app.delete("/api/comments/:commentId", declared.clear, async (request) =>
      threads.clear(memberOf(request), request.params.commentId),
    );
    app.get("/api/chats/:chatId", declared.chat, async (request) =>
      conversations.at(memberOf(request), request.params.chatId),
    );
  };
}
