import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** What a database reports about itself to its operator. */
export type DatabaseHealth = {
  version: string;
  bytes: number;
  /** by the database's clock, milliseconds since 1970 */
  now: number;
  /** blocks whose checksum did not match since the statistics began; 0 if it has no checksums */
  damagedBlocks: number;
  /** indexes that are not used because their creation was interrupted */
  brokenIndexes: string[];
  /** seconds that the longest running transaction has been open */
  longestTransaction: number;
  /** transaction numbers used up since the oldest row that is not frozen; PostgreSQL stops at 2 billion */
  unfrozen: number;
  autovacuum: boolean;
};

/** Reads the system's views. */
export const readDatabaseHealth = (db: Database) =>
  db.one<DatabaseHealth>(sql`
    select
      current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as bytes,
      extract(epoch from clock_timestamp())::float8 * 1000 as now,
      coalesce((
        select checksum_failures from pg_stat_database where datname = current_database()
      ), 0)::float8 as "damagedBlocks",
      array(
        select indexrelid::regclass::text from pg_index where not indisvalid
      ) as "brokenIndexes",
      coalesce((
        select extract(epoch from max(clock_timestamp() - xact_start))
        from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      ), 0)::float8 as "longestTransaction",
      (select age(datfrozenxid) from pg_database where datname = current_database())::float8 as unfrozen,
      current_setting('autovacuum') = 'on' as autovacuum
  `);

/**
 * Rebuilds an index while its table is in use. `name` as readDatabaseHealth returned it, quoted where
 * needed.
 */
export const rebuildIndex = (db: Database, name: string) =>
  db.run(sql.raw(`reindex index concurrently ${name}`));
