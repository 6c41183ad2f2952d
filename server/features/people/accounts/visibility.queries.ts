import { sql, type Sql } from "#server/platform/db/sql.ts";

/**
 * The active accounts: neither suspended nor deleted. Enough for what concerns an account itself
 * (sessions, own settings); whatever shows it to others uses `visibleTo`. `accounts` is the table's
 * name in the query, for example `author`.
 */
export function visibleAccount(accounts = "accounts"): Sql {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`(${column("suspended_at")} is null and ${column("deleted_at")} is null)`;
}

/**
 * The accounts that this viewer may see anything of: active, and no block between the two in either
 * direction. Every read of an account for somebody else, and of what it owns, has this among its
 * conditions; a visitor (null) has no blocks. One probe of the primary key of blocks a row.
 */
export function visibleTo(viewerId: string | null, accounts = "accounts"): Sql {
  const id = sql.ref(`${accounts}.id`);
  return sql`(${visibleAccount(accounts)} and ${noBlock(sql`${viewerId}::uuid`, id)})`;
}

/**
 * No block between the accounts of two expressions, in either direction. A scalar subquery can only
 * be run as a probe (docs/decisions/0223).
 */
export function noBlock(one: Sql, other: Sql): Sql {
  return sql`(
    select true from blocks where blocks.account_id = ${one} and blocks.other_id = ${other} limit 1
  ) is null`;
}
