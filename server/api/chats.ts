import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { chatSchema, messageSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "chat" | "idempotency"> };

const tags = ["Chats"];
export const chatParams = z.object({
  chatId: z
    .string()
    .min(1)
    .max(600)
    .describe("`chatId` of a chat, or the addresses of the caller and the other one, joined"),
});
const seq = z.coerce.number("Messages are numbered from 1.").int("Messages are numbered from 1.");
const newMessage = z.object({
  body: messageInput(false).shape.body.describe("4,000 characters at most"),
});
const done = { 204: z.undefined().describe("done") };

/** What two people who follow each other write to one another. */
export function chatRoutes({ features }: Deps) {
  const { chat } = features;
  const path = "/api/chats/:chatId";

  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/chats",
      {
        config: { access: "member" },
        schema: {
          tags,
          summary: "Your chats",
          description: "Newest first, followed by mutual connections without any messages yet.",
          querystring: cursorQuery,
          response: { 200: pageOf(chatSchema) },
        },
      },
      async (request) => chat.list(memberOf(request), request.query.cursor || null),
    );

    app.get(
      `${path}/messages`,
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The messages of a chat",
          description: "Newest first, 40 a page.",
          params: chatParams,
          querystring: cursorQuery,
          response: { 200: pageOf(messageSchema) },
        },
      },
      async (request) => {
        const { params, query } = request;
        const thread = await chat.thread(memberOf(request), params.chatId, query.cursor || null);
        return thread.messages;
      },
    );

    app.post(
      `${path}/messages`,
      {
        config: { access: "member", refusals: ["not-found", "chat-closed", "key-reused"] },
        schema: {
          tags,
          summary: "Send a message",
          ...takesKey,
          params: chatParams,
          body: newMessage,
          response: { 201: messageSchema },
        },
      },
      async (request, reply) =>
        answerOnce(features, request, reply, async () => {
          const message = { body: request.body.body, picture: null, clientKey: null };
          const body = await chat.send(memberOf(request), request.params.chatId, message);
          return { status: 201, body };
        }),
    );

    app.delete(
      `${path}/messages/:seq`,
      {
        config: { access: "member", refusals: ["not-found", "not-yours"] },
        schema: {
          tags,
          summary: "Delete one of your messages",
          description: "Deletes its words and picture for both of you.",
          params: chatParams.extend({ seq }),
          response: done,
        },
      },
      async (request, reply) => {
        const viewer = memberOf(request);
        const conversationId = await chat.refAt(viewer, request.params.chatId);
        await chat.removeMessage(viewer, conversationId, request.params.seq);
        void reply.status(204);
      },
    );

    app.put(
      `${path}/read`,
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "Mark a chat as seen up to a message",
          params: chatParams,
          body: z.object({ seq: seq.min(1) }),
          response: done,
        },
      },
      async (request, reply) => {
        const viewer = memberOf(request);
        const conversationId = await chat.refAt(viewer, request.params.chatId);
        await chat.markRead(viewer, conversationId, request.body.seq);
        void reply.status(204);
      },
    );

    for (const method of ["PUT", "DELETE"] as const) {
      app.route({
        method,
        url: `${path}/mute`,
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: method === "PUT" ? "Mute a chat" : "Unmute a chat",
          params: chatParams,
          response: done,
        },
        handler: async (request, reply) => {
          const viewer = memberOf(request);
          const conversationId = await chat.refAt(viewer, request.params.chatId);
          await chat.mute(viewer, conversationId, method === "PUT");
          void reply.status(204);
        },
      });
    }
  };
}
