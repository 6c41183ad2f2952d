import type pg from "pg";
import type { Database } from "#server/platform/db/database.ts";

/** The rows of one statement, for what tests read or set up without the features. */
export async function query<Row>(
  db: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await db.pool.query<Row & pg.QueryResultRow>({ text, values: [...values] });
  return rows;
}
