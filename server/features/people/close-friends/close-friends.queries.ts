import { sql } from "#server/platform/db/sql.ts";
import { highestId, lowestId, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { listOf, probe } from "#server/platform/db/probes.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { noBlock, accountSeen } from "#server/features/people/accounts/visibility.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

/** `close`: it is on the list. */
export type Candidate = AccountSummary & { close: boolean };

export type Friend = { accountId: string; friendId: string };

/** The place of a row: those on the list (0) come before the other followers (1), newest first. */
export type FriendKey = [part: number, id: string];

const candidate = (close: boolean) =>
  sql`${accountSummary("a")}::jsonb || jsonb_build_object('close', ${sql.lit(close)})`;

/**
 * The account's list, newest first, then its other followers. Indexes close_friends_newest and
 * followers_newest, and probes of primary keys.
 */
export async function candidatesOf(
  db: Database,
  { accountId, after, limit }: { accountId: string; after: FriendKey | null; limit: number },
) {
  const [part, id] = after ?? [0, highestId];
  return db.query<KeyedRow<Candidate>>(sql.named("close-friends.candidates")`
    select json_build_array(part, id) as key, item
    from (
      (
        select 0 as part, c.id, ${candidate(true)} as item
        from close_friends c
        cross join lateral ${accountSeen(accountId, "c.friend_id")} a
        where ${listOf("c.account_id", accountId)} and c.id < ${part === 0 ? id : lowestId}
        order by c.id desc
        limit ${limit}
      )
      union all
      (
        select 1, f.id, ${candidate(false)}
        from followers f
        cross join lateral ${accountSeen(accountId, "f.follower_id")} a
        where ${listOf("f.followee_id", accountId)} and f.id < ${part === 0 ? highestId : id}
          and (
            select true from close_friends
            where account_id = ${accountId} and ${probe("friend_id", sql`f.follower_id`)}
          ) is null
        order by f.id desc
        limit ${limit}
      )
    ) entry
    order by part, id desc
    limit ${limit}
  `);
}

/** How many the list shows. Index close_friends_newest. */
export const countFriends = (db: Database, accountId: string) =>
  db.scalar<number>(sql`
    select count(*)::integer as count from close_friends f
    cross join lateral ${accountSeen(accountId, "f.friend_id")} a
    where f.account_id = ${accountId}
  `);

/** Those of these accounts that are on the list. Primary key. */
export async function friendsAmong(db: Database, accountId: string, ids: readonly string[]) {
  const found = await db.column<string>(sql`
    select friend_id as id from close_friends
    where account_id = ${accountId} and friend_id = any(${[...ids]}::uuid[])
  `);
  return new Set(found);
}

/**
 * Puts an account on the list, unless it is there or has so many. False where it is neither there nor put:
 * the list is full. Null with a block between the two. The counters of both are locked already.
 */
export async function insertFriend(
  db: Database,
  { accountId, friendId, id, most }: Friend & { id: string; most: number },
): Promise<boolean | null> {
  const row = await db.first<{ allowed: boolean; there: boolean }>(sql`
    with allowed as (
      select ${noBlock(sql`${accountId}::uuid`, sql`${friendId}::uuid`)} as yes
    ),
    inserted as (
      insert into close_friends (account_id, friend_id, id)
      select ${accountId}, ${friendId}, ${id}
      from allowed
      where yes and (select count(*) from close_friends where account_id = ${accountId}) < ${most}
      on conflict do nothing
      returning id
    )
    select yes as allowed, exists (select from inserted) or exists (
      select from close_friends where account_id = ${accountId} and friend_id = ${friendId}
    ) as there
    from allowed
  `);
  return row?.allowed ? row.there : null;
}

/** Primary key. */
export const deleteFriend = (db: Database, { accountId, friendId }: Friend) =>
  db.run(sql`
    delete from close_friends where account_id = ${accountId} and friend_id = ${friendId}
  `);
