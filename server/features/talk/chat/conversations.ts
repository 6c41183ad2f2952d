import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { allowLookups, mayLookUp, ownAddresses } from "#server/features/people/index.ts";
import { otherAddresses } from "#server/features/talk/chat/chat-ids.ts";
import * as queries from "#server/features/talk/chat/conversations.queries.ts";
import { aboveEveryMessage } from "#shared/chat.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** The one other member that a chatId can mean for this caller; refuses with not-found. */
export async function partyAt(db: Database, viewer: Viewer, chatId: string) {
  const own = await ownAddresses(db, viewer.id);
  const addresses = otherAddresses(chatId, [...own]);
  // Where it contains a former username of the caller, the whole was counted.
  if (mayLookUp(chatId.toLowerCase())) allowLookups(addresses);
  const [party, another] = await queries.partiesAt(db, viewer.id, addresses);
  if (!party || another) throw refuse("not-found");
  return party;
}

/** The other member of the caller's own conversation; refuses with not-found. */
export async function partyIn(db: Database, viewer: Viewer, conversationId: string) {
  return found(isId(conversationId) ? await queries.partyIn(db, viewer.id, conversationId) : null);
}

/**
 * The member that a chatId means and the conversation with them, if any; refuses with not-found.
 * The conversation's own id names it too: notifications know no addresses, and where the other
 * member is gone there are none.
 */
export async function conversationAt(db: Database, viewer: Viewer, chatId: string) {
  return isId(chatId) ? partyIn(db, viewer, chatId) : partyAt(db, viewer, chatId);
}

/**
 * Refuses with not-found everybody but the two members, and those two while one may not be seen.
 */
export async function checkParticipant(db: Database, viewer: Viewer, conversationId: string) {
  if (!isId(conversationId)) throw refuse("not-found");
  return found(await queries.findMembership(db, viewer.id, conversationId));
}

export function checkSeq(seq: number): void {
  if (!Number.isInteger(seq) || seq < 1 || seq > aboveEveryMessage) throw refuse("not-found");
}
