import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { KeyedRow } from "#server/db/cursors.ts";
import { listOf, probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { noBlock, visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import type { AccountSummary, ProfileView } from "#shared/views.ts";

export type Pair = { followerId: string; followeeId: string };
export type ListedAccount = AccountSummary & { following: boolean };
/** The followee's counts, and the id of the row that came or went, if one did. */
type Counts = ProfileView["counts"] & { changed: string | null };

/** Whether the viewer follows the account of this expression. Primary key of follows. */
export function isFollowing(viewerId: string | null, accountId: RawBuilder<unknown>) {
  return sql<boolean>`coalesce((
    select true from follows
    where follower_id = ${viewerId}::uuid and ${probe("followee_id", accountId)}
  ), false)`;
}

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
    `.compile(db.kysely),
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
  const changed = sql`
    insert into follows (follower_id, followee_id, id)
    select ${followerId}::uuid, ${followeeId}::uuid, ${id}::uuid where ${allowed}
    on conflict do nothing
    returning follower_id, followee_id, id
  `;
  // Whoever was dismissed from the suggestions may be suggested again once the follow has ended.
  const mirrored = sql`
    insert into followers (followee_id, follower_id, id)
    select followee_id, follower_id, id from changed
  ), suggestible as (
    delete from dismissed_suggestions d using changed
    where d.account_id = changed.follower_id and d.dismissed_id = changed.followee_id
  `;
  return (
    (await countChange(db, pair, { name: "follows.insert", changed, mirrored, allowed, by: 1 })) ??
    null
  );
}

/** Removes both rows and counts them off, or nothing when there were none. */
export async function deleteFollow(db: Database, pair: Pair): Promise<Counts> {
  const changed = sql`
    delete from follows
    where follower_id = ${pair.followerId} and followee_id = ${pair.followeeId}
    returning follower_id, followee_id, id
  `;
  const mirrored = sql`
    delete from followers f using changed
    where f.followee_id = changed.followee_id and f.follower_id = changed.follower_id
  `;
  const allowed = sql<SqlBool>`true`;
  const counts = await countChange(db, pair, {
    name: "follows.delete",
    changed,
    mirrored,
    allowed,
    by: -1,
  });
  if (!counts) throw new Error("an account without counters cannot be unfollowed");
  return counts;
}

/** Both rows of counters are locked already, so the snapshot is the latest there is. */
async function countChange(
  db: Database,
  { followerId, followeeId }: Pair,
  change: {
    name: string;
    changed: RawBuilder<unknown>;
    mirrored: RawBuilder<unknown>;
    allowed: RawBuilder<SqlBool>;
    by: 1 | -1;
  },
): Promise<Counts | undefined> {
  const [counts] = await db.prepared<Counts>(
    change.name,
    sql`
    with changed as (${change.changed}),
    mirrored as (${change.mirrored}),
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
  `.compile(db.kysely),
  );
  return counts;
}

type ListPage = { viewerId: string | null; accountId: string; below: string; limit: number };

/** Null when the account is not there to be seen. Index followers_newest. */
export async function followersOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, follower_id as account_id from followers
    where ${listOf("followee_id", sql`owner.id`)} and id < ${page.below}
    order by id desc
  `;
  return listAccounts(db, "follows.followers", entries, page);
}

/** Null when the account is not there to be seen. Index follows_newest. */
export async function followingOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, followee_id as account_id from follows
    where ${listOf("follower_id", sql`owner.id`)} and id < ${page.below}
    order by id desc
  `;
  return listAccounts(db, "follows.following", entries, page);
}

/** One row an account, or one empty row: the list's owner is there, its list is not. */
async function listAccounts(
  db: Database,
  name: string,
  entries: RawBuilder<unknown>,
  { viewerId, accountId, limit }: ListPage,
): Promise<KeyedRow<ListedAccount>[] | null> {
  type Row = KeyedRow<AccountSummary> & { following: boolean };
  const rows = await db.prepared<Row | { key: null }>(
    name,
    sql`
      select
        case when listed.id is not null then json_build_array(listed.id) end as key,
        listed.item,
        listed.following
      from (select a.id from accounts a where a.id = ${accountId} and ${visibleTo(viewerId, "a")}) owner
      left join lateral (
        select
          entry.id,
          ${accountSummary("account")} as item,
          ${isFollowing(viewerId, sql`account.id`)} as following
        from (${entries}) entry
        cross join lateral (
          select * from accounts a where a.id = entry.account_id and ${visibleTo(viewerId, "a")} limit 1
        ) account
        order by entry.id desc
        limit ${limit}
      ) listed on true
      order by listed.id desc
    `.compile(db.kysely),
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) =>
    row.key === null ? [] : [{ key: row.key, item: { ...row.item, following: row.following } }],
  );
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
  const { rows: locked } = await sql<{ id: string }>`
    with batch as materialized (
      select ${other} as id from ${sql.table(side)} where ${own} = ${accountId} limit ${limit}
    )
    select c.account_id as id from account_counters c
    where c.account_id = ${accountId} or c.account_id in (select id from batch)
    order by c.account_id
    for no key update
  `.execute(db.kysely);
  const others = locked.map(({ id }) => id).filter((id) => id !== accountId);
  if (others.length === 0) return 0;
  const { rows } = await sql<{ removed: number }>`
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
  `.execute(db.kysely);
  return rows[0]?.removed ?? 0;
}
