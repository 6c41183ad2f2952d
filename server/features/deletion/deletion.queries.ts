import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import { retiredDigest } from "#server/features/people/index.ts";

/**
 * What is deleted of an account, batch by batch. Each function takes at most `limit` rows away,
 * corrects the counters that counted them in the same transaction (its caller's), and answers how
 * many rows it found: 0 when nothing is left. Locks are taken as everywhere: counters of accounts
 * by id, then posts by key (see docs/decisions/0022).
 */
type Batch = { accountId: string; limit: number };

/** Hides an account that is to be deleted, and answers when; an earlier day stands. Null: not there. */
export async function markLeaving(
  db: Database,
  { accountId, days }: { accountId: string; days: number },
): Promise<Date | null> {
  const { rows } = await sql<{ due: Date }>`
    update accounts set
      deleted_at = coalesce(deleted_at, now()),
      deletion_due_at = case
        when deletion_begun_at is null
          then least(deletion_due_at, now() + make_interval(days => ${days}::integer))
        else deletion_due_at
      end
    where id = ${accountId}
    returning deletion_due_at as due
  `.execute(db.kysely);
  return rows[0]?.due ?? null;
}

/** Takes the request back. False when there is none, or the deletion has begun. */
export async function unmarkLeaving(db: Database, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    update accounts set deleted_at = null, deletion_due_at = null
    where id = ${accountId} and deletion_due_at is not null and deletion_begun_at is null
    returning id
  `.execute(db.kysely);
  return rows.length > 0;
}

/** Accounts whose days are over, the longest overdue first. Index accounts_deletion_due. */
export async function findDue(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from accounts where deletion_due_at <= now() order by deletion_due_at limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ id }) => id);
}

/** From here on there is no way back. False when it is not due, or gone already. */
export async function beginDeletion(db: Database, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    update accounts set deletion_begun_at = coalesce(deletion_begun_at, now()), avatar_image_id = null
    where id = ${accountId} and deletion_due_at <= now()
    returning id
  `.execute(db.kysely);
  return rows.length > 0;
}

type PostKeys = { authors: string[]; posts: string[] };

/** The posts of a batch of rows (likes, comments) of the account, or on its posts; locked. */
async function lockPostsOf(
  db: Database,
  table: "likes" | "comments",
  owner: "account_id" | "author_id",
  { accountId, limit }: Batch,
): Promise<PostKeys> {
  const { rows } = await sql<{ author_id: string; id: string }>`
    with batch as materialized (
      select author_id, post_id from ${sql.table(table)}
      where ${sql.ref(owner)} = ${accountId}
      limit ${limit}
    )
    select p.author_id, p.id from posts p
    where (p.author_id, p.id) in (select author_id, post_id from batch)
    order by p.author_id, p.id
    for no key update
  `.execute(db.kysely);
  return { authors: rows.map(({ author_id }) => author_id), posts: rows.map(({ id }) => id) };
}

/** Likes or comments: those that the account made (account_id) or that its posts got (author_id). */
export async function removeReactions(
  db: Database,
  table: "likes" | "comments",
  owner: "account_id" | "author_id",
  batch: Batch,
): Promise<number> {
  const { authors, posts } = await lockPostsOf(db, table, owner, batch);
  if (posts.length === 0) return 0;
  const counter = sql.ref(table === "likes" ? "like_count" : "comment_count");
  const { rows } = await sql<{ removed: number }>`
    with chosen as (
      select r.author_id, r.post_id, r.id
      from ${sql.table(table)} r
      where r.${sql.ref(owner)} = ${batch.accountId}
        and (r.author_id, r.post_id) in (
          select * from unnest(${authors}::uuid[], ${posts}::uuid[])
        )
      limit ${batch.limit}
    ), removed as (
      delete from ${sql.table(table)} r using chosen c
      where r.author_id = c.author_id and r.post_id = c.post_id and r.id = c.id
        and r.${sql.ref(owner)} = ${batch.accountId}
      returning r.author_id, r.post_id
    ), counted as (
      update posts p set ${counter} = p.${counter} - r.n
      from (select author_id, post_id, count(*)::integer as n from removed group by 1, 2) r
      where p.author_id = r.author_id and p.id = r.post_id
    )
    select count(*)::integer as removed from removed
  `.execute(db.kysely);
  return rows[0]?.removed ?? 0;
}

/** Whom the account follows ("follows") or who follows it ("followers"): both halves at once. */
export async function removeFollows(
  db: Database,
  side: "follows" | "followers",
  { accountId, limit }: Batch,
): Promise<number> {
  const own = sql.ref(side === "follows" ? "follower_id" : "followee_id");
  const other = sql.ref(side === "follows" ? "followee_id" : "follower_id");
  const mirror = sql.table(side === "follows" ? "followers" : "follows");
  const ownCounter = sql.ref(side === "follows" ? "following" : "followers");
  const otherCounter = sql.ref(side === "follows" ? "followers" : "following");
  const { rows: locked } = await sql<{ id: string }>`
    with batch as materialized (
      select ${other} as id from ${sql.table(side)} where ${own} = ${accountId} limit ${limit}
    )
    select c.account_id as id from account_counters c
    where c.account_id = ${accountId} or c.account_id in (select id from batch)
    order by c.account_id
    for no key update
  `.execute(db.kysely);
  const others = locked.map(({ id }) => id).filter((id) => id !== accountId);
  if (others.length === 0) return 0;
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from ${sql.table(side)}
      where ${own} = ${accountId} and ${other} = any(${others}::uuid[])
      returning ${other} as id
    ), mirrored as (
      delete from ${mirror} m using removed
      where m.${own} = ${accountId} and m.${other} = removed.id
    ), counted as (
      update account_counters c set ${otherCounter} = c.${otherCounter} - 1
      from removed where c.account_id = removed.id
    ), own as (
      update account_counters set ${ownCounter} = ${ownCounter} - (select count(*) from removed)
      where account_id = ${accountId}
    )
    select count(*)::integer as removed from removed
  `.execute(db.kysely);
  return rows[0]?.removed ?? 0;
}

/** The account's own bookmarks ("account_id"), or everybody's of its posts ("author_id"). */
export async function removeBookmarks(
  db: Database,
  owner: "account_id" | "author_id",
  { accountId, limit }: Batch,
): Promise<number> {
  const { rows } = await sql`
    delete from bookmarks b using (
      select account_id, author_id, post_id from bookmarks
      where ${sql.ref(owner)} = ${accountId}
      limit ${limit}
    ) chosen
    where b.account_id = chosen.account_id and b.author_id = chosen.author_id
      and b.post_id = chosen.post_id
    returning b.post_id
  `.execute(db.kysely);
  return rows.length;
}

/** The account's own posts, whose likes, comments and bookmarks are gone: their pictures stay rows. */
export async function removePosts(db: Database, { accountId, limit }: Batch): Promise<number> {
  await sql`
    select account_id from account_counters where account_id = ${accountId} for no key update
  `.execute(db.kysely);
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from posts where author_id = ${accountId} and id in (
        select id from posts where author_id = ${accountId} order by id limit ${limit}
      )
      returning id
    ), unsaved as (
      delete from bookmarks b using removed
      where b.author_id = ${accountId} and b.post_id = removed.id
    ), counted as (
      update account_counters set posts = posts - (select count(*) from removed)
      where account_id = ${accountId}
    )
    select count(*)::integer as removed from removed
  `.execute(db.kysely);
  return rows[0]?.removed ?? 0;
}

/** Pictures of the account, at most `limit`: what their files lie under. */
export async function pictureKeys(db: Database, { accountId, limit }: Batch): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from images where account_id = ${accountId} limit ${limit}
  `.execute(db.kysely);
  return rows.map(({ key }) => key);
}

/** Their rows, once the files are gone. */
export async function removePictures(
  db: Database,
  accountId: string,
  keys: readonly string[],
): Promise<number> {
  const { rows } = await sql`
    delete from images where account_id = ${accountId} and key = any(${keys}::text[]) returning id
  `.execute(db.kysely);
  return rows.length;
}

export type OwnedTable = { table: string; column: string };

/**
 * Every table whose rows go with their account (a foreign key with on delete cascade), as the
 * database itself names them: what is added later is deleted too.
 */
export async function ownedTables(db: Database): Promise<OwnedTable[]> {
  const { rows } = await sql<OwnedTable>`
    select t.relname as "table", a.attname as "column"
    from pg_constraint c
    join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.confdeltype = 'c'
      and cardinality(c.conkey) = 1
      -- what is counted elsewhere has its own batches; names and counters stay until the very end
      and t.relname not in ('likes', 'comments', 'follows', 'followers', 'posts', 'images',
        'account_counters', 'usernames')
    order by t.relname, a.attname
  `.execute(db.kysely);
  return rows;
}

export async function removeOwned(
  db: Database,
  { table, column }: OwnedTable,
  { accountId, limit }: Batch,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(column)} = ${accountId} limit ${limit}
      ))
      returning 1
    )
    select count(*)::integer as removed from removed
  `.execute(db.kysely);
  return rows[0]?.removed ?? 0;
}

/**
 * The account itself, with its names and counters, unless rows that count elsewhere came in
 * meanwhile (then false). Its names are retired: nobody gets them again.
 */
export async function removeAccount(db: Database, accountId: string): Promise<boolean> {
  const { rows: held } = await sql<{ email: string }>`
    select email from accounts
    where id = ${accountId} and deletion_begun_at is not null
    for update
  `.execute(db.kysely);
  const [account] = held;
  if (!account) return true;
  const { rows: left } = await sql`
    select 1 where
      exists (select from likes where account_id = ${accountId})
      or exists (select from comments where account_id = ${accountId})
      or exists (select from follows where follower_id = ${accountId})
      or exists (select from followers where followee_id = ${accountId})
      or exists (select from posts where author_id = ${accountId})
      or exists (select from images where account_id = ${accountId})
  `.execute(db.kysely);
  if (left.length > 0) return false;
  await sql`
    insert into retired_usernames (digest)
    select ${retiredDigest(sql.ref("username"))} from usernames where account_id = ${accountId}
    union
    select ${retiredDigest(sql.ref("username"))} from accounts where id = ${accountId}
    on conflict do nothing
  `.execute(db.kysely);
  await sql`
    delete from verifications
    where position(${accountId} in value) > 0
      or position(${account.email} in lower(identifier || ' ' || value)) > 0
  `.execute(db.kysely);
  // Letters on their way, and those of the last minutes: jobs that name the account.
  await sql`
    delete from pgboss.job
    where position(${accountId} in data::text) > 0
      or position(${account.email} in lower(data::text)) > 0
  `.execute(db.kysely);
  await sql`delete from bookmarks where author_id = ${accountId}`.execute(db.kysely);
  await sql`delete from accounts where id = ${accountId}`.execute(db.kysely);
  return true;
}
