import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";
import { lock } from "#server/features/posts/feed/home-lists.queries.ts";
import { toFollowers } from "#server/features/posts/feed/home-page.queries.ts";

/** Deletes lists that nobody has read for `days`, at most `limit`; how many. home_lists_read. */
export async function dropIdle(db: Database, days: number, limit: number): Promise<number> {
  return drop(
    db,
    sql`
      select account_id from home_lists
      where read_at < now() - make_interval(days => ${days})
      order by read_at limit ${limit}
    `,
  );
}

/** Of an account that is being deleted: its own list. Whether there was one. */
export async function dropListOf(db: Database, accountId: string): Promise<boolean> {
  return (await drop(db, sql`select ${accountId}::uuid as account_id`)) > 0;
}

/** In a snapshot that sees what earlier holders of the lock wrote to the lists. */
async function drop(db: Database, lists: Sql): Promise<number> {
  return db.transaction(async () => {
    await db.run(sql`select pg_advisory_xact_lock(${lock})`);
    const rows = await db.query<{ account_id: string }>(sql`
      delete from home_lists where account_id = any(array(${lists})) returning account_id
    `);
    const gone = rows.map(({ account_id }) => account_id);
    await db.run(sql`delete from home_entries where account_id = any(${gone}::uuid[])`);
    return gone.length;
  });
}

/**
 * Of an account that is being deleted: its posts from the lists of `limit` followers after `after`. The last
 * of them, null when there is nobody left, and whether there was anything. followers_listed, then the
 * primary key of home_entries.
 */
export async function removeAuthor(
  db: Database,
  { authorId, after, limit }: { authorId: string; after: string; limit: number },
): Promise<{ last: string | null; removed: boolean }> {
  const waiting = await db.query(sql`
    delete from home_pending where author_id = ${authorId} returning post_id
  `);
  const rows = await db.query<{ follower_id: string }>(sql`
    select follower_id from followers
    where followee_id = ${authorId} and listed and follower_id > ${after}
    order by follower_id
    limit ${limit}
  `);
  const readers = rows.map(({ follower_id }) => follower_id);
  const entered = await db.query(sql`
    delete from home_entries where ctid = any(array(
      select e.ctid from unnest(${readers}::uuid[]) as reader (id)
      cross join lateral (
        select ctid from home_entries
        where account_id = reader.id and author_id = ${authorId}
        order by post_id
      ) e
    ))
    returning post_id
  `);
  const removed = waiting.length + entered.length > 0;
  return { last: readers.at(-1) ?? null, removed };
}

/**
 * Deletes entries of posts that are deleted or no longer for followers, and of follows that ended: readers
 * skip them. Meanwhile nobody puts posts into lists: one that is for followers again would be found there,
 * and then be gone. Primary keys, posts_to_followers.
 */
export async function removeFallen(db: Database, accountId: string): Promise<void> {
  await db.transaction(async () => {
    await db.run(sql`select pg_advisory_xact_lock(${lock})`);
    await db.run(sql.named("home-lists.remove-fallen")`
      delete from home_entries where ctid = any(array(
        select e.ctid
        from (
          select ctid, author_id, post_id from home_entries
          where account_id = ${accountId} order by post_id
        ) e
        where (
          select true from follows f
          where f.follower_id = ${accountId} and f.listed and ${probe("f.followee_id", sql`e.author_id`)}
        ) is null or (
          select true from posts p
          where p.author_id = e.author_id and ${toFollowers("p")} and ${probe("p.id", sql`e.post_id`)}
        ) is null
      ))
    `);
  });
}
