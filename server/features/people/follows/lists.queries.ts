import { sql, type Sql } from "#server/platform/db/sql.ts";
import { listOfOwner, orderOf, type IdRange } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { listOf, probe } from "#server/platform/db/probes.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import {
  isFollowing,
  listsOpenTo,
  visibleTo,
  accountSeen,
} from "#server/features/people/accounts/visibility.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

/** `requested`: the viewer asked to follow it, and waits. */
export type ListedAccount = AccountSummary & { following: boolean; requested: boolean };

/**
 * Whether the viewer asked to follow the row `accounts`, which is private, and waits for an answer. Primary
 * key of follow_requests; a public account costs no probe.
 */
export function hasRequested(viewerId: string | null, accounts: string) {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`(${column("private_at")} is not null and (
    select true from follow_requests
    where account_id = ${column("id")} and ${probe("requester_id", sql`${viewerId}::uuid`)}
  ) is not null)`;
}

/** The row `accounts` as lists of accounts show it. */
export const listedAccount = (viewerId: string | null, accounts: string) => sql`(
  ${accountSummary(accounts)}::jsonb || jsonb_build_object(
    'following', ${isFollowing(viewerId, sql.ref(`${accounts}.id`))},
    'requested', ${hasRequested(viewerId, accounts)}
  )
)`;

type ListPage = IdRange & { viewerId: string | null; accountId: string };

/** The accounts of entries (`id`, `account_id`) that the viewer may see: the id of each entry, and the item. */
export const accountsOf = (
  entries: Sql,
  page: Pick<IdRange, "upward" | "limit"> & { viewerId: string | null },
) => sql`(
  select entry.id, ${listedAccount(page.viewerId, "account")} as item
  from (${entries}) entry
  cross join lateral ${accountSeen(page.viewerId, "entry.account_id")} account
  order by entry.id ${orderOf(page.upward)}
  limit ${page.limit}
)`;

/** From one end; null when the account or its lists may not be seen. Index followers_newest. */
export async function followersOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, follower_id as account_id from followers
    where ${listOf("followee_id", sql`owner.id`)} and id < ${page.below} and id > ${page.above}
    order by id ${orderOf(page.upward)}
  `;
  return listAccounts(db, "follows.followers", entries, page);
}

/** From one end; null when the account or its lists may not be seen. Index follows_newest. */
export async function followingOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, followee_id as account_id from follows
    where ${listOf("follower_id", sql`owner.id`)} and id < ${page.below} and id > ${page.above}
    order by id ${orderOf(page.upward)}
  `;
  return listAccounts(db, "follows.following", entries, page);
}

async function listAccounts(db: Database, list: string, entries: Sql, page: ListPage) {
  const { viewerId, accountId, upward } = page;
  const owner = sql`(
    select a.id from accounts a
    where a.id = ${accountId} and ${visibleTo(viewerId, "a")} and ${listsOpenTo(viewerId)}
  ) owner`;
  return listOfOwner<ListedAccount>(
    db,
    upward ? `${list}-above` : list,
    sql`${owner} left join lateral ${accountsOf(entries, page)} listed on true`,
    upward,
  );
}
