import { sql, type Sql } from "#server/platform/db/sql.ts";
import { noBlock, visibleAccount } from "#server/features/people/index.ts";
import { limits } from "#shared/limits.ts";

/**
 * In how many conversations of a row of accounts something is new, counted to 99, without muted
 * ones and those with people who may not be seen: part of a page's session look-up, so that none
 * needs a query of its own for it. Index conversation_members_unread, a few entries for most
 * people.
 */
export function unreadConversations(accounts: string): Sql {
  const id = sql.ref(`${accounts}.id`);
  return sql`(
    select count(*)::int from (
      select from conversation_members own
      join conversations c on c.id = own.conversation_id
      left join accounts other
        on other.id = case when c.low_id = ${id} then c.high_id else c.low_id end
      where own.account_id = ${id} and own.unread and not own.muted
        and (other.id is null or (${visibleAccount("other")} and ${noBlock(id, sql`other.id`)}))
      limit ${sql.lit(limits.unreadMessages)}
    ) unread
  )`;
}
