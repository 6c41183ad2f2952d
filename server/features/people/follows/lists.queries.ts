import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { IdRange, KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { listOf, probe } from "#server/platform/db/probes.ts";
import { accountSummary } from "#server/features/people/accounts/summary.queries.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

export type ListedAccount = AccountSummary & { following: boolean };

/** Whether the viewer follows the account of this expression. Primary key of follows. */
export function isFollowing(viewerId: string | null, accountId: Sql) {
  return sql`coalesce((
    select true from follows
    where follower_id = ${viewerId}::uuid and ${probe("followee_id", accountId)}
  ), false)`;
}

type ListPage = IdRange & { viewerId: string | null; accountId: string };

const orderOf = ({ upward }: Pick<IdRange, "upward">) => sql.raw(upward ? "asc" : "desc");

/** From one end; null when the account may not be seen. Index followers_newest. */
export async function followersOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, follower_id as account_id from followers
    where ${listOf("followee_id", sql`owner.id`)} and id < ${page.below} and id > ${page.above}
    order by id ${orderOf(page)}
  `;
  return listAccounts(db, "follows.followers", entries, page);
}

/** From one end; null when the account may not be seen. Index follows_newest. */
export async function followingOf(db: Database, page: ListPage) {
  const entries = sql`
    select id, followee_id as account_id from follows
    where ${listOf("follower_id", sql`owner.id`)} and id < ${page.below} and id > ${page.above}
    order by id ${orderOf(page)}
  `;
  return listAccounts(db, "follows.following", entries, page);
}

/** One row an account, or one empty row: the list's owner exists, the list is empty. */
async function listAccounts(db: Database, name: string, entries: Sql, page: ListPage) {
  const { viewerId, accountId, limit, upward } = page;
  type Row = KeyedRow<AccountSummary> & { following: boolean };
  const rows = await db.prepared<Row | { key: null }>(
    upward ? `${name}-above` : name,
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
        order by entry.id ${orderOf(page)}
        limit ${limit}
      ) listed on true
      order by listed.id ${orderOf(page)}
    `,
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) =>
    row.key === null ? [] : [{ key: row.key, item: { ...row.item, following: row.following } }],
  );
}
