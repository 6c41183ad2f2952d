import { z } from "zod";
import { readCursor, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { checkMember, conversationAt, partyAt } from "#server/features/talk/chat/conversations.ts";
import * as queries from "#server/features/talk/chat/conversations.queries.ts";
import {
  messagesAbove,
  messagesBelow,
  newestMessages,
} from "#server/features/talk/chat/messages.queries.ts";
import { aboveEveryMessage, chatIdOf } from "#shared/chat.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { MessageView, Page, ThreadView, Viewer } from "#shared/views.ts";

const seqKey = z.tuple([z.number().int().min(1).max(aboveEveryMessage)]);
const nothing = { items: [], nextCursor: null };

/**
 * The thread that a chatId names: two addresses joined, in either order, read from the caller's
 * side. There is one where the two follow each other, or wrote to each other before.
 */
export async function thread(
  db: Database,
  viewer: Viewer,
  chatId: string,
  cursor: string | null = null,
): Promise<ThreadView> {
  const { other, open, conversation } = await conversationAt(db, viewer, chatId);
  return {
    chatId: other ? chatIdOf(viewer, other) : chatId,
    conversationId: conversation?.id ?? null,
    other,
    open,
    muted: conversation?.muted ?? false,
    readSeq: conversation?.readSeq ?? 0,
    otherReadSeq: conversation?.otherReadSeq ?? 0,
    messages: conversation ? await pageBelow(db, conversation.id, cursor) : nothing,
  };
}

/** The conversation that a chatId names; refuses with not-found where nothing was written yet. */
export async function refAt(db: Database, viewer: Viewer, chatId: string): Promise<string> {
  const { conversation } = await conversationAt(db, viewer, chatId);
  if (!conversation) throw refuse("not-found");
  return conversation.id;
}

/** A page of a conversation, newest first, below the message that the cursor names. */
export async function older(
  db: Database,
  viewer: Viewer,
  conversationId: string,
  cursor: string | null,
): Promise<Page<MessageView>> {
  await checkMember(db, viewer, conversationId);
  return pageBelow(db, conversationId, cursor);
}

async function pageBelow(
  db: Database,
  conversationId: string,
  cursor: string | null,
): Promise<Page<MessageView>> {
  const below = readCursor(cursor, seqKey)?.[0] ?? aboveEveryMessage;
  const size = limits.messagesPage;
  return toPage(await messagesBelow(db, { conversationId, below, limit: size + 1 }), size);
}

/** Who a chatId means and the newest `limit` messages, oldest first: a whole document. */
export async function whole(db: Database, viewer: Viewer, chatId: string, limit: number) {
  const { account: other } = await partyAt(db, viewer, chatId);
  const conversation = await queries.findConversation(db, viewer.id, { otherId: other.id });
  return {
    other,
    messages: conversation ? await newestMessages(db, conversation.id, limit) : [],
  };
}

/** What came after message `above`, oldest first: for a thread that was away for a while. */
export async function since(
  db: Database,
  viewer: Viewer,
  conversationId: string,
  above: number,
): Promise<{ messages: MessageView[]; more: boolean }> {
  await checkMember(db, viewer, conversationId);
  const size = limits.messagesPage;
  const from = Number.isInteger(above) && above > 0 ? Math.min(above, aboveEveryMessage) : 0;
  const page = { conversationId, above: from, limit: size + 1 };
  const rows = await messagesAbove(db, page);
  return { messages: rows.slice(0, size), more: rows.length > size };
}

/** What came before message `below`, oldest first: for a thread that is read from its middle. */
export async function before(
  db: Database,
  viewer: Viewer,
  conversationId: string,
  below: number,
): Promise<{ messages: MessageView[]; more: boolean }> {
  await checkMember(db, viewer, conversationId);
  const size = limits.messagesPage;
  const from =
    Number.isInteger(below) && below > 0 ? Math.min(below, aboveEveryMessage) : aboveEveryMessage;
  const rows = await messagesBelow(db, { conversationId, below: from, limit: size + 1 });
  const messages = rows.slice(0, size).map(({ item }) => item);
  return { messages: messages.toReversed(), more: rows.length > size };
}
