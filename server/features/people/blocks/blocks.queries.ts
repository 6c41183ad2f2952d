import { sql, type Sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { visibleAccount, visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { ms } from "#server/platform/db/times.ts";
import { muteLasts } from "#server/features/people/blocks/muted.queries.ts";
import type { AccountSummary, HiddenAccount } from "#shared/views.ts";

/** The two accounts of a block or mute. */
export type Pair = { accountId: string; otherId: string };

/**
 * Locks the counters of both, the smaller id first, as a follow does: a block and a follow of the
 * same two go one after the other. False when the other account does not exist.
 */
export async function lockPair(db: Database, { accountId, otherId }: Pair): Promise<boolean> {
  const rows = await db.query<{ account_id: string; present: boolean }>(sql.named("blocks.lock")`
    select c.account_id, ${visibleAccount("a")} as present
    from account_counters c
    join accounts a on a.id = c.account_id
    where c.account_id in (${accountId}, ${otherId})
    order by c.account_id
    for no key update of c
  `);
  return rows.some(({ account_id, present }) => account_id === otherId && present);
}

/** Whether the other blocked this account. Primary key, read after the lock. */
export const isBlockedBy = (db: Database, { accountId, otherId }: Pair) =>
  db.any(sql`
    select from blocks
    where account_id = ${accountId} and other_id = ${otherId} and not own
  `);

/**
 * Writes both rows and ends the follows between the two, with their counters, requests to follow and what
 * makes them close friends: a statement for the rows of each. Both rows of counters are locked already.
 * Blocked before, it changes nothing.
 */
export async function insertBlock(db: Database, { accountId, otherId, id }: Pair & { id: string }) {
  await insertSide(db, { accountId, otherId, id, own: true });
  await insertSide(db, { accountId: otherId, otherId: accountId, id, own: false });
}

const insertSide = (
  db: Database,
  { accountId, otherId, id, own }: Pair & { id: string; own: boolean },
) =>
  db.run(sql`
    with blocked as (
      insert into blocks (account_id, other_id, own, id)
      values (${accountId}, ${otherId}, ${own}, ${id})
      on conflict do nothing
    ),
    unfollowed as (
      delete from follows where follower_id = ${accountId} and followee_id = ${otherId} returning 1
    ),
    lost as (
      delete from followers where followee_id = ${accountId} and follower_id = ${otherId} returning 1
    ),
    unasked as (
      delete from follow_requests where account_id = ${accountId} and requester_id = ${otherId}
    ),
    unfriended as (
      delete from close_friends where account_id = ${accountId} and friend_id = ${otherId}
    )
    update account_counters set
      followers = followers - (select count(*) from lost),
      following = following - (select count(*) from unfollowed)
    where account_id = ${accountId}
      and (exists (select from lost) or exists (select from unfollowed))
  `);

/** Both rows, by their primary keys, one after the other. Both rows of counters are locked already. */
export async function deleteBlock(db: Database, { accountId, otherId }: Pair): Promise<void> {
  await db.run(sql`
    delete from blocks where account_id = ${accountId} and other_id = ${otherId} and own
  `);
  await db.run(sql`
    delete from blocks where account_id = ${otherId} and other_id = ${accountId} and not own
  `);
}

type Mute = Pair & { id: string; endsAt: Date | null };

/** One that is there already ends then. False when the other account may not be seen. */
export const insertMute = (db: Database, { accountId, otherId, id, endsAt }: Mute) =>
  db.any(sql`
    with other as (
      select a.id from accounts a where a.id = ${otherId} and ${visibleTo(accountId, "a")}
    ),
    muted as (
      insert into mutes (account_id, muted_id, id, ends_at)
      select ${accountId}::uuid, other.id, ${id}::uuid, ${endsAt}::timestamptz from other
      on conflict (account_id, muted_id) do update set ends_at = excluded.ends_at
    )
    select id from other
  `);

export const deleteMute = (db: Database, { accountId, otherId }: Pair) =>
  db.run(sql`
    delete from mutes where account_id = ${accountId} and muted_id = ${otherId}
  `);

/** Index mutes_ending. */
export const deleteEndedMutes = (db: Database) =>
  db.run(sql`delete from mutes where ends_at < now()`);

type ListPage = IdRange & { accountId: string };

/**
 * The accounts a member blocked, from one end: the only list that shows them. Index blocks_newest.
 */
export function blockedBy(db: Database, page: ListPage) {
  const entries = sql`
    select id, other_id, null::timestamptz as ends_at from blocks
    where account_id = ${page.accountId} and own
  `;
  return listed(db, "blocks.blocked", { entries, shown: visibleAccount("a") }, page);
}

/** The accounts a member muted, from one end. Index mutes_newest. */
export function mutedBy(db: Database, page: ListPage) {
  const entries = sql`
    select id, muted_id as other_id, ends_at from mutes
    where account_id = ${page.accountId} and ${muteLasts}
  `;
  return listed(db, "blocks.muted", { entries, shown: visibleTo(page.accountId, "a") }, page);
}

async function listed(
  db: Database,
  name: string,
  { entries, shown }: { entries: Sql; shown: Sql },
  { below, above, upward, limit }: ListPage,
): Promise<KeyedRow<HiddenAccount>[]> {
  const order = orderOf(upward);
  return db.query<KeyedRow<HiddenAccount>>(sql.named(upward ? `${name}-above` : name)`
    select json_build_array(entry.id) as key,
      ${accountSummary("a")}::jsonb || jsonb_build_object('until', ${ms("entry.ends_at")}) as item
    from (${entries} and id < ${below} and id > ${above} order by id ${order}) entry
    cross join lateral (
      select * from accounts a where a.id = entry.other_id and ${shown} limit 1
    ) a
    order by entry.id ${order}
    limit ${limit}
  `);
}

/**
 * One account that a member blocked, by id or by current or former username. Primary keys of
 * usernames, blocks and accounts.
 */
export async function findBlocked(
  db: Database,
  accountId: string,
  wanted: { id: string } | { username: string },
): Promise<AccountSummary | null> {
  const otherId =
    "id" in wanted
      ? sql`${wanted.id}::uuid`
      : sql`(select u.account_id from usernames u where u.username = ${wanted.username} limit 1)`;
  return db.value<AccountSummary>(sql.named("id" in wanted ? "blocks.find-by-id" : "blocks.find")`
    select ${accountSummary("a")} as item
    from (
      select other_id from blocks
      where account_id = ${accountId} and other_id = ${otherId} and own
      limit 1
    ) b
    cross join lateral (
      select * from accounts a where a.id = b.other_id and ${visibleAccount("a")} limit 1
    ) a
  `);
}
