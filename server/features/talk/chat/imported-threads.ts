import type { Logger } from "pino";
import { z } from "zod";
import type { ImageStore, OpenVariant } from "#server/adapters/image-store/image-store.ts";
import { readCursor, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import * as queries from "#server/features/talk/chat/imported-threads.queries.ts";
import { createMessagePictures } from "#server/features/talk/chat/message-pictures.ts";
import type { ReceivedImage } from "#server/features/posts/index.ts";
import type { Storage } from "#server/features/limits/index.ts";
import { aboveEveryMessage } from "#shared/chat.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

export type BroughtMessage = queries.BroughtMessage;

type Deps = {
  db: Database;
  /** where pictures of messages lie */
  store: ImageStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  storage?: Pick<Storage, "check">;
};

const threadKey = z.tuple([z.number(), z.string().refine(isId)]);
const numberKey = z.tuple([z.number().int().min(1).max(aboveEveryMessage)]);

/**
 * Conversations that a member brought along in an archive. They are what the archive says, so they
 * are the member's alone: no account here is named by them, and nobody can be made to have said
 * something (docs/decisions/0073).
 */
export function createImportedThreads({ db, store, log, storage }: Deps) {
  const pictures = createMessagePictures({ db, store, log });

  /**
   * Writes a message with the picture that came with it. Refuses with storage-full; then, and when the
   * database fails, the picture is left for the sweep: its row may be there all the same.
   */
  async function addWithPicture(accountId: string, message: BroughtMessage, stored: ReceivedImage) {
    const added = await db.transaction(async () => {
      if ((await queries.insertMessages(db, accountId, [message])) === 0) return false;
      await queries.insertPicture(db, accountId, message, stored);
      await storage?.check(accountId);
      return true;
    });
    if (!added) await pictures.discard(stored);
  }

  /** Deletes the viewer's copy; refuses with not-found. */
  async function remove(viewer: Viewer, id: string): Promise<void> {
    const files = isId(id) ? await queries.deleteThread(db, viewer.id, id) : null;
    if (!files) throw refuse("not-found");
    await pictures.removeFiles(files);
  }

  /** One variant of a picture, for the account that brought it. */
  async function openPicture(
    viewer: Viewer,
    { threadId, number }: { threadId: string; number: number },
    width: number,
  ): Promise<OpenVariant | null> {
    if (!isId(threadId) || number > aboveEveryMessage) return null;
    const key = await queries.importedPictureKey(db, viewer.id, { threadId, number });
    return key === null ? null : store.open(key, width);
  }

  return {
    receive: pictures.receive,
    statesOf: (accountId: string, messages: readonly BroughtMessage[], since: Date) =>
      queries.statesOf(db, accountId, messages, since),
    /** Writes messages without pictures, each once. */
    add: (accountId: string, messages: readonly BroughtMessage[]) =>
      queries.insertMessages(db, accountId, messages),
    addWithPicture,
    /** Whether the viewer brought any along. */
    some: (viewer: Viewer): Promise<boolean> => queries.hasThreads(db, viewer.id),
    list: (viewer: Viewer, cursor: string | null) => list(db, viewer, cursor),
    thread: (viewer: Viewer, id: string, cursor: string | null = null) =>
      thread(db, viewer, id, cursor),
    remove,
    openPicture,
  };
}

export type ImportedThreads = ReturnType<typeof createImportedThreads>;

/** Newest first. */
async function list(db: Database, viewer: Viewer, cursor: string | null) {
  const size = limits.accountsPage;
  const below = readCursor(cursor, threadKey);
  return toPage(await queries.threadsOf(db, viewer.id, { below, limit: size + 1 }), size);
}

/** One of them, oldest message first; refuses with not-found. */
async function thread(db: Database, viewer: Viewer, id: string, cursor: string | null) {
  const found = isId(id) ? await queries.findThread(db, viewer.id, id) : null;
  if (!found) throw refuse("not-found");
  const size = limits.importedMessagesPage;
  const page = { threadId: id, above: readCursor(cursor, numberKey)?.[0] ?? 0, limit: size + 1 };
  return { ...found, messages: toPage(await queries.messagesOf(db, viewer.id, page), size) };
}
