import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { isId } from "#server/platform/db/ids.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { listedConversations } from "#shared/chat.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { conversationSchema, messageSchema } from "#shared/chat.schemas.ts";

type Deps = { features: Pick<Features, "chat" | "idempotency"> };

const { forMembers } = chapter("Chats");
const path = "/api/chats/:chatId";
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
/** What a message, with or without a photo, may say about its sender. */
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

/** Somebody else may have signed in with the same browser since the message was written. */
export function checkSender(viewer: Viewer, senderId: string | undefined): void {
  if (senderId !== undefined && senderId !== viewer.id) throw refuse("sign-in-required");
}

const declared = {
  list: forMembers([], {
    summary: "Your chats",
    description: "Newest first, followed by mutual connections without any messages yet.",
    ...pagesOf(conversationSchema),
  }),
  messages: forMembers(["not-found"], {
    summary: "The messages of a chat",
    description: "Newest first, 40 a page.",
    params: chatParams,
    ...pagesOf(messageSchema),
  }),
  range: forMembers(["not-found"], {
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
  }),
  send: forMembers(["not-found", "chat-closed", "key-reused"], {
    summary: "Send a message",
    ...takesKey,
    params: chatParams,
    body: newMessage,
    response: { 201: messageSchema },
  }),
  removeMessage: forMembers(["not-found", "not-yours"], {
    summary: "Delete one of your messages",
    description: "Deletes its words and picture for both of you.",
    params: chatParams.extend({ seq }),
    response: noContent,
  }),
  markRead: forMembers(["not-found"], {
    summary: "Mark a chat as seen up to a message",
    params: chatParams,
    body: z.object({ seq: seq.min(1) }),
    response: noContent,
  }),
  typing: forMembers(["not-found"], {
    summary: "Tell the other party that you are writing",
    description: "Holds for six seconds; nothing of it is kept.",
    params: chatParams,
    response: noContent,
  }),
  mute: forMembers(["not-found"], {
    summary: "Mute a chat",
    params: chatParams,
    response: noContent,
  }),
  unmute: forMembers(["not-found"], {
    summary: "Unmute a chat",
    params: chatParams,
    response: noContent,
  }),
};

/** What two members who follow each other write to one another. */
export function chatCalls({ features }: Deps) {
  const { chat } = features;

  /** The caller and the conversation; the feature itself checks that the caller belongs to it. */
  async function target(
    request: Pick<FastifyRequest, "viewer"> & { params: z.output<typeof chatParams> },
  ) {
    const viewer = memberOf(request);
    const { chatId } = request.params;
    return [viewer, isId(chatId) ? chatId : await chat.refAt(viewer, chatId)] as const;
  }

  return {
    list: call("GET", "/api/chats", declared.list, async (request) =>
      listedConversations(await chat.list(memberOf(request), request.query.cursor || null)),
    ),
    messages: call("GET", `${path}/messages`, declared.messages, async (request) => {
      const { params, query } = request;
      const conversation = await chat.conversation(
        memberOf(request),
        params.chatId,
        query.cursor || null,
      );
      return conversation.messages;
    }),
    range: call("GET", `${path}/messages/range`, declared.range, async (request) => {
      const conversation = await target(request);
      const { before, after = 0 } = request.query;
      const { otherReadSeq } = await chat.marks(...conversation);
      const page =
        before === undefined
          ? await chat.since(...conversation, after)
          : await chat.before(...conversation, before);
      return { ...page, otherReadSeq };
    }),
    send: call("POST", `${path}/messages`, declared.send, (request, reply) =>
      answerOnce(features, request, reply, async () => {
        const viewer = memberOf(request);
        const { body: words, clientKey = null, senderId } = request.body;
        checkSender(viewer, senderId);
        const message = { body: words, picture: null, clientKey };
        return { status: 201, body: await chat.send(viewer, request.params.chatId, message) };
      }),
    ),
    removeMessage: call(
      "DELETE",
      `${path}/messages/:seq`,
      declared.removeMessage,
      async (request) => chat.removeMessage(...(await target(request)), request.params.seq),
    ),
    markRead: call("PUT", `${path}/read`, declared.markRead, async (request) =>
      chat.markRead(...(await target(request)), request.body.seq),
    ),
    typing: call("PUT", `${path}/typing`, declared.typing, async (request) =>
      chat.typing(memberOf(request), request.params.chatId),
    ),
    mute: call("PUT", `${path}/mute`, declared.mute, async (request) =>
      chat.mute(...(await target(request)), true),
    ),
    unmute: call("DELETE", `${path}/mute`, declared.unmute, async (request) =>
      chat.mute(...(await target(request)), false),
    ),
  };
}
