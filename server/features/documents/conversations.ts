import type { Database } from "#server/db/database.ts";
import {
  accountsAt,
  addressesOf,
  ownAddresses,
} from "#server/features/documents/addresses.queries.ts";
import { foldAddress } from "#server/features/documents/intent.ts";
import type { DocumentedChat } from "#shared/documents.inputs.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  /** What two members wrote to one another, oldest first. */
  messagesOf: (
    viewer: Viewer,
    otherId: string,
  ) => Promise<{ senderId: string; text: string; createdAt: number }[]>;
};

/** Conversations as the documented calls name them: by the addresses of their two members. */
export function createConversations({ db, messagesOf }: Deps) {
  /**
   * The caller's conversation with a mutual connection. A chatId is both addresses joined, in
   * either order; what is left without one of the caller's own is the other's. Refuses with
   * not-found, also where more than one conversation fits.
   */
  async function at(viewer: Viewer, chatId: string): Promise<DocumentedChat> {
    const own = await ownAddresses(db, viewer.id);
    const splits = othersIn(foldAddress(chatId), own);
    const known = await accountsAt(
      db,
      viewer.id,
      splits.map(({ other }) => other),
    );
    const fits = known.filter(({ id, followed, follows }) => {
      return id !== viewer.id && followed && follows;
    });
    const [fit] = fits;
    if (!fit || fits.some(({ id }) => id !== fit.id)) throw refuse("not-found");
    const other = (await addressesOf(db, viewer.id, [fit.id])).get(fit.id);
    if (other === undefined) throw refuse("not-found");
    const { callerFirst } = splits[fit.position] as Split;
    const messages = await messagesOf(viewer, fit.id);
    return {
      chatId,
      user1: callerFirst ? viewer.email : other,
      user2: callerFirst ? other : viewer.email,
      messages: messages.map(({ senderId, text, createdAt }) => ({
        from: senderId === viewer.id ? viewer.email : other,
        msg: text,
        time: createdAt,
      })),
    };
  }

  return { at };
}

type Split = { other: string; callerFirst: boolean };

/** What is left of a chatId (lower case) without one of the caller's addresses, at either end. */
function othersIn(chatId: string, own: ReadonlySet<string>): Split[] {
  return [...own].flatMap((address) => [
    ...(chatId.startsWith(address)
      ? [{ other: chatId.slice(address.length), callerFirst: true }]
      : []),
    ...(chatId.endsWith(address)
      ? [{ other: chatId.slice(0, -address.length), callerFirst: false }]
      : []),
  ]);
}
