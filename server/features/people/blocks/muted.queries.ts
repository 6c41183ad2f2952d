import { sql, type Sql } from "#server/platform/db/sql.ts";

/** The row `mutes` of a query has not ended. */
export const muteLasts = sql`(mutes.ends_at is null or mutes.ends_at > now())`;

/** Nobody of the first expression muted the second. One probe of the primary key of mutes. */
export function noMute(one: Sql, other: Sql): Sql {
  return sql`(
    select true from mutes
    where mutes.account_id = ${one} and mutes.muted_id = ${other} and ${muteLasts}
    limit 1
  ) is null`;
}

/**
 * The accounts whose posts this viewer wants in the feed, and that may cause notifications.
 * `accounts` is the table's name in the query.
 */
export function notMuted(viewerId: string | null, accounts = "accounts"): Sql {
  return noMute(sql`${viewerId}::uuid`, sql.ref(`${accounts}.id`));
}
