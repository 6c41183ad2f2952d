import type pg from "pg";

/** Which PostgreSQL this is, and how it names its log. */
export type DatabaseServer = { systemIdentifier: string; timeline: number; segmentBytes: number };

export async function readServer(client: pg.Client): Promise<DatabaseServer> {
  const { rows } = await client.query<DatabaseServer>(
    `select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
       (select timeline_id from pg_control_checkpoint()) as timeline,
       (select setting::integer from pg_settings where name = 'wal_segment_size') as "segmentBytes"`,
  );
  return rows[0] as DatabaseServer;
}

/** From now on a copy of the data folder can be made whole by the log from this position on. */
export async function beginBase(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ lsn: string }>(
    "select pg_backup_start('postcard', fast => true)::text as lsn",
  );
  return (rows[0] as { lsn: string }).lsn;
}

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
export async function endBase(client: pg.Client): Promise<EndOfBase> {
  const { rows } = await client.query<EndOfBase>(
    `select lsn::text, labelfile as label, spcmapfile as map, clock_timestamp() as at
     from pg_backup_stop(wait_for_archive => false)`,
  );
  return rows[0] as EndOfBase;
}
