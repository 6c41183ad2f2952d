import { z } from "zod";
import { readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  checkParticipant,
  conversationAt,
  partyAt,
} from "#server/features/talk/chat/conversations.ts";
import {
  messagesAbove,
  messagesBelow,
  newestMessages,
} from "#server/features/talk/chat/messages.queries.ts";
import { aboveEveryMessage, chatIdOf } from "#shared/chat.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { MessageView, ConversationView, Viewer } from "#shared/views.ts";

const seqKey = z.tuple([z.number().int().min(1).max(aboveEveryMessage)]);
const size = limits.messagesPage;
const nothing = { items: [], nextCursor: null };

/** Conversations as their members read them. */
export function conversationReads(db: Database) {
  /**
   * The conversation that a chatId names: two addresses joined, in either order, read from the
   * caller's side. There is one where the two follow each other, or wrote to each other before.
   */
  async function conversation(
    viewer: Viewer,
    chatId: string,
    cursor: string | null = null,
  ): Promise<ConversationView> {
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
  async function refAt(viewer: Viewer, chatId: string): Promise<string> {
    const { conversation } = await conversationAt(db, viewer, chatId);
    if (!conversation) throw refuse("not-found");
    return conversation.id;
  }

  /** A page of a conversation, newest first, below the message that the cursor names. */
  async function older(viewer: Viewer, conversationId: string, cursor: string | null) {
    await checkParticipant(db, viewer, conversationId);
    return pageBelow(db, conversationId, cursor);
  }

  /**
   * The member that a chatId means and the newest `limit` messages, oldest first: a whole document.
   */
  async function whole(viewer: Viewer, chatId: string, limit: number) {
    const { other, conversation } = await partyAt(db, viewer, chatId);
    const messages = conversation ? await newestMessages(db, conversation.id, limit) : [];
    return { other, messages };
  }

  return { conversation, refAt, older, whole, ...besides(db) };
}

async function pageBelow(db: Database, conversationId: string, cursor: string | null) {
  const below = readCursor(cursor, seqKey)?.[0] ?? aboveEveryMessage;
  return toPage(await messagesBelow(db, { conversationId, below, limit: size + 1 }), size);
}

/** Messages around a given one, oldest first. */
function besides(db: Database) {
  type Beside = { messages: MessageView[]; more: boolean };

  /** What came after message `seq`: for a client that was offline for a while. */
  async function since(viewer: Viewer, conversationId: string, seq: number): Promise<Beside> {
    await checkParticipant(db, viewer, conversationId);
    const above = numberOr(0, seq);
    const rows = await messagesAbove(db, { conversationId, above, limit: size + 1 });
    return { messages: rows.slice(0, size), more: rows.length > size };
  }

  /** What came before message `seq`: for a conversation that is read from its middle. */
  async function before(viewer: Viewer, conversationId: string, seq: number): Promise<Beside> {
    await checkParticipant(db, viewer, conversationId);
    const below = numberOr(aboveEveryMessage, seq);
    const rows = await messagesBelow(db, { conversationId, below, limit: size + 1 });
    const messages = rows.slice(0, size).map(({ item }) => item);
    return { messages: messages.toReversed(), more: rows.length > size };
  }

  return { since, before };
}

const numberOr = (fallback: number, seq: number) =>
  Number.isInteger(seq) && seq > 0 ? Math.min(seq, aboveEveryMessage) : fallback;
