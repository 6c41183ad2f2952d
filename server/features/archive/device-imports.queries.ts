import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isOpen } from "#server/features/archive/imports.queries.ts";
import type { ArchiveKind, ExportKind } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";

type ImportKey = { accountId: string; id: string };

/** What it is begun with; `posts` are still to come. */
export type NewDeviceImport = { kind: ExportKind; audience: Audience; posts: number };

/** The account's import that is not over. Index imports_one_at_a_time. */
export async function findRunning(db: Database, accountId: string) {
  return db.first<{ id: string; kind: ArchiveKind; open: boolean }>(sql`
    select id, kind, ${isOpen} as open from imports
    where account_id = ${accountId} and state = 'waiting'
  `);
}

/** False when another one is running. Unique index imports_one_at_a_time. */
export async function insertOpen(
  db: Database,
  { accountId, id, kind, audience, posts }: ImportKey & NewDeviceImport,
): Promise<boolean> {
  return db.any(sql`
    insert into imports (account_id, id, kind, audience, total, checked, device_seen_at)
    values (${accountId}, ${id}, ${kind}, ${audience}, ${posts}, true, now())
    on conflict do nothing
    returning id
  `);
}

/** A device goes on with it: whom it is for is as chosen last. False when it is over. Primary key. */
export async function reopen(
  db: Database,
  { accountId, id, audience, posts }: ImportKey & Omit<NewDeviceImport, "kind">,
): Promise<boolean> {
  return db.any(sql`
    update imports set audience = ${audience}, total = done + ${posts}, device_seen_at = now()
    where account_id = ${accountId} and id = ${id} and ${isOpen}
    returning id
  `);
}

export type DeviceImport = ImportKey & {
  kind: ExportKind;
  audience: Audience;
  createdAt: Date;
  open: boolean;
};

/** One from a device, also when it is over. Primary key. */
export async function findDeviceImport(
  db: Database,
  { accountId, id }: ImportKey,
): Promise<DeviceImport | null> {
  return db.first<DeviceImport>(sql`
    select account_id as "accountId", id, kind, audience, created_at as "createdAt", ${isOpen} as open
    from imports
    where account_id = ${accountId} and id = ${id} and device_seen_at is not null
  `);
}

/** Counts a post that it just made, in the post's transaction. False when it is over. Primary key. */
export async function countTaken(db: Database, { accountId, id }: ImportKey): Promise<boolean> {
  return db.any(sql`
    update imports set taken = taken + 1, done = done + 1, total = greatest(total, done + 1),
      device_seen_at = now()
    where account_id = ${accountId} and id = ${id} and ${isOpen}
    returning id
  `);
}

/** Those of `keys` by which the account has a post. Unique index posts_client_key. */
export async function knownKeys(
  db: Database,
  accountId: string,
  keys: readonly string[],
): Promise<string[]> {
  const rows = await db.query<{ key: string }>(sql`
    select client_key as key from posts
    where author_id = ${accountId} and client_key = any(${keys}::text[])
  `);
  return rows.map(({ key }) => key);
}

export type DeviceImportEnd = { skipped: string[]; leftOut: string[]; known: number };

/** Primary key. */
export async function endOpen(
  db: Database,
  { accountId, id }: ImportKey,
  { skipped, leftOut, known }: DeviceImportEnd,
): Promise<void> {
  const all = sql`taken + ${known}::integer + ${skipped.length}::integer`;
  await db.query(sql`
    update imports set state = 'done', finished_at = now(), known = ${known}, done = ${all},
      total = ${all}, skipped = ${JSON.stringify(skipped)}::jsonb,
      left_out = ${JSON.stringify(leftOut)}::jsonb
    where account_id = ${accountId} and id = ${id} and ${isOpen}
  `);
}

/** Ends those that no device went on with, with this problem. Index imports_left_alone. */
export async function endLeftAlone(db: Database, now: Date, problem: string): Promise<void> {
  await db.query(sql`
    update imports set state = 'failed', problem = ${problem}, finished_at = now()
    where ${isOpen}
      and device_seen_at < ${now}::timestamptz - make_interval(days => ${sql.lit(limits.archive.openDays)})
  `);
}

/**
 * Deletes unused images of imports that are over, of one account or of all; the keys of their files. Indexes
 * images_unclaimed_by_account, images_unclaimed.
 */
export async function deleteUnusedImages(db: Database, accountId?: string): Promise<string[]> {
  const whose = accountId === undefined ? sql`true` : sql`im.account_id = ${accountId}`;
  const rows = await db.query<{ key: string }>(sql`
    delete from images im
    where ${whose} and im.claimed_at is null and im.import_id is not null and not exists (
      select from imports i
      where i.account_id = im.account_id and i.id = im.import_id and i.state = 'waiting'
    )
    returning key
  `);
  return rows.map(({ key }) => key);
}
