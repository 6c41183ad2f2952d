import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** Jobs are counted up to this number. */
const counted = 10_000;

export type DatabaseMetrics = {
  databaseBytes: number;
  /** by name: jobs that wait or are running */
  jobs: { name: string; waiting: number }[];
  /** failed for good within the last week, for which they are stored */
  givenUp: number;
  troubles: number;
};

/** For a monitoring system: its cost does not grow with what people post. */
export const readDatabaseMetrics = (db: Database) =>
  db.one<DatabaseMetrics>(sql`
    select pg_database_size(current_database())::float8 as "databaseBytes",
      (select count(*) from failed_jobs)::float8 as "givenUp",
      (select count(*) from troubles where ended_at is null)::float8 as troubles,
      coalesce((
        select json_agg(json_build_object('name', name, 'waiting', waiting) order by name)
        from (
          select name, count(*) as waiting
          from (
            select name from pgboss.job where state in ('created', 'retry', 'active') limit ${counted}
          ) j
          group by name
        ) named
      ), '[]') as jobs
  `);
