import type { Logger } from "pino";
import type { ImageStore, OpenVariant } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { checkParticipant, checkSeq } from "#server/features/talk/chat/conversations.ts";
import * as queries from "#server/features/talk/chat/message-images.queries.ts";
import type { CountedAttempt } from "#server/features/limits/index.ts";
import {
  findOrphans,
  receive,
  receiveFrom,
  type ReceivedImage,
} from "#server/features/posts/index.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** serves only the two members */
  store: ImageStore;
  log: Pick<Logger, "info" | "warn" | "error">;
  /** as in createImages */
  countFailure?: (accountId: string) => Promise<CountedAttempt>;
};

const imagesAtOnce = 50;
const orphanAfterMs = 60 * 60 * 1000;

/** Images of messages: files of a store of their own, each named by one message. */
export function createMessageImages({ db, store, log, countFailure }: Deps) {
  /** Removes a received image that no message names. */
  async function discard(image: ReceivedImage): Promise<void> {
    await store.remove([image.key]).catch((error: unknown) => {
      log.warn({ err: error }, "an image without a message is left for the sweep");
    });
  }

  /** Removes the files of deleted messages. Call it after the commit. */
  async function removeFiles(keys: readonly string[]): Promise<void> {
    await store.remove(keys).catch((error: unknown) => {
      log.warn({ err: error, keys }, "images of a deleted message are still stored");
    });
  }

  /** One variant of a message's image, for its two members. */
  async function open(
    viewer: Viewer,
    message: { conversationId: string; seq: number },
    width: number,
  ): Promise<OpenVariant | null> {
    await checkParticipant(db, viewer, message.conversationId);
    checkSeq(message.seq);
    const key = await queries.messageImageKey(db, { viewerId: viewer.id, ...message });
    return key === null ? null : store.open(key, width);
  }

  /**
   * Removes all images the account sent or imported, files before rows: when the account is deleted
   * for good.
   */
  async function removeAllOf(accountId: string): Promise<void> {
    for (;;) {
      const keys = await queries.messageImageKeysOf(db, accountId, imagesAtOnce);
      if (keys.length === 0) return;
      await store.remove(keys);
      await queries.deleteImageRows(db, keys);
    }
  }

  /** Removes files that no message names (any more), once they are an hour old. */
  async function sweep(now: Date): Promise<void> {
    const before = new Date(now.getTime() - orphanAfterMs);
    await store.remove(await findOrphans({ store, named: namedBy(db), log }, before));
    await store.clean(before);
  }

  // Both store an image that no message names yet. They refuse as images of posts are refused.
  return {
    receive: (file: { path: string }, sender: string) => receive({ store, log }, file, sender),
    receiveFrom: (accountId: string, file: { path: string }) =>
      receiveFrom({ store, log, ...(countFailure && { countFailure }) }, accountId, file),
    discard,
    removeFiles,
    open,
    removeAllOf,
    sweep,
  };
}

function namedBy(db: Database) {
  return (keys: readonly string[]) => queries.messageImageKeysInUse(db, keys);
}

export type MessageImages = ReturnType<typeof createMessageImages>;
