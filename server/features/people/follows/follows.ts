import type { Logger } from "pino";
import {
  idBelow,
  lowestId,
  toPage,
  toRangePage,
  type IdRange,
  type RangePage,
} from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import type { Publish } from "#server/db/hints.ts";
import { isId, newId as freshId, type NewId } from "#server/db/ids.ts";
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
  writes?: Pick<WriteRates, "count" | "inStatement">;
  publish: Publish;
  log?: Pick<Logger, "warn">;
  newId?: NewId;
};
type Followed = { following: boolean; counts: ProfileView["counts"] };

/** Who follows whom. Both sides of a follow and both counters change together or not at all. */
export function createFollows({ db, notifications, writes, publish, log, newId = freshId }: Deps) {
  /**
   * Answers the followee's counts; following somebody again changes nothing. One statement where nobody else
   * changes the two at that moment, no browser of theirs is to be rung and the limit an hour is not reached;
   * else a transaction.
   */
  async function follow(viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
    const at = accountAt(viewer, account);
    const row = { followerId: viewer.id, id: newId() };
    const counting = writes?.inStatement(viewer, "follows") ?? null;
    const done = alone(
      viewer,
      await queries.followAlone(db, { ...row, at }, notifications.inStatement, counting),
      row.id,
    );
    if (done.counts) return { following: true, counts: done.counts };
    const { pair } = done;
    return db.transaction(async () => {
      if (!(await queries.lockPair(db, pair))) throw refuse("not-found");
      const id = newId();
      const followed = await queries.insertFollow(db, { ...pair, id });
      if (!followed) throw refuse("not-found");
      const { changed, ...counts } = followed;
      if (changed) {
        await writes?.count(viewer, "follows");
        await notifications.notify.followed(pair.followerId, pair.followeeId, id);
        tell(pair);
      }
      return { following: true, counts };
    });
  }

  /**
   * Follows whom a new member came for. Never throws: who came is here, whoever that was meanwhile
   * (gone, suspended, themselves), and can press Follow.
   */
  async function followOnArrival(viewer: Viewer, accountId: string): Promise<void> {
    await follow(viewer, accountId).catch((error: unknown) => {
      if (!isRefusal(error)) log?.warn({ err: error }, "a new member does not follow yet");
    });
  }

  async function unfollow(viewer: Viewer, account: queries.AccountAt): Promise<Followed> {
    const at = accountAt(viewer, account);
    const row = { followerId: viewer.id, at };
    const done = alone(viewer, await queries.unfollowAlone(db, row, notifications.inStatement));
    if (done.counts) return { following: false, counts: done.counts };
    const { pair } = done;
    return db.transaction(async () => {
      if (!(await queries.lockPair(db, pair))) throw refuse("not-found");
      const { changed, ...counts } = await queries.deleteFollow(db, pair);
      if (changed) {
        await notifications.retract.act(pair.followeeId, changed);
        tell(pair);
      }
      return { following: false, counts };
    });
  }

  /** What one statement did; no counts: nothing, and it needs a transaction. */
  function alone(
    viewer: Viewer,
    done: Awaited<ReturnType<typeof queries.followAlone>>,
    /** the follow that came, if one may */
    actId?: string,
  ) {
    if (!done) throw refuse("not-found");
    const { followeeId, posts, photos, followers, following, changed, told } = done;
    if (followeeId === viewer.id) throw refuse("self-follow");
    const pair = { followerId: viewer.id, followeeId };
    if (!done.alone) return { pair, counts: null };
    if (changed) tell(pair);
    if (told) notifications.inStatement.told(followeeId, actId);
    return { pair, counts: { posts, photos, followers, following } };
  }

  /** Both: whoever has the thread of the two open can write there from now on, or no more. */
  function tell({ followerId, followeeId }: queries.Pair): void {
    publish({ kind: "follow", accountId: followeeId, otherId: followerId });
    publish({ kind: "follow", accountId: followerId, otherId: followeeId });
  }

  /** Latest first. */
  async function followers(viewer: Viewer | null, accountId: string, cursor: string | null) {
    return list(lists.followersOf, viewer, accountId, cursor);
  }

  /** Latest first. */
  async function following(viewer: Viewer | null, accountId: string, cursor: string | null) {
    return list(lists.followingOf, viewer, accountId, cursor);
  }

  async function list(
    read: typeof lists.followersOf,
    viewer: Viewer | null,
    accountId: string,
    cursor: string | null,
  ): Promise<Page<lists.ListedAccount>> {
    const size = limits.accountsPage;
    const range = { below: idBelow(cursor), above: lowestId, upward: false, limit: size };
    return toPage(await rowsOf(read, viewer, accountId, range), size);
  }

  /** Either list between two ids of its own. */
  async function between(
    viewer: Viewer | null,
    which: "followers" | "following",
    accountId: string,
    range: IdRange,
  ): Promise<RangePage<lists.ListedAccount>> {
    const read = which === "followers" ? lists.followersOf : lists.followingOf;
    const rows = await rowsOf(read, viewer, accountId, range);
    return toRangePage(
      rows.map(({ key: [id], item }) => ({ id: String(id), item })),
      range,
    );
  }

  /** One more than are asked for. */
  async function rowsOf(
    read: typeof lists.followersOf,
    viewer: Viewer | null,
    accountId: string,
    range: IdRange,
  ) {
    if (!isId(accountId)) throw refuse("not-found");
    const page = { ...range, viewerId: viewer?.id ?? null, accountId, limit: range.limit + 1 };
    const rows = await read(db, page);
    if (!rows) throw refuse("not-found");
    return rows;
  }

  /** Of an account that is deleted: whom it follows, and who follows it. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: rowsAtOnce };
    for (const side of ["follows", "followers"] as const) {
      await inBatches(db, afterBatch, () => queries.removeFollows(db, side, batch));
    }
  }

  return { follow, followOnArrival, unfollow, followers, following, between, removeAllOf };
}

export type Follows = ReturnType<typeof createFollows>;

function accountAt(viewer: Viewer, account: queries.AccountAt): queries.AccountAt {
  if (typeof account !== "string") return account;
  if (!isId(account)) throw refuse("not-found");
  const id = account.toLowerCase();
  if (id === viewer.id) throw refuse("self-follow");
  return id;
}
