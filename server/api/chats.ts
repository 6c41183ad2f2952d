import { z } from "zod";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { isId } from "#server/platform/db/ids.ts";
import { answerOnce, takesKey } from "#server/api/idempotent.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { listedConversations } from "#shared/chat.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import { conversationSchema, messageSchema } from "#shared/chat.schemas.ts";

const { forMembers } = callsOf("Chats");
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

type Asked = { viewer: Viewer; params: z.output<typeof chatParams> };

/** The caller and the conversation; the feature itself checks that the caller belongs to it. */
async function target(
  chat: Pick<Features["chat"], "refAt">,
  { viewer, params: { chatId } }: Asked,
) {
  return [viewer, isId(chatId) ? chatId : await chat.refAt(viewer, chatId)] as const;
}

/** What two members who follow each other write to one another. */
export const chatCalls = {
  list: forMembers("GET /api/chats", {
    summary: "Your chats",
    description: "Newest first, followed by mutual connections without any messages yet.",
    ...pagesOf(conversationSchema),
    handler: async ({ chat }, { viewer, query }) =>
      listedConversations(await chat.list(viewer, query.cursor)),
  }),
  messages: forMembers(`GET ${path}/messages`, {
    refuses: ["not-found"],
    summary: "The messages of a chat",
    description: "Newest first, 40 a page.",
    params: chatParams,
    ...pagesOf(messageSchema),
    handler: async ({ chat }, { viewer, params, query }) => {
      const conversation = await chat.conversation(viewer, params.chatId, query.cursor);
      return conversation.messages;
    },
  }),
  range: forMembers(`GET ${path}/messages/range`, {
    refuses: ["not-found"],
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
    handler: async ({ chat }, request) => {
      const conversation = await target(chat, request);
      const { before, after = 0 } = request.query;
      const { otherReadSeq } = await chat.marks(...conversation);
      const page =
        before === undefined
          ? await chat.since(...conversation, after)
          : await chat.before(...conversation, before);
      return { ...page, otherReadSeq };
    },
  }),
  send: forMembers(`POST ${path}/messages`, {
    refuses: ["not-found", "chat-closed", "key-reused"],
    summary: "Send a message",
    ...takesKey,
    params: chatParams,
    body: newMessage,
    response: { 201: messageSchema },
    handler: (features, request, reply) =>
      answerOnce(features, request, reply, async () => {
        const { viewer, params } = request;
        const { body: words, clientKey = null, senderId } = request.body;
        checkSender(viewer, senderId);
        const message = { body: words, picture: null, clientKey };
        return { status: 201, body: await features.chat.send(viewer, params.chatId, message) };
      }),
  }),
  removeMessage: forMembers(`DELETE ${path}/messages/:seq`, {
    refuses: ["not-found", "not-yours"],
    summary: "Delete one of your messages",
    description: "Deletes its words and picture for both of you.",
    params: chatParams.extend({ seq }),
    response: noContent,
    handler: async ({ chat }, request) =>
      chat.removeMessage(...(await target(chat, request)), request.params.seq),
  }),
  markRead: forMembers(`PUT ${path}/read`, {
    refuses: ["not-found"],
    summary: "Mark a chat as seen up to a message",
    params: chatParams,
    body: z.object({ seq: seq.min(1) }),
    response: noContent,
    handler: async ({ chat }, request) =>
      chat.markRead(...(await target(chat, request)), request.body.seq),
  }),
  typing: forMembers(`PUT ${path}/typing`, {
    refuses: ["not-found"],
    summary: "Tell the other party that you are writing",
    description: "Holds for six seconds; nothing of it is kept.",
    params: chatParams,
    response: noContent,
    handler: ({ chat }, { viewer, params }) => chat.typing(viewer, params.chatId),
  }),
  mute: forMembers(`PUT ${path}/mute`, {
    refuses: ["not-found"],
    summary: "Mute a chat",
    params: chatParams,
    response: noContent,
    handler: async ({ chat }, request) => chat.mute(...(await target(chat, request)), true),
  }),
  unmute: forMembers(`DELETE ${path}/mute`, {
    refuses: ["not-found"],
    summary: "Unmute a chat",
    params: chatParams,
    response: noContent,
    handler: async ({ chat }, request) => chat.mute(...(await target(chat, request)), false),
  }),
};
