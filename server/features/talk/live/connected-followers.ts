import type { Database } from "#server/db/database.ts";
import {
  followersAmong,
  followersUpTo,
  type Pair,
} from "#server/features/talk/live/live.queries.ts";

/** The accounts with a stream in this process. */
type Connected = { has: (accountId: string) => boolean; accounts: () => string[] };

/**
 * Which of the accounts that are here are to hear of which author, found from the smaller side: the
 * followers of an author who has fewer than are here are read and compared in memory, those who are here
 * are looked up among the followers of one who has more. So a post of somebody with fifty followers costs
 * the same however many streams are open.
 */
export async function connectedFollowers(
  db: Database,
  authors: readonly string[],
  connected: Connected,
) {
  const accounts = connected.accounts();
  if (authors.length === 0 || accounts.length === 0) return [];
  const pairs: Pair[] = [];
  for (const { authorId, accountId } of await followersUpTo(db, authors, accounts.length)) {
    if (accountId === null) pairs.push(...accounts.map((id) => ({ authorId, accountId: id })));
    else if (connected.has(accountId)) pairs.push({ authorId, accountId });
  }
  return pairs.length === 0 ? [] : followersAmong(db, pairs);
}
