import type { RawBuilder, SqlBool } from "kysely";
import { sql } from "#server/db/sql.ts";

/** Nobody of the first expression muted the second. One probe of the primary key of mutes. */
export function noMute(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(
    select true from mutes where mutes.account_id = ${one} and mutes.muted_id = ${other} limit 1
  ) is null`;
}

/**
 * The accounts whose posts this viewer wants in the feed, and of whom something may be told.
 * `accounts` is the name the table goes by in the query.
 */
export function notMuted(viewerId: string | null, accounts = "accounts"): RawBuilder<SqlBool> {
  return noMute(sql`${viewerId}::uuid`, sql.ref(`${accounts}.id`));
}
