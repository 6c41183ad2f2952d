import type { Logger } from "pino";
import { bind } from "#server/platform/bind.ts";
import { listOfIds, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import { inBatches, rowsAtOnce, type AfterBatch } from "#server/features/in-batches.ts";
import * as queries from "#server/features/people/follows/follows.queries.ts";
import * as lists from "#server/features/people/follows/lists.queries.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import type { Notifier } from "#server/features/types.ts";
import { found, isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { ProfileView, Viewer } from "#shared/views.ts";

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
/** `requested`: the account is private and was asked. The counts are its own, as the member sees them. */
type Followed = { following: boolean; requested: boolean; counts: Counts };

/** Follows. Both sides of a follow and both counters change together or not at all. */
export function createFollows(deps: Deps) {
  const { db, log } = deps;
  return {
    ...bind(deps, { follow, unfollow, removeFollower }),

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

/** Follows, or asks a private account; following or asking again changes nothing. */
async function follow(deps: Deps, viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
  const { db, notifications, writes, newId = freshId } = deps;
  const at = accountAt(viewer, account);
  return db.transaction(async () => {
    const pair = await lockPair(db, viewer, at);
    const id = newId();
    const followed = await queries.insertFollow(db, { ...pair, id });
    if (!followed) return ask(deps, viewer, { ...pair, id });
    if (followed.changed) {
      await writes?.count(viewer, "follows");
      await notifications.notify.followed(pair.followerId, pair.followeeId, id);
      hintFollow(deps, pair);
    }
    await retractRequest(deps, pair, followed);
    return { following: true, requested: false, counts: countsAfter(followed, 1) };
  });
}

/** Joins the transaction of `follow`, with its locks. */
async function ask(
  { db, notifications, writes }: Deps,
  viewer: Viewer,
  request: queries.Pair & { id: string },
): Promise<Followed> {
  const requested = found(await queries.insertRequest(db, request));
  const { asked, ...counts } = requested;
  if (asked) {
    await writes?.count(viewer, "follows");
    await notifications.notify.requested(request.followerId, request.followeeId, request.id);
  }
  return { following: false, requested: true, counts };
}

/** Stops following, or withdraws the request. */
async function unfollow(deps: Deps, viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
  const { db } = deps;
  const at = accountAt(viewer, account);
  return db.transaction(async () => {
    db.seenAtOnce();
    const pair = await lockPair(db, viewer, at);
    const unfollowed = found(await queries.deleteFollow(db, pair));
    await ended(deps, pair, unfollowed);
    return { following: false, requested: false, counts: countsAfter(unfollowed, -1) };
  });
}

/**
 * Ends the follow of the viewer by another account, which learns nothing of it and sees at once what others
 * do; it is no close friend, either. Who does not follow is removed all the same.
 */
async function removeFollower(
  deps: Deps,
  viewer: Viewer,
  account: queries.AccountAt,
): Promise<{ follower: boolean }> {
  const { db } = deps;
  const at = accountAt(viewer, account);
  return db.transaction(async () => {
    db.seenAtOnce();
    const { followeeId: followerId } = await lockPair(db, viewer, at);
    const pair = { followerId, followeeId: viewer.id };
    const removed = found(await queries.deleteFollower(db, pair));
    await ended(deps, pair, removed);
    return { follower: false };
  });
}

type Ended = { changed: string | null; request: string | null };

async function ended(deps: Deps, pair: queries.Pair, { changed, request }: Ended): Promise<void> {
  if (changed) {
    await deps.notifications.retract.act(pair.followeeId, changed);
    hintFollow(deps, pair);
  }
  await retractRequest(deps, pair, { request });
}

async function retractRequest(
  { notifications }: Deps,
  { followeeId }: queries.Pair,
  { request }: Pick<Ended, "request">,
): Promise<void> {
  if (request) await notifications.retract.act(followeeId, request);
}

/** Refuses accounts that may not be seen, and oneself. */
async function lockPair(db: Database, viewer: Viewer, at: queries.AccountAt) {
  const followeeId = await queries.lockPair(db, viewer.id, at);
  if (followeeId === null) throw refuse("not-found");
  if (followeeId === viewer.id) throw refuse("self-follow");
  return { followerId: viewer.id, followeeId };
}

/** To both: an open conversation of the two can be written in from now on, or not any more. */
export function hintFollow(
  { publish }: Pick<Deps, "publish">,
  { followerId, followeeId }: queries.Pair,
): void {
  publish({ kind: "follow", accountId: followeeId, otherId: followerId });
  publish({ kind: "follow", accountId: followerId, otherId: followeeId });
}

/** Latest first. */
function listsOf(db: Database) {
  const reads = { followers: lists.followersOf, following: lists.followingOf };
  const listAt = (which: keyof typeof reads, viewer: Viewer | null, accountId: string) =>
    listOfIds(limits.accountsPage, async (range) => {
      if (!isId(accountId)) throw refuse("not-found");
      const page = { ...range, viewerId: viewer?.id ?? null, accountId };
      return found(await reads[which](db, page));
    });
  const listBy =
    (which: keyof typeof reads) =>
    (viewer: Viewer | null, accountId: string, cursor: string | null) =>
      listAt(which, viewer, accountId).page(cursor);
  return {
    followers: listBy("followers"),
    following: listBy("following"),
    /** Either list between two ids of its own. */
    between: (
      viewer: Viewer | null,
      which: keyof typeof reads,
      accountId: string,
      range: IdRange,
    ) => listAt(which, viewer, accountId).between(range),
  };
}

export type Follows = ReturnType<typeof createFollows>;

/** Of the followee, whose counts of follows these were before. */
function countsAfter(
  { changed, posts, photos, followers, following }: Counts & Pick<Ended, "changed">,
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
