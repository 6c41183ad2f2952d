import { sql, type RawBuilder, type SqlBool } from "kysely";

/**
 * The accounts that anybody may see anything of: neither suspended nor deleted. Every read of an
 * account, and of what it owns, has this among its conditions. `accounts` is the name the table
 * goes by in the query, for example `author`.
 */
export function visibleAccount(accounts = "accounts"): RawBuilder<SqlBool> {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql<SqlBool>`(${column("suspended_at")} is null and ${column("deleted_at")} is null)`;
}
