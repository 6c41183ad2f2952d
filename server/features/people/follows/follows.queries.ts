import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import type { CountedInStatement } from "#server/features/limits/index.ts";
import { accountIdAt } from "#server/features/people/accounts/address.queries.ts";
import { noBlock, visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import type { Notifier } from "#server/features/types.ts";
import type { ProfileView } from "#shared/views.ts";

export type Pair = { followerId: string; followeeId: string };
/** The followee's counts, and the id of the row that came or went, if one did. */
type Counts = ProfileView["counts"] & { changed: string | null };
/** Whom that was, and whether they were told; not `alone`: nothing changed. */
type ChangedAt = Counts & { followeeId: string; told: boolean; alone: boolean };

/** An account by its id, or by its place in a URL. */
export type AccountAt = string | { address: string };

/** What tells the followee, as parts of the statement that follows them. */
type Telling = Pick<Notifier["inStatement"], "followed" | "unfollowed" | "ringsNowhere">;

/**
 * Locks the counters of both, the smaller id first: two people who follow each other at once wait
 * for one another instead of deadlocking. False when the followee is not there to be seen.
 */
export async function lockPair(db: Database, { followerId, followeeId }: Pair): Promise<boolean> {
  const rows = await db.prepared<{ account_id: string; visible: boolean }>(
    "follows.lock",
    sql`
      select c.account_id, ${visibleTo(followerId, "a")} as visible
      from account_counters c
      join accounts a on a.id = c.account_id
      where c.account_id in (${followerId}, ${followeeId})
      order by c.account_id
      for no key update of c
    `,
  );
  return rows.some(({ account_id, visible }) => account_id === followeeId && visible);
}

/**
 * Writes both rows and both counters, or nothing when they were there; answers the followee's, null
 * when a block stands between the two: one that was made while this waited for its lock, too.
 */
export async function insertFollow(
  db: Database,
  pair: Pair & { id: string },
): Promise<Counts | null> {
  const { followerId, followeeId, id } = pair;
  const allowed = noBlock(sql`${followerId}::uuid`, sql`${followeeId}::uuid`);
  const written = followParts(sql`
    select ${followerId}::uuid, ${followeeId}::uuid, ${id}::uuid where ${allowed}
  `);
  const change = { name: "follows.insert", written, allowed, by: 1 };
  return (await countChange(db, pair, change)) ?? null;
}

/** Removes both rows and counts them off, or nothing when there were none. */
export async function deleteFollow(db: Database, pair: Pair): Promise<Counts> {
  const written = unfollowParts(pair.followerId, sql`${pair.followeeId}`);
  const allowed = sql`true`;
  const counts = await countChange(db, pair, { name: "follows.delete", written, allowed, by: -1 });
  if (!counts) throw new Error("an account without counters cannot be unfollowed");
  return counts;
}

/** Both rows of what `rows` selects; `changed` is what came. */
function followParts(rows: Sql): Sql {
  // Whoever was dismissed from the suggestions may be suggested again once the follow has ended.
  return sql`
    changed as (
      insert into follows (follower_id, followee_id, id)
      ${rows}
      on conflict do nothing
      returning follower_id, followee_id, id
    ),
    mirrored as (
      insert into followers (followee_id, follower_id, id)
      select followee_id, follower_id, id from changed
    ),
    suggestible as (
      delete from dismissed_suggestions d using changed
      where d.account_id = changed.follower_id and d.dismissed_id = changed.followee_id
    )
  `;
}

/** The same for a follow that ends. */
function unfollowParts(followerId: string, followeeId: Sql): Sql {
  return sql`
    changed as (
      delete from follows where follower_id = ${followerId} and followee_id = ${followeeId}
      returning follower_id, followee_id, id
    ),
    mirrored as (
      delete from followers f using changed
      where f.followee_id = changed.followee_id and f.follower_id = changed.follower_id
    )
  `;
}

/** Both rows of counters are locked already, so the snapshot is the latest there is. */
async function countChange(
  db: Database,
  { followerId, followeeId }: Pair,
  change: {
    name: string;
    written: Sql;
    allowed: Sql;
    by: number;
  },
): Promise<Counts | undefined> {
  const [counts] = await db.prepared<Counts>(
    change.name,
    sql`
    with ${change.written},
    counted as (
      update account_counters
      set
        followers = followers + case when account_id = ${followeeId} then ${sql.lit(change.by)} else 0 end,
        following = following + case when account_id = ${followerId} then ${sql.lit(change.by)} else 0 end
      where account_id in (${followerId}, ${followeeId}) and exists (select from changed)
      returning account_id, posts, photos, followers, following
    )
    select posts, photos, followers, following, (select id from changed) as changed
    from counted where account_id = ${followeeId}
    union all
    select posts, photos, followers, following, null from account_counters
    where account_id = ${followeeId} and not exists (select from changed) and ${change.allowed}
  `,
  );
  return counts;
}

/**
 * Finds whom to follow, locks both counters, writes both rows, counts them, also against the limit an hour, and
 * tells the followee, in one statement, which is a transaction of its own; null when nobody is there to be seen.
 * As likeAlone it waits for nobody: where another holds either counter or changed it since, where a browser is
 * to be rung or the limit is reached, nothing changes, and `alone` is false. Blocks change both, too.
 */
export async function followAlone(
  db: Database,
  follow: { at: AccountAt; followerId: string; id: string },
  { followed, ringsNowhere }: Telling,
  counting: CountedInStatement | null,
): Promise<ChangedAt | null> {
  const { followerId, id } = follow;
  return changeAlone(db, follow, {
    name: counting ? "follows.follow-counted" : "follows.follow",
    written: followParts(sql`select ${followerId}::uuid, id, ${id}::uuid from locked`),
    rated: counting?.rated ?? sql``,
    telling: followed(followerId),
    may: sql`${ringsNowhere(sql.ref("found.id"))} and ${counting?.room ?? sql`true`}`,
    by: 1,
  });
}

/** The same for a follow that ends. */
export async function unfollowAlone(
  db: Database,
  follow: { at: AccountAt; followerId: string },
  { unfollowed }: Telling,
): Promise<ChangedAt | null> {
  return changeAlone(db, follow, {
    name: "follows.unfollow",
    written: unfollowParts(follow.followerId, sql`(select id from locked)`),
    rated: sql``,
    telling: unfollowed(),
    may: sql`true`,
    by: -1,
  });
}

async function changeAlone(
  db: Database,
  { at, followerId }: { at: AccountAt; followerId: string },
  change: {
    name: string;
    written: Sql;
    rated: Sql;
    telling: Sql;
    may: Sql;
    by: number;
  },
): Promise<ChangedAt | null> {
  const { written, rated, telling, may, by } = change;
  const byId = typeof at === "string";
  const [row] = await db.prepared<ChangedAt>(
    byId ? `${change.name}-by-id` : change.name,
    sql`
    with found as materialized (
      select a.id from accounts a
      where a.id = ${byId ? at : accountIdAt(db, at.address, followerId)}
        and ${visibleTo(followerId, "a")}
    ),
    pair as materialized (
      select c.account_id, c.xmin from account_counters c
      where c.account_id = any(array[${followerId}::uuid, (select id from found)])
    ),
    held as materialized (
      select c.account_id, c.posts, c.photos, c.followers, c.following, c.xmin = pair.xmin as alone
      from pair
      join account_counters c on c.account_id = pair.account_id
      order by c.account_id
      for no key update of c skip locked
    ),
    locked as materialized (
      select id from found where (select count(*) from held where alone) = 2 and ${may}
    ),
    ${written},
    counted as (
      update account_counters c
      set
        followers = c.followers + case when c.account_id = ${followerId} then 0 else ${sql.lit(by)} end,
        following = c.following + case when c.account_id = ${followerId} then ${sql.lit(by)} else 0 end
      where c.account_id = any(array[
        (select follower_id from changed), (select followee_id from changed)
      ])
      returning c.account_id, c.posts, c.photos, c.followers, c.following
    ),
    ${rated}
    ${telling}
    select
      found.id as "followeeId", exists (select from locked) as alone,
      coalesce(counted.posts, held.posts) as posts, coalesce(counted.photos, held.photos) as photos,
      coalesce(counted.followers, held.followers) as followers,
      coalesce(counted.following, held.following) as following,
      (select id from changed) as changed, exists (select from gathered) as told
    from found
    left join held on held.account_id = found.id
    left join counted on counted.account_id = found.id
  `,
  );
  return row ?? null;
}

/** Whom the account follows ("follows") or who follows it ("followers"): both halves at once. */
export async function removeFollows(
  db: Database,
  side: "follows" | "followers",
  { accountId, limit }: Batch,
): Promise<number> {
  const own = sql.ref(side === "follows" ? "follower_id" : "followee_id");
  const other = sql.ref(side === "follows" ? "followee_id" : "follower_id");
  const mirror = sql.table(side === "follows" ? "followers" : "follows");
  const ownCounter = sql.ref(side === "follows" ? "following" : "followers");
  const otherCounter = sql.ref(side === "follows" ? "followers" : "following");
  const locked = await db.query<{ id: string }>(sql`
    with batch as materialized (
      select ${other} as id from ${sql.table(side)} where ${own} = ${accountId} limit ${limit}
    )
    select c.account_id as id from account_counters c
    where c.account_id = ${accountId} or c.account_id in (select id from batch)
    order by c.account_id
    for no key update
  `);
  const others = locked.map(({ id }) => id).filter((id) => id !== accountId);
  if (others.length === 0) return 0;
  const rows = await db.query<{ removed: number }>(sql`
    with removed as (
      delete from ${sql.table(side)}
      where ${own} = ${accountId} and ${other} = any(${others}::uuid[])
      returning ${other} as id
    ), mirrored as (
      -- their counters are locked: whoever stands in one table stands in the other
      delete from ${mirror}
      where ${own} = ${accountId} and ${other} = any(${others}::uuid[])
    ), counted as (
      update account_counters c set ${otherCounter} = c.${otherCounter} - 1
      from removed where c.account_id = removed.id
    ), own as (
      update account_counters set ${ownCounter} = ${ownCounter} - (select count(*) from removed)
      where account_id = ${accountId}
    )
    select count(*)::integer as removed from removed
  `);
  return rows[0]?.removed ?? 0;
}
