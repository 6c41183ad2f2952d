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
import type { ImportedMessageView, ImportedThreadView } from "#shared/archive.ts";
import { aboveEveryMessage } from "#shared/chat.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Page, Viewer } from "#shared/views.ts";

type BroughtMessage = queries.BroughtMessage;
/** One whose picture came along has it in the private store already. */
type Brought = BroughtMessage & { stored: ReceivedImage | null };

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
   * Which of these messages the account has already: in a conversation that it takes part in here
   * (what was taken back in it stays so), or brought before. `fresh` ones came since `since`.
   */
  async function find(
    accountId: string,
    messages: readonly BroughtMessage[],
    since: Date,
  ): Promise<("missing" | "known" | "fresh")[]> {
    const threads = [...new Set(messages.map(({ threadId }) => threadId))];
    const live = await queries.ownConversations(db, accountId, threads);
    const known = await queries.knownMessages(db, accountId, messages, since);
    const states = new Map(
      known.map((each) => [placeOf(each), each.fresh ? "fresh" : "known"] as const),
    );
    return messages.map((each) =>
      live.has(each.threadId) ? "known" : (states.get(placeOf(each)) ?? "missing"),
    );
  }

  /**
   * Writes messages with the pictures that came with them, each once. Refuses with storage-full;
   * then, and when the database fails, the
   * pictures are left for the sweep: their rows may be there all the same.
   */
  async function add(accountId: string, messages: readonly Brought[]): Promise<void> {
    if (messages.length === 0) return;
    const added = await db.transaction(async () => {
      const places = await queries.insertMessages(db, accountId, messages);
      const fresh = new Set(places.map(placeOf));
      const pictured = messages.filter((each) => each.stored && fresh.delete(placeOf(each)));
      for (const { threadId, number, stored } of pictured) {
        if (stored)
          await queries.insertPicture(db, accountId, { threadId, number, picture: stored });
      }
      if (pictured.length > 0) await storage?.check(accountId);
      return new Set(pictured);
    });
    for (const each of messages) {
      if (each.stored && !added.has(each)) await pictures.discard(each.stored);
    }
  }

  /** Whether the viewer brought any along. */
  const some = (viewer: Viewer): Promise<boolean> => queries.hasThreads(db, viewer.id);

  /** Newest first. */
  async function list(viewer: Viewer, cursor: string | null): Promise<Page<ImportedThreadView>> {
    const size = limits.accountsPage;
    const below = readCursor(cursor, threadKey);
    return toPage(await queries.threadsOf(db, viewer.id, { below, limit: size + 1 }), size);
  }

  /** One of them, oldest message first; refuses with not-found. */
  async function thread(
    viewer: Viewer,
    id: string,
    cursor: string | null = null,
  ): Promise<ImportedThreadView & { messages: Page<ImportedMessageView> }> {
    const found = isId(id) ? await queries.findThread(db, viewer.id, id) : null;
    if (!found) throw refuse("not-found");
    const size = limits.importedMessagesPage;
    const page = { threadId: id, above: readCursor(cursor, numberKey)?.[0] ?? 0, limit: size + 1 };
    return { ...found, messages: toPage(await queries.messagesOf(db, viewer.id, page), size) };
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

  return { find, add, receive: pictures.receive, some, list, thread, remove, openPicture };
}

export type ImportedThreads = ReturnType<typeof createImportedThreads>;

const placeOf = ({ threadId, number }: { threadId: string; number: number }) =>
  `${threadId} ${number}`;
