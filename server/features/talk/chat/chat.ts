import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { unlessReadOnly } from "#server/platform/db/database-faults.ts";
import type { Publish } from "#server/features/change-hint.ts";
import type { NewId } from "#server/platform/db/ids.ts";
import { list } from "#server/features/talk/chat/conversation-list.ts";
import {
  checkParticipant,
  checkSeq,
  conversationAt,
  partyIn,
} from "#server/features/talk/chat/conversations.ts";
import * as queries from "#server/features/talk/chat/conversations.queries.ts";
import { createMessageImages } from "#server/features/talk/chat/message-images.ts";
import { messagesOf } from "#server/features/talk/chat/messages.ts";
import { conversationReads } from "#server/features/talk/chat/conversation-pages.ts";
import type { CountedAttempt, Storage, WriteRates } from "#server/features/limits/index.ts";
import type { Notifications } from "#server/features/talk/notifications/notifications.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** serves only the two members */
  store: ImageStore;
  notifications?: Pick<Notifications, "notify" | "retract" | "readConversation">;
  writes?: Pick<WriteRates, "count">;
  storage?: Pick<Storage, "check">;
  publish: Publish;
  log: Pick<Logger, "info" | "warn" | "error">;
  newId?: NewId;
  /** as in createImages */
  countFailure?: (accountId: string) => Promise<CountedAttempt>;
};

/** Conversations of two people who follow each other. */
export function createChat(deps: Deps) {
  const { db } = deps;
  const images = createMessageImages(deps);
  return {
    list: (viewer: Viewer, cursor: string | null) => list(db, viewer, cursor),
    ...conversationReads(db),
    ...marksOf(deps),
    ...messagesOf({ ...deps, images }),
    openImage: images.open,
    removeImagesOf: images.removeAllOf,
    /** Removes what is left of messages and conversations that went, once it is an hour old. */
    sweep: async (now = new Date()) => {
      await images.sweep(now);
      await queries.removeEmptyConversations(db);
    },
  };
}

export type Chat = ReturnType<typeof createChat>;

/** What a member has seen, is typing and wants to be notified of. */
function marksOf({ db, notifications, publish }: Deps) {
  /** Up to which message the viewer and the other member have seen a conversation. */
  async function marks(viewer: Viewer, conversationId: string) {
    const { conversation } = await partyIn(db, viewer, conversationId);
    return { readSeq: conversation?.readSeq ?? 0, otherReadSeq: conversation?.otherReadSeq ?? 0 };
  }

  /** The viewer has seen everything up to message `seq`. */
  async function markRead(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    const { otherId } = await checkParticipant(db, viewer, conversationId);
    checkSeq(seq);
    const seen = await queries.markRead(db, { viewerId: viewer.id, conversationId, seq });
    if (seen === null) return;
    await notifications?.readConversation(viewer, conversationId);
    publish({ kind: "unread", accountId: viewer.id });
    if (otherId) publish({ kind: "read", accountId: otherId, conversationId, seq: seen });
  }

  /**
   * The same for a page that is only opened: where nothing can be written, it is shown all the
   * same.
   */
  async function markOpened(viewer: Viewer, conversationId: string, seq: number): Promise<void> {
    await unlessReadOnly(markRead(viewer, conversationId, seq), undefined);
  }

  /**
   * Lets the other member know that the viewer is typing; nothing is stored. A chatId may name a
   * conversation that has not begun: then the event carries who types.
   */
  async function typing(viewer: Viewer, chatId: string): Promise<void> {
    const { other, open, conversation } = await conversationAt(db, viewer, chatId);
    const chat = conversation?.id ?? viewer.id;
    if (other && open) publish({ kind: "typing", accountId: other.id, chatId: chat });
  }

  /** A muted conversation stays readable and does not announce itself. */
  async function mute(viewer: Viewer, conversationId: string, muted: boolean): Promise<void> {
    await checkParticipant(db, viewer, conversationId);
    await queries.setMuted(db, { viewerId: viewer.id, conversationId, muted });
    // Notifications created before that have not been sent yet are not sent either.
    if (muted) await notifications?.readConversation(viewer, conversationId);
    publish({ kind: "unread", accountId: viewer.id });
  }

  return { marks, markRead, markOpened, typing, mute };
}
