import type { Database } from "#server/platform/db/database.ts";
import {
  followersAmong,
  followersUpTo,
  type Pair,
} from "#server/features/talk/live/live.queries.ts";

/** Accounts with a stream in this process. */
type Connected = { has: (accountId: string) => boolean; accounts: () => string[] };

/**
 * Which connected accounts follow which author, found from the smaller side: an author's followers
 * are read and compared in memory where they are fewer than the connected accounts; otherwise the
 * connected accounts are looked up among the followers. So a post of somebody with fifty followers
 * costs the same however many streams are open.
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
