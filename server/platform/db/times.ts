import { sql, type Sql } from "#server/platform/db/sql.ts";

/** A column with a time (`p.created_at`) in whole milliseconds since 1970, as a JavaScript number. */
export const ms = (column: string): Sql =>
  sql`floor(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
