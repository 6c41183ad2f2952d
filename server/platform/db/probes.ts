import { sql, type Sql } from "#server/platform/db/sql.ts";

/**
 * The last column of a whole key, to end a scalar or lateral subquery:
 * `where l.author_id = … and l.post_id = … and ${probe("l.account_id", viewerId)}`.
 *
 * Written as a range and an order, only an index that goes on with this column gives the order.
 * With a plain `=` another one with the same beginning looks as cheap to PostgreSQL, since it
 * believes that few rows share the beginning: true for most owners, wrong for the busy ones.
 */
export function probe(column: string, value: unknown): Sql {
  const end = sql.ref(column);
  return sql`${end} between ${value}::uuid and ${value}::uuid order by ${end} limit 1`;
}

/**
 * Whose rows are read, where a page of them is read in the order of an index that begins with the owner:
 * `where ${listOf("followee_id", sql`owner.id`)} and id < … order by id desc`.
 *
 * With the plain `=` PostgreSQL expects as many rows as most owners have, so few that reading all and sorting
 * them looks cheaper: wrong for the one whom a hundred thousand follow. The range says nothing more, but PostgreSQL
 * expects a row or none then, for which the order of the index is cheapest, whatever the tables are.
 */
export function listOf(column: string, owner: unknown): Sql {
  const own = sql.ref(column);
  return sql`(${own} = ${owner} and ${own} between ${owner} and ${owner})`;
}
