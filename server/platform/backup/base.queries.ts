import type pg from "pg";
import { sql } from "#server/platform/db/sql.ts";
import { on } from "#server/platform/db/statements.ts";

/** Which PostgreSQL this is, and how it names its log. */
export type DatabaseServer = { systemIdentifier: string; timeline: number; segmentBytes: number };

export const readServer = (client: pg.Client) =>
  on(client).one<DatabaseServer>(sql`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
      (select timeline_id from pg_control_checkpoint()) as timeline,
      (select setting::integer from pg_settings where name = 'wal_segment_size') as "segmentBytes"
  `);

/** From now on a copy of the data folder can be made whole by the log from this position on. */
export const beginBase = (client: pg.Client) =>
  on(client).scalar<string>(sql`select pg_backup_start('postcard', fast => true)::text`);

type EndOfBase = {
  /** the copy needs the log up to this position */
  lsn: string;
  /** contents of two files that belong to the copy */
  label: string;
  map: string;
  /** by the database's clock */
  at: Date;
};

/** Ends a base on the connection that began it. */
export const endBase = (client: pg.Client) =>
  on(client).one<EndOfBase>(sql`
    select lsn::text, labelfile as label, spcmapfile as map, clock_timestamp() as at
    from pg_backup_stop(wait_for_archive => false)
  `);
