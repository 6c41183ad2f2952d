import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** The result of the last attempt to take a backup into a folder. Times are epoch ms. */
export type BackupRun = {
  /** since when servers know the folder */
  knownSince: number;
  /** why the last attempt failed; empty if it succeeded */
  failure: string;
  /** files in the image store that are corrupt */
  rotten: string[];
  /** of the folder's disk at the last backup, bytes */
  free: number | null;
  size: number | null;
};

/** Records that backups are due in this folder from now on, unless that is already recorded. */
export const registerFolder = (db: Database, folder: string) =>
  db.run(sql`insert into backup_runs (folder) values (${folder}) on conflict do nothing`);

export const readBackupRun = (db: Database, folder: string) =>
  db.first<BackupRun>(sql`
    select floor(extract(epoch from known_since) * 1000)::float8 as "knownSince", failure, rotten,
      free_bytes::float8 as free, disk_bytes::float8 as size
    from backup_runs where folder = ${folder}
  `);

/** The results of a run; what it leaves out stays as it was. */
export type BackupRunUpdate = {
  failure?: string;
  rotten?: readonly string[];
  room?: { free: number; size: number };
};

export async function writeBackupRun(db: Database, folder: string, learned: BackupRunUpdate) {
  const { failure, rotten, room } = learned;
  await db.run(sql`
    insert into backup_runs as b (folder, failure, rotten, free_bytes, disk_bytes)
    values (
      ${folder}, ${failure?.slice(0, 1000) ?? ""}, ${rotten ?? []}::text[],
      ${room?.free ?? null}::bigint, ${room?.size ?? null}::bigint
    )
    on conflict (folder) do update set
      failure = case when ${failure === undefined}::boolean then b.failure else excluded.failure end,
      rotten = case when ${rotten === undefined}::boolean then b.rotten else excluded.rotten end,
      free_bytes = coalesce(excluded.free_bytes, b.free_bytes),
      disk_bytes = coalesce(excluded.disk_bytes, b.disk_bytes)
  `);
}
