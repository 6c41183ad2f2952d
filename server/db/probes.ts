import type { RawBuilder } from "kysely";
import { sql } from "#server/db/sql.ts";

/**
 * The last column of a whole key, to end a scalar or lateral subquery:
 * `where l.author_id = … and l.post_id = … and ${probe("l.account_id", viewerId)}`.
 *
 * Written as a range and an order, only an index that goes on with this column gives the order.
 * With a plain `=` another one with the same beginning looks as cheap to PostgreSQL, since it
 * believes that few rows share the beginning: true for most owners, wrong for the busy ones.
 */
export function probe(column: string, value: unknown): RawBuilder<unknown> {
  const end = sql.ref(column);
  return sql`${end} between ${value}::uuid and ${value}::uuid order by ${end} limit 1`;
}
