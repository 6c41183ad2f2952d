import type { Logger } from "pino";
import { z } from "zod";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { highestId, idBelow, readCursor, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { whereWritable } from "#server/db/faults.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
import { chatsOf, connectionsWithoutChat } from "#server/features/talk/chat/chat-list.queries.ts";
import {
  checkMember,
  checkSeq,
  conversationAt,
  partyAt,
} from "#server/features/talk/chat/conversations.ts";
import * as queries from "#server/features/talk/chat/conversations.queries.ts";
import { createMessagePictures } from "#server/features/talk/chat/message-pictures.ts";
import { createMessages } from "#server/features/talk/chat/messages.ts";
import {
  messagesAbove,
  messagesBelow,
  newestMessages,
} from "#server/features/talk/chat/messages.queries.ts";
import type { Counted, Storage, WriteRates } from "#server/features/limits/index.ts";
import type { Notifications } from "#server/features/talk/notifications/notifications.ts";
import { aboveEveryMessage, chatIdOf } from "#shared/chat.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { ChatSummary, MessageView, Page, ThreadView, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** where nothing is served from but to the two members */
  store: ImageStore;
  notifications?: Pick<Notifications, "notify" | "retract" | "readConversation">;
  writes?: Pick<WriteRates, "count">;
  storage?: Pick<Storage, "check">;
  publish: Publish;
  log: Pick<Logger, "info" | "warn" | "error">;
  newId?: NewId;
  /** as in createImages */
  countFailure?: (accountId: string) => Promise<Counted>;
};

const seqKey = z.tuple([z.number().int().min(1).max(aboveEveryMessage)]);
/** Marks a place in the second part of the list of chats. */
const unwrittenId = "unwritten";
const id = z.string().refine(isId);
const listKey = z.union([z.tuple([id]), z.tuple([z.literal(unwrittenId), id])]);
const nothing = { items: [], nextCursor: null };

/** Conversations of two people who follow each other. */
export function createChat({
  db,
  notifications,
  writes,
  storage,
  publish,
  newId = freshId,
  ...deps
}: Deps) {
  const pictures = createMessagePictures({ db, ...deps });
  const messages = createMessages({
    db,
    pictures,
    notifications,
    writes,
    storage,
    publish,
    newId,
  });

  /** Conversations with messages, newest first, and behind them connections without one. */
  async function list(viewer: Viewer, cursor: string | null): Promise<Page<ChatSummary>> {
    const [unwrittenBelow] = readCursor(cursor, listKey)?.slice(1) ?? [];
    if (unwrittenBelow) return unwritten(viewer, unwrittenBelow);
    const size = limits.accountsPage;
    const below = idBelow(cursor);
    const rows = await chatsOf(db, {
      viewerId: viewer.id,
      below,
      limit: size + 1,
      most: limits.unreadMessages,
    });
    const page = toPage(rows, size);
    const chats = page.items.map((chat) => ({ ...chat, chatId: linkTo(viewer, chat) }));
    if (page.nextCursor !== null) return { ...page, items: chats };
    const others = await unwritten(viewer, highestId);
    return { ...others, items: [...chats, ...others.items] };
  }

  /** Whom one follows since before follow `below`, is followed by, and never wrote to. */
  async function unwritten(viewer: Viewer, below: string): Promise<Page<ChatSummary>> {
    const size = limits.accountsPage;
    const rows: Awaited<ReturnType<typeof connectionsWithoutChat>>["found"] = [];
    for (let from: string | null = below; from !== null && rows.length <= size;) {
      const { found, floor }: Awaited<ReturnType<typeof connectionsWithoutChat>> =
        await connectionsWithoutChat(db, {
          viewerId: viewer.id,
          below: from,
          among: limits.connectionsAtOnce,
          limit: size + 1 - rows.length,
        });
      rows.push(...found);
      from = floor;
    }
    return toPage(
      rows.map(({ followId, account: other }) => ({
        key: [unwrittenId, followId],
        item: {
          chatId: chatIdOf(viewer, other),
          conversationId: null,
          other,
          last: null,
          unread: 0,
          muted: false,
        },
      })),
      size,
    );
  }

  /**
   * The thread that a chatId names: two addresses joined, in either order, read from the caller's
   * side. There is one where the two follow each other, or wrote to each other before.
   */
  async function thread(
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
      messages: conversation ? await older(conversation.id, cursor) : nothing,
    };
  }

  /** The conversation that a chatId names; refuses with not-found where nothing was written yet. */
  async function refAt(viewer: Viewer, chatId: string): Promise<string> {
    const { conversation } = await conversationAt(db, viewer, chatId);
    if (!conversation) throw refuse("not-found");
    return conversation.id;
  }

  async function older(conversationId: string, cursor: string | null): Promise<Page<MessageView>> {
    const below = readCursor(cursor, seqKey)?.[0] ?? aboveEveryMessage;
    const size = limits.messagesPage;
    return toPage(await messagesBelow(db, { conversationId, below, limit: size + 1 }), size);
  }

  /** Who a chatId means and the newest `limit` messages, oldest first: a whole document. */
  async function whole(viewer: Viewer, chatId: string, limit: number) {
    const { account: other } = await partyAt(db, viewer, chatId);
    const conversation = await queries.findConversation(db, viewer.id, { otherId: other.id });
    return {
      other,
      messages: conversation ? await newestMessages(db, conversation.id, limit) : [],
    };
  }

  /** What came after message `above`, oldest first: for a thread that was away for a while. */
  async function since(
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
  async function before(
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

  /** Up to which message the viewer, and the other party, have seen a conversation. */
  async function marks(
    viewer: Viewer,
    conversationId: string,
  ): Promise<{ readSeq: number; otherReadSeq: number }> {
    await checkMember(db, viewer, conversationId);
    const found = await queries.findConversation(db, viewer.id, { id: conversationId });
    return { readSeq: found?.readSeq ?? 0, otherReadSeq: found?.otherReadSeq ?? 0 };
  }

  /** The viewer has seen everything up to message `seq`. */
  async function markRead(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    const { otherId } = await checkMember(db, viewer, conversationId);
    checkSeq(seq);
    const seen = await queries.markRead(db, { viewerId: viewer.id, conversationId, seq });
    if (seen === null) return;
    await notifications?.readConversation(viewer, conversationId);
    publish({ kind: "unread", accountId: viewer.id });
    if (otherId) publish({ kind: "read", accountId: otherId, conversationId, seq: seen });
  }

  /** The same for who only opens it: where nothing can be written down, it is shown all the same. */
  async function markOpened(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    await whereWritable(markRead(viewer, conversationId, seq), undefined);
  }

  /**
   * Tells the other member that the viewer is writing; nothing of it is kept. A chatId names a
   * conversation that has not begun: then the sign carries who writes.
   */
  async function typing(viewer: Viewer, chatId: string): Promise<void> {
    const { other, open, conversation } = await conversationAt(db, viewer, chatId);
    const chat = conversation?.id ?? viewer.id;
    if (other && open) publish({ kind: "typing", accountId: other.id, chatId: chat });
  }

  /** A muted conversation stays readable and does not announce itself. */
  async function mute(viewer: Viewer, conversationId: string, muted: boolean): Promise<void> {
    await checkMember(db, viewer, conversationId);
    await queries.setMuted(db, { viewerId: viewer.id, conversationId, muted });
    // What was told before and has not left yet stays here, too.
    if (muted) await notifications?.readConversation(viewer, conversationId);
    publish({ kind: "unread", accountId: viewer.id });
  }

  /** Removes what is left of messages and conversations that went, once it is an hour old. */
  async function sweep(now = new Date()): Promise<void> {
    await pictures.sweep(now);
    await queries.removeEmptyConversations(db);
  }

  return {
    sweep,
    removePicturesOf: pictures.removeAllOf,
    list,
    thread,
    refAt,
    whole,
    older: async (viewer: Viewer, conversationId: string, cursor: string | null) => {
      await checkMember(db, viewer, conversationId);
      return older(conversationId, cursor);
    },
    since,
    before,
    marks,
    send: messages.send,
    sendFromForm: messages.sendFromForm,
    prepareMessage: messages.prepare,
    writeMessage: messages.write,
    dropMessage: messages.drop,
    removeMessage: messages.remove,
    takeDownMessage: messages.takeDown,
    markRead,
    markOpened,
    typing,
    mute,
    openPicture: pictures.open,
  };
}

export type Chat = ReturnType<typeof createChat>;

/** A conversation whose other member is gone has no address left but its own id. */
function linkTo(viewer: Viewer, chat: Omit<ChatSummary, "chatId">): string {
  return chat.other ? chatIdOf(viewer, chat.other) : (chat.conversationId ?? "");
}
