import type pg from "pg";
import type {
  BackupSummary,
  DrillSummary,
  FolderState,
  KnownFolder,
  FolderInspection,
} from "#server/platform/backup/inspect-folder.ts";
import { backupLock } from "#server/platform/db/migrate.ts";
import type { Database } from "#server/platform/db/database.ts";
import { sql } from "#server/platform/db/sql.ts";
import { hasTable, on } from "#server/platform/db/statements.ts";

/** Null if the database is older than this table. */
export async function readKnownFolder(
  client: pg.Client,
  path: string,
): Promise<KnownFolder | null> {
  if (!(await hasTable(client, "backup_folders"))) return null;
  return on(client).one<KnownFolder>(sql`
    select encode(secrets_hash, 'hex') as installation,
      exists (select from backup_folders where path = ${path} and is_ours) as "isOurs"
    from installation
  `);
}

/** Records that this installation made a backup in the folder. */
export const recordAsOurs = (client: pg.Client, path: string) =>
  on(client).run(sql`
    insert into backup_folders (path, is_ours) values (${path}, true)
    on conflict (path) do update set is_ours = true
  `);

/** Records that an inspection begins. Of several without an answer, the start of the first one counts. */
export const beginInspection = (client: pg.Client, path: string) =>
  on(client).run(sql`
    insert into backup_folders as folder (path, look_began_at) values (${path}, clock_timestamp())
    on conflict (path) do update set look_began_at =
      case when folder.look_began_at > coalesce(folder.looked_at, '-infinity')
        then folder.look_began_at else clock_timestamp() end
  `);

export const endInspection = (
  client: pg.Client,
  path: string,
  { state, backups, continuousDrill, isOurs }: FolderInspection,
) =>
  on(client).run(sql`
    update backup_folders set looked_at = clock_timestamp(), state = ${state},
      -- what is known of them stays true while nobody can read them
      backups = case when ${state} = 'ready' then ${JSON.stringify(backups)}::jsonb else backups end,
      continuous_drill = case when ${state} = 'ready'
        then ${continuousDrill && JSON.stringify(continuousDrill)}::jsonb else continuous_drill end,
      is_ours = is_ours or ${isOurs}
    where path = ${path}
  `);

/** The folders in a restored database are another machine's. */
export async function deleteKnownFolders(client: pg.Client): Promise<void> {
  if (await hasTable(client, "backup_folders"))
    await on(client).run(sql`delete from backup_folders`);
}

type SeenFolder = {
  state: FolderState;
  backups: BackupSummary[];
  continuousDrill: DrillSummary | null;
  isSilent: boolean;
};

/** The last inspection; `isSilent`: one has had no answer for that many seconds. Null before the first. */
export const readInspection = (db: Database, path: string, patienceSeconds: number) =>
  db.first<SeenFolder>(sql`
    select state, backups, continuous_drill as "continuousDrill",
      look_began_at > coalesce(looked_at, '-infinity')
        and look_began_at < now() - make_interval(secs => ${patienceSeconds}::integer) as "isSilent"
    from backup_folders
    where path = ${path}
      and (looked_at is not null or look_began_at < now() - make_interval(secs => ${patienceSeconds}::integer))
  `);

/** Whether a backup of this database is being taken, by whatever process. */
export const isBackingUp = (db: Pick<Database, "any">) =>
  db.any(sql`
    select 1 from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid::bigint << 32) + objid::bigint = ${backupLock}::bigint
  `);
