import pg from "pg";
import type { Database } from "#server/platform/db/database.ts";
import { afterFile } from "#server/test/after-file.ts";

/** The rows of one statement, for what tests read or set up without the features. */
export async function query<Row>(
  db: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await db.pool.query<Row & pg.QueryResultRow>({ text, values: [...values] });
  return rows;
}

/** A connection outside the pool, until the file ends. */
export async function openClient(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(connection);
  await client.connect();
  afterFile(() => client.end());
  return client;
}
