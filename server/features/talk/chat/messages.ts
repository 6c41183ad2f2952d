import { createHash } from "node:crypto";
import { bind } from "#server/platform/bind.ts";
import { newId as freshId, timeOf, type NewId } from "#server/platform/db/ids.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import {
  checkParticipant,
  checkSeq,
  conversationAt,
} from "#server/features/talk/chat/conversations.ts";
import { ensureConversation } from "#server/features/talk/chat/conversations.queries.ts";
import type { MessageImages } from "#server/features/talk/chat/message-images.ts";
import * as queries from "#server/features/talk/chat/messages.queries.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import type { Notifications } from "#server/features/talk/notifications/notifications.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import { messageInput } from "#shared/chat.inputs.ts";
import { found, isRefusal, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import type { MessageView, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  images: MessageImages;
  notifications?: Pick<Notifications, "notify" | "retract">;
  writes?: Pick<WriteRates, "count">;
  storage?: Pick<Storage, "check">;
  publish: Publish;
  newId?: NewId;
};

type Sending = {
  body: string;
  picture: ReceivedUpload | null;
  clientKey: string | null;
};

/** A message that may be written, with its image stored already. */
type Prepared = {
  otherId: string;
  conversationId: string | null;
  body: string;
  clientKey: string | null;
  picture: ReceivedImage | null;
};

type OwnMessage = { conversationId: string; seq: number; senderId: string };

/** Writing messages and taking them back. */
export function messagesOf(deps: Deps) {
  const { images } = deps;

  /**
   * Sends text, a photo or both to the other member of a conversation. Sent again with the same
   * clientKey it answers the first message. Refuses with chat-closed when the two do not follow
   * each other any more, with input-invalid, or as images are refused.
   */
  async function send(viewer: Viewer, chatId: string, sending: Sending): Promise<MessageView> {
    return write(deps, viewer, await prepare(deps, viewer, chatId, sending));
  }

  /**
   * Sends what a form without scripts holds. The key that makes a repeated submit harmless is in
   * the form; the content is part of it, so that a page the browser cached (Back) can be used for
   * another message.
   */
  async function sendFromForm(
    viewer: Viewer,
    chatId: string,
    { body, picture, formKey }: Pick<Sending, "body" | "picture"> & { formKey: string },
  ): Promise<MessageView> {
    const mark = `${formKey}\n${body}\n${picture ? `${picture.filename} ${picture.bytes}` : ""}`;
    const clientKey = formKey ? createHash("sha256").update(mark).digest("hex") : null;
    return send(viewer, chatId, { body, picture, clientKey });
  }

  return {
    send,
    sendFromForm,
    ...bind(deps, {
      prepareMessage: prepare,
      writeMessage: write,
      removeMessage: remove,
      takeDownMessage: takeDown,
    }),
    dropMessage: (prepared: Prepared) => drop(images, prepared),
  };
}

/**
 * The slow half of a send, for callers that hold a transaction around the other half: checks
 * whether the message may be written, and decodes and stores its photo. Then `write` or `drop` it.
 */
async function prepare(
  { db, images, writes, storage }: Deps,
  viewer: Viewer,
  chatId: string,
  sending: Sending,
): Promise<Prepared> {
  const { body, clientKey } = parseInput(messageInput(sending.picture !== null), sending);
  const { other, open, conversation } = await conversationAt(db, viewer, chatId);
  if (!open || !other) throw refuse("chat-closed");
  if (sending.picture) {
    await writes?.count(viewer, "uploads");
    await storage?.check(viewer.id, sending.picture.bytes);
  }
  const picture = sending.picture && (await images.receiveFrom(viewer.id, sending.picture));
  const conversationId = conversation?.id ?? null;
  return { otherId: other.id, conversationId, body, clientKey, picture };
}

/** Discards what was prepared and is not written. */
async function drop(images: MessageImages, { picture }: Prepared): Promise<void> {
  if (picture) await images.discard(picture);
}

/** Refuses with chat-closed when that changed meanwhile; what was prepared is discarded then. */
async function write(deps: Deps, viewer: Viewer, prepared: Prepared): Promise<MessageView> {
  const { db, images, publish, newId = freshId } = deps;
  const { otherId, body, clientKey, picture } = prepared;
  try {
    const conversationId =
      prepared.conversationId ??
      (await ensureConversation(db, { id: newId(), viewerId: viewer.id, otherId }));
    const id = newId();
    const message = { conversationId, id, senderId: viewer.id, body, clientKey };
    const sent = await insertOnce(deps, viewer, { ...message, otherId, picture });
    if (!sent) throw refuse("chat-closed");
    publish({ kind: "messages" });
    if (sent.added) {
      const fresh = { seq: sent.seq, deleted: false, createdAt: timeOf(id) };
      return { ...message, ...fresh, picture: picture && shownOf(picture) };
    }
    await drop(images, prepared);
    const view = await queries.findMessage(db, conversationId, sent.seq);
    if (!view) throw new Error("a message that was just written was not found");
    return view;
  } catch (error) {
    // When the answer was lost the message may be there all the same: then the sweep decides.
    if (isRefusal(error)) await drop(images, prepared);
    throw error;
  }
}

/** Two sends with one key at once: the later one meets the unique key and finds the first. */
async function insertOnce(deps: Deps, viewer: Viewer, message: queries.NewMessage) {
  try {
    return await insert(deps, viewer, message);
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code !== "23505" || constraint !== "messages_client_key") throw error;
    return insert(deps, viewer, message);
  }
}

/** With the notification of its receiver, unless they muted the conversation. */
async function insert(
  { db, notifications, writes, storage }: Deps,
  viewer: Viewer,
  message: queries.NewMessage,
) {
  return db.transaction(async () => {
    const sent = await queries.insertMessage(db, message);
    if (sent?.added) {
      await writes?.count(viewer, "messages");
      if (message.picture) await storage?.check(viewer.id);
    }
    if (sent?.added && !sent.quiet) {
      const { senderId, otherId, conversationId, id } = message;
      await notifications?.notify.wrote(senderId, otherId, conversationId, id);
    }
    return sent;
  });
}

/** Takes back a message of one's own: its text and photo go, for both. */
async function remove(deps: Deps, viewer: Viewer, conversationId: string, seq: number) {
  const { otherId } = await checkParticipant(deps.db, viewer, conversationId);
  checkSeq(seq);
  const files = await withdraw(deps, { conversationId, seq, senderId: viewer.id }, otherId);
  if (files) return deps.images.removeFiles(files);
  const message = found(await queries.findMessage(deps.db, conversationId, seq));
  if (message.senderId !== viewer.id) throw refuse("not-yours");
}

/** The same by moderators, in their transaction. It may be deleted already. */
async function takeDown(deps: Deps, key: OwnMessage): Promise<void> {
  const { db, images } = deps;
  const otherId = await queries.findReceiver(db, key.conversationId, key.senderId);
  const files = await withdraw(deps, key, otherId);
  if (files) db.afterCommit(() => void images.removeFiles(files));
}

/**
 * Empties a message and retracts its notification. Answers the keys of its files, null when there
 * was no message.
 */
async function withdraw(
  { db, notifications, publish }: Deps,
  key: OwnMessage,
  receiverId: string | null,
): Promise<string[] | null> {
  const files = await queries.withdrawMessage(db, key);
  if (!files) return null;
  const message = await queries.findMessage(db, key.conversationId, key.seq);
  if (receiverId && message) await notifications?.retract.act(receiverId, message.id);
  publish({ kind: "messages" });
  return files;
}

function shownOf({ width, height, widths, thumbhash }: ReceivedImage): MessageView["picture"] {
  return { width, height, widths, thumbhash: thumbhash.toString("base64") };
}
