import type { MessageView, ConversationView, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

type Chat = PageContext["features"]["chat"];

/** A page of a conversation's messages, oldest first, and whether there is more on either side. */
export type MessageSlice = { messages: MessageView[]; older: boolean; newer: boolean };

/** A conversation as its screen opens it. */
export type OpenedConversation = Omit<ConversationView, "messages"> & { slice: MessageSlice };

/** Messages already seen that are shown above the first new one, and new ones below it. */
const around = { seen: 10, fresh: 30 };

/**
 * The conversation that a chatId names: its end, or the messages before `before`, or, where more is new
 * than one page holds, the position where the new ones begin.
 */
export async function readConversation(
  chat: Chat,
  viewer: Viewer,
  chatId: string,
  before: string | null,
): Promise<OpenedConversation> {
  const { messages, ...conversation } = await chat.conversation(viewer, chatId);
  const end: MessageSlice = {
    messages: messages.items.toReversed(),
    older: messages.nextCursor !== null,
    newer: false,
  };
  const below = numberIn(before) ?? firstNewBefore(end, conversation.readSeq);
  if (below === null || conversation.conversationId === null)
    return { ...conversation, slice: end };
  const middle = await chat.before(viewer, conversation.conversationId, below);
  const last = middle.messages.at(-1)?.seq ?? 0;
  if (last === 0) return { ...conversation, slice: end };
  const newer = last < (end.messages.at(-1)?.seq ?? 0);
  return { ...conversation, slice: { messages: middle.messages, older: middle.more, newer } };
}

function numberIn(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : null;
}

function firstNewBefore({ messages, older }: MessageSlice, readSeq: number): number | null {
  const first = messages[0]?.seq ?? 0;
  return older && first > readSeq + 1 ? Math.max(readSeq, around.seen) + around.fresh + 1 : null;
}
