import type { Logger } from "pino";
import { z } from "zod";
import type { ImageStore, OpenVariant } from "#server/adapters/image-store/image-store.ts";
import { readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/talk/chat/imported-conversations.queries.ts";
import { createMessageImages } from "#server/features/talk/chat/message-images.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import type { Storage } from "#server/features/limits/index.ts";
import { aboveEveryMessage } from "#shared/chat.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

export type NewImportedMessage = queries.NewImportedMessage;

type Deps = {
  db: Database;
  /** where images of messages are stored */
  store: ImageStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  storage?: Pick<Storage, "check">;
};

const conversationKey = z.tuple([z.number(), z.string().refine(isId)]);
const numberKey = z.tuple([z.number().int().min(1).max(aboveEveryMessage)]);

/**
 * Conversations that a member imported with an archive. They are what the archive says, so only the
 * member sees them: they name no account here, and nobody can be made to have said something
 * (docs/decisions/0073).
 */
export function createImportedConversations({ db, store, log, storage }: Deps) {
  const images = createMessageImages({ db, store, log });

  /**
   * Writes a message with its image. Refuses with storage-full; then, and when the database fails,
   * the file is left for the sweep: its row may be there all the same.
   */
  async function addWithImage(
    accountId: string,
    message: NewImportedMessage,
    stored: ReceivedImage,
  ) {
    const added = await db.transaction(async () => {
      if ((await queries.insertMessages(db, accountId, [message])) === 0) return false;
      await queries.insertImage(db, accountId, message, stored);
      await storage?.check(accountId);
      return true;
    });
    if (!added) await images.discard(stored);
  }

  /** Deletes the viewer's copy; refuses with not-found. */
  async function remove(viewer: Viewer, id: string): Promise<void> {
    const files = found(
      isId(id) ? await queries.deleteImportedConversation(db, viewer.id, id) : null,
    );
    await images.removeFiles(files);
  }

  /** One variant of an image, for the account that imported it. */
  async function openImage(
    viewer: Viewer,
    { threadId, number }: { threadId: string; number: number },
    width: number,
  ): Promise<OpenVariant | null> {
    if (!isId(threadId) || number > aboveEveryMessage) return null;
    const key = await queries.importedImageKey(db, viewer.id, { threadId, number });
    return key === null ? null : store.open(key, width);
  }

  return {
    receive: images.receive,
    statesOf: (accountId: string, messages: readonly NewImportedMessage[], since: Date) =>
      queries.statesOf(db, accountId, messages, since),
    /** Writes messages without images, each once. */
    add: (accountId: string, messages: readonly NewImportedMessage[]) =>
      queries.insertMessages(db, accountId, messages),
    addWithImage,
    /** Whether the viewer imported any. */
    some: (viewer: Viewer): Promise<boolean> => queries.hasImportedConversations(db, viewer.id),
    list: (viewer: Viewer, cursor: string | null) => list(db, viewer, cursor),
    conversation: (viewer: Viewer, id: string, cursor: string | null = null) =>
      conversation(db, viewer, id, cursor),
    remove,
    openImage,
  };
}

export type ImportedConversations = ReturnType<typeof createImportedConversations>;

/** Newest first. */
async function list(db: Database, viewer: Viewer, cursor: string | null) {
  const size = limits.accountsPage;
  const below = readCursor(cursor, conversationKey);
  return toPage(
    await queries.importedConversationsOf(db, viewer.id, { below, limit: size + 1 }),
    size,
  );
}

/** One of them, oldest message first; refuses with not-found. */
async function conversation(db: Database, viewer: Viewer, id: string, cursor: string | null) {
  const found = isId(id) ? await queries.findImportedConversation(db, viewer.id, id) : null;
  if (!found) throw refuse("not-found");
  const size = limits.importedMessagesPage;
  const page = { threadId: id, above: readCursor(cursor, numberKey)?.[0] ?? 0, limit: size + 1 };
  return { ...found, messages: toPage(await queries.messagesOf(db, viewer.id, page), size) };
}
