import { sql, type Sql } from "#server/platform/db/sql.ts";

/**
 * The last column of a complete key, at the end of a scalar or lateral subquery:
 * `where l.author_id = … and l.post_id = … and ${probe("l.account_id", viewerId)}`.
 *
 * Because it is written as a range and an order, only an index that continues with this column provides the
 * order. With a plain `=` another index with the same beginning looks as cheap to PostgreSQL, since it
 * assumes that few rows share the beginning: true for most owners, wrong for the busy ones.
 */
export function probe(column: string, value: unknown): Sql {
  const end = sql.ref(column);
  return sql`${end} between ${value}::uuid and ${value}::uuid order by ${end} limit 1`;
}

/**
 * The owner whose rows are read, for pages in the order of an index that begins with the owner:
 * `where ${listOf("followee_id", sql`owner.id`)} and id < … order by id desc`.
 *
 * With a plain `=` PostgreSQL expects as many rows as most owners have, so few that reading all and sorting
 * them looks cheaper: wrong for an account with a hundred thousand followers. The range means the same, but
 * PostgreSQL then expects at most one row, for which the order of the index is cheapest, whatever the
 * tables contain.
 */
export function listOf(column: string, owner: unknown): Sql {
  const own = sql.ref(column);
  return sql`(${own} = ${owner} and ${own} between ${owner} and ${owner})`;
}
