import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { endedImport, isOpen, type EndedImport } from "#server/features/archive/imports.queries.ts";
import type { ArchiveKind, ExportKind } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

type ImportKey = { accountId: string; id: string };

/** What it is begun with; `posts` are still to come. */
export type NewDeviceImport = {
  kind: ExportKind;
  audience: Audience;
  posts: number;
  showNewest: boolean;
};

/** The account's import that is not over. Index imports_one_at_a_time. */
export const findRunning = (db: Database, accountId: string) =>
  db.first<{ id: string; kind: ArchiveKind; open: boolean }>(sql`
    select id, kind, ${isOpen} as open from imports
    where account_id = ${accountId} and state = 'waiting'
  `);

/** False when another one is running. Unique index imports_one_at_a_time. */
export const insertOpen = (
  db: Database,
  { accountId, id, kind, audience, posts, showNewest }: ImportKey & NewDeviceImport,
) =>
  db.any(sql`
    insert into imports
      (account_id, id, kind, audience, total, show_newest, checked, device_seen_at)
    values (${accountId}, ${id}, ${kind}, ${audience}, ${posts}, ${showNewest}, true, now())
    on conflict do nothing
    returning id
  `);

/** A device goes on with it: whom it is for, and what is shown in feeds, is as chosen last. False when it is over. Primary key. */
export const reopen = (
  db: Database,
  { accountId, id, audience, posts, showNewest }: ImportKey & Omit<NewDeviceImport, "kind">,
) =>
  db.any(sql`
    update imports set audience = ${audience}, total = done + ${posts}, show_newest = ${showNewest},
      device_seen_at = now()
    where account_id = ${accountId} and id = ${id} and ${isOpen}
    returning id
  `);

export type DeviceImport = ImportKey & {
  kind: ExportKind;
  audience: Audience;
  createdAt: Date;
  open: boolean;
};

/** One from a device, also when it is over. Primary key. */
export const findDeviceImport = (db: Database, { accountId, id }: ImportKey) =>
  db.first<DeviceImport>(sql`
    select account_id as "accountId", id, kind, audience, created_at as "createdAt", ${isOpen} as open
    from imports
    where account_id = ${accountId} and id = ${id} and device_seen_at is not null
  `);

/** Counts a post that it just made, in the post's transaction. False when it is over. Primary key. */
export const countTaken = (db: Database, { accountId, id }: ImportKey) =>
  db.any(sql`
    update imports set taken = taken + 1, done = done + 1, total = greatest(total, done + 1),
      device_seen_at = now()
    where account_id = ${accountId} and id = ${id} and ${isOpen}
    returning id
  `);

/**
 * Those of `keys` by which the account has a post; `own`: its open import made it. Unique index posts_client_key,
 * index imports_one_at_a_time.
 */
export const knownKeys = (db: Database, accountId: string, keys: readonly string[]) =>
  db.query<{ key: string; own: boolean }>(sql`
    select client_key as key, coalesce(import_id = (
      select id from imports where account_id = ${accountId} and ${isOpen}
    ), false) as own
    from posts
    where author_id = ${accountId} and client_key = any(${keys}::text[])
  `);

export type DeviceImportEnd = { skipped: string[]; leftOut: string[]; known: number };

/** Primary key. */
export async function endOpen(
  db: Database,
  { accountId, id }: ImportKey,
  { skipped, leftOut, known }: DeviceImportEnd,
): Promise<EndedImport | null> {
  const all = sql`taken + ${known}::integer + ${skipped.length}::integer`;
  return db.first<EndedImport>(sql`
    update imports set state = 'done', finished_at = now(), known = ${known}, done = ${all},
      total = ${all}, skipped = ${JSON.stringify(skipped)}::jsonb,
      left_out = ${JSON.stringify(leftOut)}::jsonb
    where account_id = ${accountId} and id = ${id} and ${isOpen}
    returning ${endedImport}
  `);
}

const isLeftAlone = (now: Date) => sql`(
  ${isOpen}
    and device_seen_at < ${now}::timestamptz - make_interval(days => ${sql.lit(limits.archive.openDays)})
)`;

/** Those that no device went on with. Index imports_left_alone. */
export const leftAlone = (db: Database, now: Date) =>
  db.query<ImportKey>(sql`
    select account_id as "accountId", id from imports where ${isLeftAlone(now)}
  `);

/** Ends one with this problem, unless a device went on with it just now. Primary key. */
export const endLeftAlone = (
  db: Database,
  { accountId, id }: ImportKey,
  now: Date,
  problem: string,
) =>
  db.first<EndedImport>(sql`
    update imports set state = 'failed', problem = ${problem}, finished_at = now()
    where account_id = ${accountId} and id = ${id} and ${isLeftAlone(now)}
    returning ${endedImport}
  `);

/**
 * Deletes unused images of imports that are over, of one account or of all; the keys of their files. Indexes
 * images_unclaimed_by_account, images_unclaimed.
 */
export async function deleteUnusedImages(db: Database, accountId?: string): Promise<string[]> {
  const whose = accountId === undefined ? sql`true` : sql`im.account_id = ${accountId}`;
  return db.column<string>(sql`
    delete from images im
    where ${whose} and im.claimed_at is null and im.import_id is not null and not exists (
      select from imports i
      where i.account_id = im.account_id and i.id = im.import_id and i.state = 'waiting'
    )
    returning key
  `);
}
