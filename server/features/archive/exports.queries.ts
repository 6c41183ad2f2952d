import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ms } from "#server/platform/db/times.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import type { ExportView } from "#shared/archive.ts";

export type ExportRow = { id: string; accountId: string };

/** False when one is already being made. Unique index exports_one_at_a_time. */
export const insertExport = (db: Database, { accountId, id }: { accountId: string; id: string }) =>
  db.any(sql`
    insert into exports (account_id, id, total)
    select ${accountId}, ${id}, posts from account_counters where account_id = ${accountId}
    on conflict do nothing
    returning id
  `);

/** What its owner sees, newest first. Primary key. */
export const listExports = (db: Database, accountId: string) =>
  db.query<ExportView>(sql`
    select id, state, done, total, bytes::float8 as bytes,
      ${ms("created_at")} as "createdAt", ${ms("expires_at")} as "expiresAt"
    from exports
    where account_id = ${accountId} and state <> 'removed'
      and (expires_at is null or expires_at > now())
    order by id desc
    limit 3
  `);

/** An export that is still to be made, of an account that is still visible. Index exports_id. */
export const findWaiting = (db: Database, id: string) =>
  db.first<ExportRow>(sql`
    select e.id, e.account_id as "accountId"
    from exports e join accounts a on a.id = e.account_id
    where e.id = ${id} and e.state = 'waiting' and ${visibleAccount("a")}
  `);

export const writeProgress = (
  db: Database,
  id: string,
  progress: { done: number; total: number },
) =>
  db.run(sql`
    update exports set done = ${progress.done}, total = ${progress.total}
    where id = ${id} and state = 'waiting'
  `);

/** The archive can be downloaded for `days`; returns the ids of earlier ones, which are to be removed. */
export async function writeReady(
  db: Database,
  { accountId, id, bytes, days }: { accountId: string; id: string; bytes: number; days: number },
): Promise<string[] | null> {
  const rows = await db.query(sql`
    update exports set state = 'ready', bytes = ${bytes}, done = total, finished_at = now(),
      expires_at = now() + make_interval(days => ${days}::integer)
    where account_id = ${accountId} and id = ${id} and state = 'waiting'
    returning id
  `);
  if (rows.length === 0) return null;
  const older = await db.query<{ id: string }>(sql`
    update exports set state = 'removed'
    where account_id = ${accountId} and state = 'ready' and id <> ${id}
    returning id
  `);
  return older.map(({ id: old }) => old);
}

export const writeFailed = (db: Database, id: string) =>
  db.run(sql`
    update exports set state = 'failed', finished_at = now(),
      expires_at = now() + interval '1 day'
    where id = ${id} and state = 'waiting'
  `);

/** An archive that this account may download now. Primary key. */
export const findReady = (db: Database, accountId: string, id: string) =>
  db.first<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from exports
    where account_id = ${accountId} and id = ${id} and state = 'ready' and expires_at > now()
  `);

/** Index exports_expired. */
export const findExpired = (db: Database) =>
  db.column<string>(sql`
    select id from exports where expires_at < now() limit 1000
  `);

export const deleteExports = (db: Database, ids: readonly string[]) =>
  db.run(sql`delete from exports where id = any(${ids}::uuid[])`);
