import type { Logger } from "pino";
import { z } from "zod";
import { readCursor, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, timeOf, type NewId } from "#server/db/ids.ts";
import type { ImageStore, OpenVariant } from "#server/adapters/image-store/image-store.ts";
import type { ReceivedUpload } from "#server/api/multipart.ts";
import { ownAddresses } from "#server/features/accounts/address.queries.ts";
import { otherAddresses } from "#server/features/chat/chat-ids.ts";
import * as queries from "#server/features/chat/chat.queries.ts";
import { createImages, type ReceivedImage } from "#server/features/images/images.ts";
import { findOrphans } from "#server/features/images/orphans.ts";
import type { Notifications } from "#server/features/notifications/notifications.ts";
import { chatIdOf } from "#shared/chat.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { ChatSummary, MessageView, Page, ThreadView, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** where nothing is served from but to the two members */
  store: ImageStore;
  notifications?: Pick<Notifications, "told" | "takenBack" | "readConversation">;
  publish: Publish;
  log: Pick<Logger, "info" | "warn">;
  newId?: NewId;
};

export type Sending = {
  body: string;
  picture: ReceivedUpload | null;
  clientKey: string | null;
};

const FIRST_BELOW = 2 ** 31 - 1;
const HIGHEST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
const seqKey = z.tuple([z.number().int().min(1).max(FIRST_BELOW)]);
const idKey = z.tuple([z.string().refine(isId)]);
const picturesAtOnce = 50;
const orphanAfterMs = 60 * 60 * 1000;
const NEVER = { items: [], nextCursor: null };

/** Conversations of two people who follow each other. */
export function createChat({ db, store, notifications, publish, log, newId = freshId }: Deps) {
  const pictures = createImages({ db, store, log });

  /** The one other member that a chatId can mean for this caller; refuses with not-found. */
  async function partyOf(viewer: Viewer, chatId: string): Promise<queries.Party> {
    const own = await ownAddresses(db, viewer.id);
    const [party, another] = await queries.partiesAt(
      db,
      viewer.id,
      otherAddresses(chatId, [...own]),
    );
    if (!party || another) throw refuse("not-found");
    return party;
  }

  /** Conversations with messages, newest first; the first page ends with connections without one. */
  async function list(viewer: Viewer, cursor: string | null): Promise<Page<ChatSummary>> {
    const size = limits.accountsPage;
    const below = readCursor(cursor, idKey)?.[0] ?? HIGHEST_ID;
    const rows = await queries.chatsOf(db, {
      viewerId: viewer.id,
      below,
      limit: size + 1,
      most: limits.unreadMessages,
    });
    const page = toPage(rows, size);
    const chats = page.items.map((chat) => ({ ...chat, chatId: linkTo(viewer, chat) }));
    if (page.nextCursor !== null) return { ...page, items: chats };
    const others = await queries.connectionsWithoutChat(db, viewer.id, limits.accountsPage);
    const fresh = others.map((other) => ({
      chatId: chatIdOf(viewer, other),
      conversationId: null,
      other,
      last: null,
      unread: 0,
      muted: false,
    }));
    return { items: [...chats, ...fresh], nextCursor: null };
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
    const { other, open, conversation } = await find(viewer, chatId);
    const messages = conversation ? await older(conversation.id, cursor) : NEVER;
    return {
      chatId: other ? chatIdOf(viewer, other) : chatId,
      conversationId: conversation?.id ?? null,
      other,
      open,
      muted: conversation?.muted ?? false,
      readSeq: conversation?.readSeq ?? 0,
      otherReadSeq: conversation?.otherReadSeq ?? 0,
      messages,
    };
  }

  /** A conversation whose other member is gone has no addresses left: its own id names it. */
  async function find(viewer: Viewer, chatId: string) {
    if (isId(chatId)) {
      const { otherId } = await checkMember(viewer, chatId);
      if (otherId !== null) throw refuse("not-found");
      const conversation = await queries.findConversation(db, viewer.id, { id: chatId });
      return { other: null, open: false, conversation };
    }
    const { account: other, open } = await partyOf(viewer, chatId);
    const conversation = await queries.findConversation(db, viewer.id, { otherId: other.id });
    return { other, open, conversation };
  }

  /** The conversation that a chatId names; refuses with not-found where nothing was written yet. */
  async function refAt(viewer: Viewer, chatId: string): Promise<string> {
    const { conversation } = await find(viewer, chatId);
    if (!conversation) throw refuse("not-found");
    return conversation.id;
  }

  async function older(conversationId: string, cursor: string | null): Promise<Page<MessageView>> {
    const below = readCursor(cursor, seqKey)?.[0] ?? FIRST_BELOW;
    const size = limits.messagesPage;
    return toPage(
      await queries.messagesBelow(db, { conversationId, below, limit: size + 1 }),
      size,
    );
  }

  /** Who a chatId means and the newest `limit` messages, oldest first: a whole document. */
  async function whole(viewer: Viewer, chatId: string, limit: number) {
    const { account: other } = await partyOf(viewer, chatId);
    const conversation = await queries.findConversation(db, viewer.id, { otherId: other.id });
    const messages = conversation ? await queries.newestMessages(db, conversation.id, limit) : [];
    return { other, messages };
  }

  /** What came after message `above`, oldest first: for a thread that was away for a while. */
  async function since(
    viewer: Viewer,
    conversationId: string,
    above: number,
  ): Promise<{ messages: MessageView[]; more: boolean }> {
    await checkMember(viewer, conversationId);
    const size = limits.messagesPage;
    const from = Number.isInteger(above) && above > 0 ? Math.min(above, FIRST_BELOW) : 0;
    const page = { conversationId, above: from, limit: size + 1 };
    const messages = await queries.messagesAbove(db, page);
    return { messages: messages.slice(0, size), more: messages.length > size };
  }

  /**
   * Sends words, a picture or both to the other member of a chat. Sent again with the same
   * clientKey it answers the first message. Refuses with chat-closed when the two do not follow
   * each other any more, input-invalid, or what a picture is refused with.
   */
  async function send(viewer: Viewer, chatId: string, sending: Sending): Promise<MessageView> {
    const { body, clientKey } = parseInput(messageInput(sending.picture !== null), sending);
    const { other, open, conversation } = await find(viewer, chatId);
    if (!open || !other) throw refuse("chat-closed");
    // Decoding takes long: it is done before the conversation's row is waited for.
    const picture = sending.picture && (await pictures.receive(sending.picture));
    let added = false;
    try {
      const pair = { viewerId: viewer.id, otherId: other.id };
      const conversationId =
        conversation?.id ?? (await queries.ensureConversation(db, { id: newId(), ...pair }));
      const id = newId();
      const message = { conversationId, id, senderId: viewer.id, body, clientKey };
      const sent = await insertOnce({ ...message, otherId: other.id, picture });
      if (!sent) throw refuse("chat-closed");
      added = sent.added;
      publish("messages");
      if (added) {
        const fresh = { seq: sent.seq, deleted: false, createdAt: timeOf(id) };
        return { ...message, ...fresh, picture: picture && shownOf(picture) };
      }
      const view = await queries.findMessage(db, conversationId, sent.seq);
      if (!view) throw new Error("a message that was written is not there");
      return view;
    } finally {
      if (picture && !added) await discard(picture);
    }
  }

  /** Two sends with one key at once: the later one meets the unique key and finds the first. */
  async function insertOnce(message: queries.NewMessage) {
    try {
      return await insert(message);
    } catch (error) {
      const { code, constraint } = error as { code?: string; constraint?: string };
      if (code !== "23505" || constraint !== "messages_client_key") throw error;
      return insert(message);
    }
  }

  /** With what its receiver is told of it, unless they muted the conversation. */
  async function insert(message: queries.NewMessage) {
    return db.transaction(async () => {
      const sent = await queries.insertMessage(db, message);
      if (sent?.added && !sent.quiet) {
        const { senderId, otherId, conversationId, id } = message;
        await notifications?.told.wrote(senderId, otherId, conversationId, id);
      }
      return sent;
    });
  }

  async function discard(picture: ReceivedImage): Promise<void> {
    await pictures.discard(picture).catch((error: unknown) => {
      log.warn({ err: error }, "a picture without a message is left for the sweep");
    });
  }

  /** Takes back a message of one's own: its words and its picture go, for both. */
  async function removeMessage(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    const member = await checkMember(viewer, conversationId);
    checkSeq(seq);
    const key = { conversationId, seq, senderId: viewer.id };
    const files = await queries.withdrawMessage(db, key);
    if (!files) {
      const message = await queries.findMessage(db, conversationId, seq);
      if (!message) throw refuse("not-found");
      if (message.senderId !== viewer.id) throw refuse("not-yours");
      return;
    }
    const { otherId } = member;
    const { id } = (await queries.findMessage(db, conversationId, seq)) ?? {};
    if (otherId && id) await notifications?.takenBack.act(otherId, id);
    publish("messages");
    await pictures.removeFiles(files).catch((error: unknown) => {
      log.warn({ err: error, files }, "pictures of a deleted message are still stored");
    });
  }

  /** The viewer has seen everything up to message `seq`. */
  async function markRead(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    const { otherId } = await checkMember(viewer, conversationId);
    checkSeq(seq);
    if (!(await queries.markRead(db, { viewerId: viewer.id, conversationId, seq }))) return;
    await notifications?.readConversation(viewer, conversationId);
    publish(`to:${viewer.id}:unread:`);
    if (otherId) publish(`to:${otherId}:read:${conversationId}.${seq}`);
  }

  /** Tells the other member that the viewer is writing; nothing of it is kept. */
  async function typing(viewer: Viewer, conversationId: string): Promise<void> {
    const { otherId } = await checkMember(viewer, conversationId);
    if (otherId && (await queries.mayWrite(db, viewer.id, otherId))) {
      publish(`to:${otherId}:typing:${conversationId}`);
    }
  }

  /** A muted conversation stays readable and does not announce itself. */
  async function mute(viewer: Viewer, conversationId: string, muted: boolean): Promise<void> {
    await checkMember(viewer, conversationId);
    await queries.setMuted(db, { viewerId: viewer.id, conversationId, muted });
    publish(`to:${viewer.id}:unread:`);
  }

  /** One variant of a message's picture, for its two members. */
  async function openPicture(
    viewer: Viewer,
    message: { conversationId: string; seq: number },
    width: number,
  ): Promise<OpenVariant | null> {
    await checkMember(viewer, message.conversationId);
    checkSeq(message.seq);
    const key = await queries.pictureKey(db, { viewerId: viewer.id, ...message });
    return key === null ? null : store.open(key, width);
  }

  /** In how many conversations something is new, counted to 99. */
  async function unread(viewer: Viewer): Promise<number> {
    const [counted] = await queries.unreadChats(db, [viewer.id], limits.unreadMessages);
    return counted?.chats ?? 0;
  }

  async function checkMember(viewer: Viewer, conversationId: string) {
    if (!isId(conversationId)) throw refuse("not-found");
    const membership = await queries.findMembership(db, viewer.id, conversationId);
    if (!membership) throw refuse("not-found");
    return membership;
  }

  /** All pictures the account sent, files before rows: when the account is deleted for good. */
  async function removePicturesOf(accountId: string): Promise<void> {
    for (;;) {
      const keys = await queries.pictureKeysOf(db, accountId, picturesAtOnce);
      if (keys.length === 0) return;
      await store.remove(keys);
      await queries.removePictureRows(db, keys);
    }
  }

  /** Removes files that no message names (any more), once they are an hour old. */
  async function sweep(now = new Date()): Promise<void> {
    const before = new Date(now.getTime() - orphanAfterMs);
    await store.remove(await findOrphans({ store, named: namedBy(db), log }, before));
    await store.clean(before);
    await queries.removeEmptyConversations(db);
  }

  return {
    sweep,
    removePicturesOf,
    list,
    thread,
    refAt,
    whole,
    older: async (viewer: Viewer, conversationId: string, cursor: string | null) => {
      await checkMember(viewer, conversationId);
      return older(conversationId, cursor);
    },
    since,
    send,
    removeMessage,
    markRead,
    typing,
    mute,
    openPicture,
    unread,
  };
}

function namedBy(db: Database) {
  return (keys: readonly string[]) => queries.pictureKeysInUse(db, keys);
}

function checkSeq(seq: number): void {
  if (!Number.isInteger(seq) || seq < 1 || seq > FIRST_BELOW) throw refuse("not-found");
}

function shownOf({ width, height, widths, thumbhash }: ReceivedImage): MessageView["picture"] {
  return { width, height, widths, thumbhash: thumbhash.toString("base64") };
}

/** A conversation whose other member is gone has no address left but its own id. */
function linkTo(viewer: Viewer, chat: Omit<ChatSummary, "chatId">): string {
  return chat.other ? chatIdOf(viewer, chat.other) : (chat.conversationId ?? "");
}
