import { sql, type Sql } from "#server/platform/db/sql.ts";
import { limits } from "#shared/limits.ts";

/**
 * How many notifications of a row of accounts are unread, counted to 99: part of the session
 * look-up, so that no page needs a query of its own for it. An index-only scan of
 * notifications_open, a few entries for most people. Those of messages are counted as
 * conversations, beside it: nothing counts twice.
 */
export function unreadNotifications(accounts: string): Sql {
  return sql`(
    select count(*)::int from (
      select 1 from notifications n
      where n.account_id = ${sql.ref(`${accounts}.id`)} and n.unread and ${countedKind("n")}
      limit ${sql.lit(limits.notifications.unread)}
    ) unread
  )`;
}

export function countedKind(notifications: string): Sql {
  return sql`${sql.ref(`${notifications}.kind`)} <> 'message'`;
}
