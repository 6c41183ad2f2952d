import { sql, type Sql } from "#server/platform/db/sql.ts";

/** A column with a time (`p.created_at`) in whole milliseconds since 1970, as a JavaScript number. */
export const ms = (column: string): Sql =>
  sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;

/** The same as a bigint. */
export const epochMs = (column: string): Sql =>
  sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;

/** The moment of a UUIDv7, epoch milliseconds: its first 48 bits. A column, or what gives one. */
export const idTime = (id: string | Sql): Sql => {
  const text = typeof id === "string" ? sql.ref(id) : id;
  return sql`('x' || translate(left(${text}::text, 13), '-', ''))::bit(48)::bigint`;
};
