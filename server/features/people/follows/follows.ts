import type { Logger } from "pino";
import {
  rangeBelow,
  toPage,
  toRangePage,
  type IdRange,
  type RangePage,
} from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/people/follows/follows.queries.ts";
import * as lists from "#server/features/people/follows/lists.queries.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import type { Notifier } from "#server/features/types.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Page, ProfileView, Viewer } from "#shared/views.ts";

/** What follows need of the notifications feature. */
type Deps = {
  db: Database;
  notifications: Notifier;
  writes?: Pick<WriteRates, "count">;
  publish: Publish;
  log?: Pick<Logger, "warn">;
  newId?: NewId;
};
type Counts = ProfileView["counts"];
type Followed = { following: boolean; counts: Counts };

/** Follows. Both sides of a follow and both counters change together or not at all. */
export function createFollows(deps: Deps) {
  const { db, log } = deps;
  return {
    follow: (viewer: Viewer, account: queries.AccountAt) => follow(deps, viewer, account),
    unfollow: (viewer: Viewer, account: queries.AccountAt) => unfollow(deps, viewer, account),

    /**
     * Follows the account that a new member came for. Never throws: the member has signed up,
     * whatever that account is meanwhile (deleted, suspended, their own), and can press Follow.
     */
    followOnArrival: async (viewer: Viewer, accountId: string): Promise<void> => {
      await follow(deps, viewer, accountId).catch((error: unknown) => {
        if (!isRefusal(error)) log?.warn({ err: error }, "a new member does not follow yet");
      });
    },

    ...listsOf(db),

    /** Removes all follows of a deleted account, in both directions. */
    removeAllOf: async (accountId: string, afterBatch: AfterBatch): Promise<void> => {
      const batch = { accountId, limit: rowsAtOnce };
      for (const side of ["follows", "followers"] as const) {
        await inBatches(db, afterBatch, () => queries.removeFollows(db, side, batch));
      }
    },
  };
}

/** Answers the followee's counts; following somebody again changes nothing. */
async function follow(deps: Deps, viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
  const { db, notifications, writes, newId = freshId } = deps;
  const at = accountAt(viewer, account);
  return db.transaction(async () => {
    const pair = await lockPair(db, viewer, at);
    const id = newId();
    const followed = await queries.insertFollow(db, { ...pair, id });
    if (!followed) throw refuse("not-found");
    if (followed.changed) {
      await writes?.count(viewer, "follows");
      await notifications.notify.followed(pair.followerId, pair.followeeId, id);
      notify(deps, pair);
    }
    return { following: true, counts: countsAfter(followed, 1) };
  });
}

async function unfollow(deps: Deps, viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
  const { db, notifications } = deps;
  const at = accountAt(viewer, account);
  return db.transaction(async () => {
    const pair = await lockPair(db, viewer, at);
    const unfollowed = await queries.deleteFollow(db, pair);
    if (!unfollowed) throw refuse("not-found");
    if (unfollowed.changed) {
      await notifications.retract.act(pair.followeeId, unfollowed.changed);
      notify(deps, pair);
    }
    return { following: false, counts: countsAfter(unfollowed, -1) };
  });
}

/** Refuses accounts that may not be seen, and oneself. */
async function lockPair(db: Database, viewer: Viewer, at: queries.AccountAt) {
  const followeeId = await queries.lockPair(db, viewer.id, at);
  if (followeeId === null) throw refuse("not-found");
  if (followeeId === viewer.id) throw refuse("self-follow");
  return { followerId: viewer.id, followeeId };
}

/** To both: an open conversation of the two can be written in from now on, or not any more. */
function notify({ publish }: Deps, { followerId, followeeId }: queries.Pair): void {
  publish({ kind: "follow", accountId: followeeId, otherId: followerId });
  publish({ kind: "follow", accountId: followerId, otherId: followeeId });
}

/** Latest first. */
function listsOf(db: Database) {
  type Read = typeof lists.followersOf;

  /** One more than requested. */
  async function rowsOf(read: Read, viewer: Viewer | null, accountId: string, range: IdRange) {
    if (!isId(accountId)) throw refuse("not-found");
    const page = { ...range, viewerId: viewer?.id ?? null, accountId, limit: range.limit + 1 };
    const rows = await read(db, page);
    if (!rows) throw refuse("not-found");
    return rows;
  }

  const listBy =
    (read: Read) =>
    async (
      viewer: Viewer | null,
      accountId: string,
      cursor: string | null,
    ): Promise<Page<lists.ListedAccount>> => {
      const size = limits.accountsPage;
      return toPage(await rowsOf(read, viewer, accountId, rangeBelow(cursor, size)), size);
    };

  return {
    followers: listBy(lists.followersOf),
    following: listBy(lists.followingOf),
    /** Either list between two ids of its own. */
    between: async (
      viewer: Viewer | null,
      which: "followers" | "following",
      accountId: string,
      range: IdRange,
    ): Promise<RangePage<lists.ListedAccount>> => {
      const read = which === "followers" ? lists.followersOf : lists.followingOf;
      return toRangePage(await rowsOf(read, viewer, accountId, range), range);
    },
  };
}

export type Follows = ReturnType<typeof createFollows>;

/** Of the followee, whose counts these were before. */
function countsAfter(
  { changed, posts, photos, followers, following }: Counts & { changed: string | null },
  by: 1 | -1,
): Counts {
  return { posts, photos, followers: changed ? followers + by : followers, following };
}

function accountAt(viewer: Viewer, account: queries.AccountAt): queries.AccountAt {
  if (typeof account !== "string") return account;
  if (!isId(account)) throw refuse("not-found");
  const id = account.toLowerCase();
  if (id === viewer.id) throw refuse("self-follow");
  return id;
}
