import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

export type DatabaseMetrics = {
  databaseBytes: number;
  /** jobs that failed for good within the last week, for which they are stored */
  givenUp: number;
  troubles: number;
};

/** For a monitoring system: its cost does not grow with what people post. */
export const readDatabaseMetrics = (db: Database) =>
  db.one<DatabaseMetrics>(sql`
    select pg_database_size(current_database())::float8 as "databaseBytes",
      (select count(*) from failed_jobs)::float8 as "givenUp",
      (select count(*) from troubles where ended_at is null)::float8 as troubles
  `);
