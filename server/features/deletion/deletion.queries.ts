import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { retiredDigest } from "#server/features/people/index.ts";

/**
 * Hides an account that is to be deleted, and answers when; an earlier date is not changed. Null:
 * no such account.
 */
export const markLeaving = (
  db: Database,
  { accountId, days }: { accountId: string; days: number },
) =>
  db.value<Date>(sql`
    update accounts set
      deleted_at = coalesce(deleted_at, now()),
      deletion_due_at = case
        when deletion_begun_at is null
          then least(deletion_due_at, now() + make_interval(days => ${days}::integer))
        else deletion_due_at
      end
    where id = ${accountId}
    returning deletion_due_at as due
  `);

/** Withdraws the request. False when there is none, or the deletion has begun. */
export const unmarkLeaving = (db: Database, accountId: string) =>
  db.any(sql`
    update accounts set deleted_at = null, deletion_due_at = null
    where id = ${accountId} and deletion_due_at is not null and deletion_begun_at is null
    returning id
  `);

/** Accounts whose days are over, the longest overdue first. Index accounts_deletion_due. */
export const findDue = (db: Database, limit: number) =>
  db.column<string>(sql`
    select id from accounts where deletion_due_at <= now() order by deletion_due_at limit ${limit}
  `);

/**
 * Makes accounts due that were deleted once and came back with an older backup; answers their ids. Reads all
 * accounts: only a restore asks.
 */
export const markDeletedOnce = (db: Database, digests: readonly string[]) =>
  db.column<string>(sql`
    update accounts set deleted_at = coalesce(deleted_at, now()), deletion_due_at = now()
    where encode(account_digest(id), 'hex') = any(${digests}::text[])
    returning id
  `);

/** From here on there is no way back. False when it is not due, or deleted already. */
export const beginDeletion = (db: Database, accountId: string) =>
  db.any(sql`
    update accounts set deletion_begun_at = coalesce(deletion_begun_at, now()), avatar_image_id = null
    where id = ${accountId} and deletion_due_at <= now()
    returning id
  `);

export type OwnedTable = { table: string; column: string };

/**
 * Every table whose rows go with their account (a foreign key with on delete cascade), as the
 * database itself lists them: what is added later is deleted too.
 */
export const ownedTables = (db: Database) =>
  db.query<OwnedTable>(sql`
    select t.relname as "table", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.confdeltype = 'c'
      and cardinality(c.conkey) = 1
      -- what is counted elsewhere has its own batches; names and counters stay until the very end
      and t.relname not in ('likes', 'comments', 'comment_likes', 'follows', 'followers',
        'posts', 'images', 'account_counters', 'usernames')
    order by t.relname, a.attname
  `);

export const removeOwned = (
  db: Database,
  { table, column }: OwnedTable,
  { accountId, limit }: Batch,
) =>
  db.scalar<number>(sql`
    with removed as (
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${accountId} limit ${limit}
      ))
      returning 1
    )
    select count(*)::integer as removed from removed
  `);

/**
 * The account itself, with its names and counters, unless rows that count elsewhere were added
 * meanwhile (then false). Its names are retired: nobody gets them again.
 */
export async function removeAccount(db: Database, accountId: string): Promise<boolean> {
  const held = await db.query<{ email: string }>(sql`
    select email from accounts
    where id = ${accountId} and deletion_begun_at is not null
    for update
  `);
  const [account] = held;
  if (!account) return true;
  const left = await db.query(sql`
    select 1 where
      exists (select from likes where account_id = ${accountId})
      or exists (select from comments where account_id = ${accountId})
      or exists (select from comment_likes where account_id = ${accountId})
      or exists (select from follows where follower_id = ${accountId})
      or exists (select from followers where followee_id = ${accountId})
      or exists (select from posts where author_id = ${accountId})
      or exists (select from images where account_id = ${accountId})
  `);
  if (left.length > 0) return false;
  await db.run(sql`
    insert into retired_usernames (digest)
    select ${retiredDigest(sql.ref("username"))} from usernames where account_id = ${accountId}
    union
    select ${retiredDigest(sql.ref("username"))} from accounts where id = ${accountId}
    on conflict do nothing
  `);
  // Emails in the queue, and those of the last minutes: jobs that name the account.
  await db.run(sql`
    delete from pgboss.job
    where position(${accountId} in data::text) > 0
      or position(${account.email} in lower(data::text)) > 0
  `);
  await db.run(sql`delete from bookmarks where author_id = ${accountId}`);
  await db.run(sql`delete from accounts where id = ${accountId}`);
  return true;
}
