import { sql, type Sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { listOf } from "#server/platform/db/probes.ts";
import { noBlock, accountSeen } from "#server/features/people/accounts/visibility.queries.ts";
import {
  listedAccount,
  type ListedAccount,
} from "#server/features/people/follows/lists.queries.ts";

/** Joined to requests `r`: who made them may be seen. */
const isSeen = (accountId: string) =>
  sql`cross join lateral ${accountSeen(accountId, "r.requester_id")} seen`;

/** The requests of an account up to this id, oldest first, so many at once. */
export type RequestBatch = {
  accountId: string;
  upTo: string;
  /** those of accounts that its owner cannot see now, too */
  hidden: boolean;
  limit: number;
};

/** Index follow_requests_newest, backwards. */
const oldest = ({ accountId, upTo, hidden, limit }: RequestBatch) => sql`
  select r.requester_id from follow_requests r
  ${hidden ? sql`` : isSeen(accountId)}
  where ${listOf("r.account_id", accountId)} and r.id <= ${upTo}
  order by r.id
  limit ${limit}
`;

/**
 * Locks the counters of the account and of those who asked, in the order of a follow, and answers who asked.
 */
export async function lockRequesters(db: Database, batch: RequestBatch): Promise<string[]> {
  const { accountId } = batch;
  const rows = await db.query<{ id: string }>(sql`
    with batch as materialized (${oldest(batch)})
    select c.account_id as id from account_counters c
    where c.account_id = any(array(
      select requester_id from batch
      union all
      select ${accountId}::uuid where exists (select from batch)
    ))
    order by c.account_id
    for no key update
  `);
  return rows.map(({ id }) => id).filter((id) => id !== accountId);
}

/** Locks the counters of the account: follows of it, requests and their withdrawals wait. */
export const lockAsked = (db: Database, accountId: string) =>
  db.run(sql`
    select from account_counters where account_id = ${accountId} for no key update
  `);

/** A request that waits no longer, and the follow it became, if it did. */
export type Accepted = { requestId: string; requesterId: string; followId: string | null };

/**
 * Turns requests into follows, with both rows and both counters; one that was withdrawn is none. All counters
 * are locked already, and `ids` are those of the follows to come.
 */
export const acceptRequests = (
  db: Database,
  { accountId, requesters, ids }: { accountId: string; requesters: string[]; ids: string[] },
) =>
  db.query<Accepted>(sql`
    with answered as (
      delete from follow_requests r
      using unnest(${requesters}::uuid[], ${ids}::uuid[]) as wanted (requester_id, id)
      where r.account_id = ${accountId} and r.requester_id = wanted.requester_id
      returning r.requester_id, r.id as request_id, wanted.id
    ),
    followed as (
      insert into follows (follower_id, followee_id, id)
      select requester_id, ${accountId}::uuid, id from answered
      where ${noBlock(sql`${accountId}::uuid`, sql`answered.requester_id`)}
      on conflict do nothing
      returning follower_id, id
    ),
    mirrored as (
      insert into followers (followee_id, follower_id, id)
      select ${accountId}::uuid, follower_id, id from followed
    ),
    suggestible as (
      delete from dismissed_suggestions d using followed
      where d.account_id = followed.follower_id and d.dismissed_id = ${accountId}
    ),
    following_counted as (
      update account_counters c set following = c.following + 1
      from followed where c.account_id = followed.follower_id
    ),
    followers_counted as (
      update account_counters set followers = followers + (select count(*) from followed)
      where account_id = ${accountId} and exists (select from followed)
    )
    select answered.request_id as "requestId", answered.requester_id as "requesterId",
      followed.id as "followId"
    from answered
    left join followed on followed.follower_id = answered.requester_id
  `);

/** Deletes the request of one account; its id. The counters are locked already. Primary key. */
export function deleteRequest(db: Database, accountId: string, requesterId: string) {
  return deleted(db, accountId, sql`${[requesterId]}::uuid[]`);
}

/** The same of many. */
export function deleteRequests(db: Database, batch: RequestBatch) {
  return deleted(db, batch.accountId, sql`array(${oldest(batch)})`);
}

const deleted = (db: Database, accountId: string, requesters: Sql) =>
  db.column<string>(sql`
    delete from follow_requests
    where account_id = ${accountId} and requester_id = any(${requesters})
    returning id
  `);

/** The id of the last request; null where there is none. Index follow_requests_newest. */
export const newestRequest = (db: Database, accountId: string) =>
  db.value<string>(sql`
    select id from follow_requests where account_id = ${accountId} order by id desc limit 1
  `);

/** Whether the other follows the account. Primary key of follows. */
export const isFollower = (db: Database, accountId: string, otherId: string) =>
  db.any(sql`
    select 1 from follows where follower_id = ${otherId} and followee_id = ${accountId}
  `);

/** Those who asked and may be seen, from one end. Index follow_requests_newest. */
export async function requestsOf(
  db: Database,
  { accountId, below, above, upward, limit }: IdRange & { accountId: string },
) {
  const order = orderOf(upward);
  const name = upward ? "requests.list-above" : "requests.list";
  return db.query<KeyedRow<ListedAccount>>(sql.named(name)`
    select json_build_array(r.id) as key, ${listedAccount(accountId, "a")} as item
    from (
      select id, requester_id from follow_requests
      where account_id = ${accountId} and id < ${below} and id > ${above}
      order by id ${order}
    ) r
    cross join lateral ${accountSeen(accountId, "r.requester_id")} a
    order by r.id ${order}
    limit ${limit}
  `);
}

/** How many of them, counted to `most`. */
export const countRequests = (db: Database, accountId: string, most: number) =>
  db.scalar<number>(sql.named("requests.count")`
    select count(*)::int as count from (
      select 1 from follow_requests r
      ${isSeen(accountId)}
      where ${listOf("r.account_id", accountId)}
      limit ${most}
    ) waiting
  `);
