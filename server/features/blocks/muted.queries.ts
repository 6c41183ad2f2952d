import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * The accounts whose posts this viewer wants in the feed, and of whom something may be told.
 * `accounts` is the name the table goes by in the query. One probe of the primary key of mutes.
 */
export function notMuted(viewerId: string | null, accounts = "accounts"): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    select true from mutes
    where mutes.account_id = ${viewerId}::uuid and mutes.muted_id = ${sql.ref(`${accounts}.id`)}
    limit 1
  ) is null`;
}
