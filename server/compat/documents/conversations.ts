import type { Database } from "#server/platform/db/database.ts";
import type { createChat } from "#server/features/talk/index.ts";
import { ownAddresses } from "#server/features/people/index.ts";
import { addressesOf } from "#server/compat/documents/addresses.queries.ts";
import { foldAddress } from "#server/compat/documents/intent.ts";
import type { DocumentedChat } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = { db: Database; chat: Pick<ReturnType<typeof createChat>, "whole"> };

/** A list inside a document has at most so many of the newest. */
const mostMessages = 1000;

/** Conversations of the documented calls, named by the addresses of their two members. */
export function createConversations({ db, chat }: Deps) {
  /**
   * The caller's conversation with somebody: a mutual connection, or a former one. A chatId is both
   * addresses joined, in either order; what is left without one of the caller's own is the other's.
   * Refuses with not-found, also where more than one conversation fits. A message with only a photo
   * has no text.
   */
  async function at(viewer: Viewer, chatId: string): Promise<DocumentedChat> {
    const { other, messages } = await chat.whole(viewer, chatId, mostMessages);
    const address = (await addressesOf(db, viewer.id, [other.id])).get(other.id);
    if (address === undefined) throw refuse("not-found");
    const folded = foldAddress(chatId);
    const own = await ownAddresses(db, viewer.id);
    const callerFirst = [...own].some((name) => folded.startsWith(name));
    return {
      chatId,
      user1: callerFirst ? viewer.email : address,
      user2: callerFirst ? address : viewer.email,
      messages: messages.map(({ senderId, body, createdAt }) => ({
        from: senderId === viewer.id ? viewer.email : address,
        msg: body,
        time: createdAt,
      })),
    };
  }

  return { at };
}
