import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { deleteEdge, insertEdge, type Edge } from "#server/features/counted-edges.queries.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { accountIdAt } from "#server/features/people/accounts/address.queries.ts";
import {
  isFollowing,
  noBlock,
  visiblePostCounts,
  visibleTo,
} from "#server/features/people/accounts/visibility.queries.ts";
import type { ProfileView } from "#shared/views.ts";

export type Pair = { followerId: string; followeeId: string };
/**
 * The followee's counts, of posts as the follower sees them from now on and of follows as they were; the ids
 * of the follow that was added or removed and of the request that was waiting until now, if any.
 */
type Change = ProfileView["counts"] & { changed: string | null; request: string | null };

/** An account by its id, or by its address in a URL. */
export type AccountAt = string | { address: string };

const edge: Edge = {
  table: "follows",
  key: ["follower_id", "followee_id"],
  counters: [
    { table: "account_counters", column: "followers", at: { account_id: "followee_id" } },
    { table: "account_counters", column: "following", at: { account_id: "follower_id" } },
  ],
};

/**
 * Locks the counters of both, the smaller id first: two people who follow each other at once wait
 * for one another instead of deadlocking. Answers the other account; null when it may not be seen.
 */
export async function lockPair(db: Database, followerId: string, at: AccountAt) {
  const byId = typeof at === "string";
  return db.value<string>(sql.named(byId ? "follows.lock-by-id" : "follows.lock")`
    with found as materialized (
      select a.id from accounts a
      where a.id = ${byId ? at : accountIdAt(db, at.address, followerId)}
        and ${visibleTo(followerId, "a")}
    ),
    locked as (
      select c.account_id from account_counters c
      where c.account_id = any(array[${followerId}::uuid, (select id from found)])
      order by c.account_id
      for no key update
    )
    -- counted, so that both are locked
    select found.id from found cross join (select count(*) from locked) pair
  `);
}

/**
 * Writes both rows and both counters, or nothing when they were there; a request that waited is answered by
 * it. Null when the followee is private and not followed yet, or there is a block between the two, also one
 * that was made while this waited for the counters, which are locked already.
 */
export async function insertFollow(
  db: Database,
  { id, ...pair }: Pair & { id: string },
): Promise<Change | null> {
  // An account dismissed from the suggestions may be suggested again once the follow has ended.
  const along = sql`
    mirrored as (
      insert into followers (followee_id, follower_id, id)
      select followee_id, follower_id, id from changed
    ),
    suggestible as (
      delete from dismissed_suggestions d using changed
      where d.account_id = changed.follower_id and d.dismissed_id = changed.followee_id
    ),
    ${answered}
  `;
  const mayFollow = sql`(a.private_at is null or ${isFollowing(pair.followerId, sql`a.id`)})`;
  const held = sql`${followee(pair, sql.lit(true))} and ${mayFollow}`;
  return insertEdge(db, { edge, id, name: "follows.insert", held, along });
}

/**
 * Removes both rows and lowers both counters, or nothing when there were none; withdraws a request. The
 * counters are locked already.
 */
export async function deleteFollow(db: Database, pair: Pair): Promise<Change | null> {
  return deleteEdge(db, {
    edge,
    name: "follows.delete",
    held: followee(pair, sql.lit(false)),
    along: sql`${mirrorDeleted}, ${answered}`,
  });
}

/**
 * The same by the followee, whose close friend the follower is no longer, either. The counters are locked
 * already.
 */
export async function deleteFollower(db: Database, pair: Pair): Promise<Change | null> {
  const along = sql`
    ${mirrorDeleted},
    ${answered},
    no_friend as (
      delete from close_friends c using held
      where c.account_id = held.followee_id and c.friend_id = held.follower_id
    )
  `;
  const held = followee(pair, sql.lit(false));
  return deleteEdge(db, { edge, name: "follows.remove-follower", held, along });
}

/**
 * Asks a private account, or changes nothing where that was done before: `asked` says which. Null where the
 * two may not follow. The counters are locked already.
 */
export const insertRequest = (db: Database, { id, ...pair }: Pair & { id: string }) =>
  db.first<ProfileView["counts"] & { asked: boolean }>(sql.named("follows.ask")`
    with held as materialized (${followee(pair)} and a.private_at is not null),
    asked as (
      insert into follow_requests (account_id, requester_id, id)
      select followee_id, follower_id, ${id}::uuid from held
      on conflict do nothing
      returning id
    )
    select posts, photos, followers, following, exists (select from asked) as asked from held
  `);

/** Of the deleted follow. */
const mirrorDeleted = sql`
  mirrored as (
    delete from followers f using changed
    where f.followee_id = changed.followee_id and f.follower_id = changed.follower_id
  )
`;

/** The request of `held` waits no longer. */
const answered = sql`
  answered as (
    delete from follow_requests r using held
    where r.account_id = held.followee_id and r.requester_id = held.follower_id
  )
`;

/**
 * The pair with what is known of the followee, where no block is between the two. `followed`: whether the
 * follower follows it once the statement is done; as it is unless given.
 */
function followee(pair: Pair, followed?: Sql): Sql {
  const { followerId, followeeId } = pair;
  return sql`
    select ${followerId}::uuid as follower_id, a.id as followee_id,
      seen.posts, seen.photos, c.followers, c.following,
      (
        select id from follow_requests
        where account_id = a.id and requester_id = ${followerId} limit 1
      ) as request
    from accounts a
    join account_counters c on c.account_id = a.id
    cross join lateral (${visiblePostCounts(followerId, "a", "c", followed)}) seen
    where a.id = ${followeeId} and ${noBlock(sql`${followerId}::uuid`, sql`a.id`)}
  `;
}

/**
 * The accounts that the account follows ("follows") or its followers ("followers"): both rows at
 * once.
 */
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
  return db.scalar<number>(sql`
    with removed as (
      delete from ${sql.table(side)}
      where ${own} = ${accountId} and ${other} = any(${others}::uuid[])
      returning ${other} as id
    ), mirrored as (
      -- their counters are locked: a row of one table has its counterpart in the other
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
}
