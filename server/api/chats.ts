import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { isId } from "#server/db/ids.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { listedChats } from "#shared/chat.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { chatSchema, messageSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "chat" | "idempotency"> };

const tags = ["Chats"];
export const chatParams = z.object({
  chatId: z
    .string()
    .min(1)
    .max(600)
    .describe(
      "`chatId` or `conversationId` of a chat, or the addresses of the caller and the other one, joined",
    ),
});
const seq = z.coerce.number("Messages are numbered from 1.").int("Messages are numbered from 1.");
const side = z.coerce.number().int().min(0).optional();
/** What a message, with a photo or without, may say of its sender. */
export const sentBy = {
  clientKey: z
    .string()
    .max(100)
    .optional()
    .describe(
      "a value of your own. Everyone reads it in the message; sent again with it, the message is there once",
    ),
  senderId: z
    .uuid()
    .optional()
    .describe("whose session this should be: refused with `sign-in-required` in any other"),
};
const newMessage = z.object({
  body: messageInput(false).shape.body.describe("4,000 characters at most"),
  ...sentBy,
});

/** Somebody else may have signed in, in the same browser, since the message was written. */
export function checkSender(viewer: Viewer, senderId: string | undefined): void {
  if (senderId !== undefined && senderId !== viewer.id) throw refuse("sign-in-required");
}
const done = { 204: z.undefined().describe("done") };

/** What two people who follow each other write to one another. */
export function chatCalls({ features }: Deps) {
  const { chat } = features;
  const path = "/api/chats/:chatId";

  /** What the feature does with a conversation looks itself whose it is. */
  const conversationAt = async (viewer: Viewer, chatId: string) =>
    isId(chatId) ? chatId : chat.refAt(viewer, chatId);

  const muting = (method: "PUT" | "DELETE", summary: string) =>
    call(
      method,
      `${path}/mute`,
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: { tags, summary, params: chatParams, response: done },
      },
      async (request, reply) => {
        const viewer = memberOf(request);
        const conversationId = await conversationAt(viewer, request.params.chatId);
        await chat.mute(viewer, conversationId, method === "PUT");
        void reply.status(204);
      },
    );

  return {
    list: call(
      "GET",
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
      async (request) =>
        listedChats(await chat.list(memberOf(request), request.query.cursor || null)),
    ),

    messages: call(
      "GET",
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
    ),

    range: call(
      "GET",
      `${path}/messages/range`,
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "The messages before or after one",
          description: "Oldest first, 40 at most: for a program that was away for a while.",
          params: chatParams,
          querystring: z.object({
            before: side.describe("`seq` of a message: those right before it"),
            after: side.describe("`seq` of a message, or 0: those right after it"),
          }),
          response: {
            200: z.object({
              messages: z.array(messageSchema),
              more: z.boolean().describe("there are more on that side"),
              otherReadSeq: z.number().int().describe("up to where the other party has seen it"),
            }),
          },
        },
      },
      async (request) => {
        const viewer = memberOf(request);
        const { before, after = 0 } = request.query;
        const conversationId = await conversationAt(viewer, request.params.chatId);
        const { otherReadSeq } = await chat.marks(viewer, conversationId);
        const page =
          before === undefined
            ? await chat.since(viewer, conversationId, after)
            : await chat.before(viewer, conversationId, before);
        return { ...page, otherReadSeq };
      },
    ),

    send: call(
      "POST",
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
          const viewer = memberOf(request);
          const { body: words, clientKey = null, senderId } = request.body;
          checkSender(viewer, senderId);
          const message = { body: words, picture: null, clientKey };
          const body = await chat.send(viewer, request.params.chatId, message);
          return { status: 201, body };
        }),
    ),

    removeMessage: call(
      "DELETE",
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
        const conversationId = await conversationAt(viewer, request.params.chatId);
        await chat.removeMessage(viewer, conversationId, request.params.seq);
        void reply.status(204);
      },
    ),

    markRead: call(
      "PUT",
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
        const conversationId = await conversationAt(viewer, request.params.chatId);
        await chat.markRead(viewer, conversationId, request.body.seq);
        void reply.status(204);
      },
    ),

    typing: call(
      "PUT",
      `${path}/typing`,
      {
        config: { access: "member", refusals: ["not-found"] },
        schema: {
          tags,
          summary: "Tell the other party that you are writing",
          description: "Holds for six seconds; nothing of it is kept.",
          params: chatParams,
          response: done,
        },
      },
      async (request, reply) => {
        await chat.typing(memberOf(request), request.params.chatId);
        void reply.status(204);
      },
    ),

    mute: muting("PUT", "Mute a chat"),
    unmute: muting("DELETE", "Unmute a chat"),
  };
}
