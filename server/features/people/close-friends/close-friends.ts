import { z } from "zod";
import { bind } from "#server/platform/bind.ts";
import { readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/people/close-friends/close-friends.queries.ts";
import { lockPair } from "#server/features/people/follows/follows.queries.ts";
import type { Search } from "#server/features/people/search/search.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Page, Viewer } from "#shared/views.ts";

type Deps = { db: Database; search: Pick<Search, "accounts">; newId?: NewId };

const friendKey = z.tuple([z.int().min(0).max(1), z.string().refine(isId)]);

/**
 * The close friends of a member, whom some posts are for. Nobody but the member learns who they are: nothing
 * is notified, announced or counted.
 */
export const createCloseFriends = (deps: Deps) => bind(deps, { list, count, put, remove });

/**
 * Accounts to choose from: without a query those on the list, newest first, and then the member's other
 * followers; with one, all that a search finds.
 */
async function list(
  { db, search }: Deps,
  viewer: Viewer,
  query: string,
  cursor: string | null,
): Promise<Page<queries.Candidate>> {
  const limit = limits.accountsPage;
  if (!query.trim()) {
    const after = readCursor(cursor, friendKey);
    const page = { accountId: viewer.id, after, limit: limit + 1 };
    return toPage(await queries.candidatesOf(db, page), limit);
  }
  const { items, nextCursor } = await search.accounts(viewer, query, cursor);
  const others = items.filter(({ id }) => id !== viewer.id);
  const close = await queries.friendsAmong(
    db,
    viewer.id,
    others.map(({ id }) => id),
  );
  return {
    items: others.map(({ id, username, name, avatar }) => {
      return { id, username, name, avatar, close: close.has(id) };
    }),
    nextCursor,
  };
}

/** Refuses with not-found, and with close-friends-full. */
async function put(
  { db, newId = freshId }: Deps,
  viewer: Viewer,
  accountId: string,
): Promise<{ close: boolean }> {
  const most = limits.closeFriends;
  return db.transaction(async () => {
    const friendId = isId(accountId)
      ? await lockPair(db, viewer.id, accountId.toLowerCase())
      : null;
    if (friendId === null || friendId === viewer.id) throw refuse("not-found");
    const row = { accountId: viewer.id, friendId, id: newId(), most };
    const there = await queries.insertFriend(db, row);
    if (there === null) throw refuse("not-found");
    if (!there) throw refuse("close-friends-full");
    return { close: true };
  });
}

/** Whoever it is; what they could see only as a close friend is gone at once. */
async function remove(
  { db }: Deps,
  viewer: Viewer,
  accountId: string,
): Promise<{ close: boolean }> {
  if (!isId(accountId)) throw refuse("not-found");
  await db.transaction(async () => {
    db.seenAtOnce();
    await queries.deleteFriend(db, { accountId: viewer.id, friendId: accountId });
  });
  return { close: false };
}

/** How many are on the list. */
const count = ({ db }: Deps, viewer: Viewer) => queries.countFriends(db, viewer.id);
