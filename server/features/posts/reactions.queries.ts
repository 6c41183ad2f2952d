import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";

type PostKeys = { authors: string[]; posts: string[] };

/** The posts of a batch of rows (likes, comments, likes of comments), given as a query; locked. */
export async function lockPostsOf(db: Database, batch: Sql): Promise<PostKeys> {
  const rows = await db.query<{ author_id: string; id: string }>(sql`
    with batch as materialized (${batch})
    select p.author_id, p.id from posts p
    where (p.author_id, p.id) in (select author_id, post_id from batch)
    order by p.author_id, p.id
    for no key update
  `);
  return { authors: rows.map(({ author_id }) => author_id), posts: rows.map(({ id }) => id) };
}

/** Likes or comments: those that the account made (account_id) or that its posts got (author_id). */
export async function removeReactions(
  db: Database,
  table: "likes" | "comments",
  owner: "account_id" | "author_id",
  { accountId, limit }: Batch,
): Promise<number> {
  const own = sql`select * from ${sql.table(table)} where ${sql.ref(owner)} = ${accountId}`;
  return table === "likes"
    ? removeLocked(db, { table, rows: own, counter: "like_count" }, limit)
    : removeLocked(db, { table, rows: own, counter: "comment_count" }, limit);
}

/** What others answered under the account's comments: it goes with them. comments_by_account. */
export async function removeReplies(db: Database, { accountId, limit }: Batch): Promise<number> {
  const rows = sql`
    select r.* from (
      select author_id, post_id, id from comments
      where account_id = ${accountId} and reply_count > 0
      limit ${limit}
    ) root
    cross join lateral (
      select * from comments c
      where c.author_id = root.author_id and c.post_id = root.post_id and c.root_id = root.id
      order by c.id
      limit ${limit}
    ) r
  `;
  return removeLocked(db, { table: "comments", rows, counter: "comment_count" }, limit);
}

type Removal = {
  table: "likes" | "comments";
  /** those to remove, a batch at a time */
  rows: Sql;
  counter: "like_count" | "comment_count";
};

async function removeLocked(
  db: Database,
  { table, rows: wanted, counter }: Removal,
  limit: number,
): Promise<number> {
  const { authors, posts } = await lockPostsOf(db, sql`${wanted} limit ${limit}`);
  if (posts.length === 0) return 0;
  const count = sql.ref(counter);
  const comments = table === "comments";
  const rows = await db.query<{ removed: number }>(sql`
    with chosen as (
      select r.author_id, r.post_id, r.id
      from (${wanted}) r
      where (r.author_id, r.post_id) in (
        select * from unnest(${authors}::uuid[], ${posts}::uuid[])
      )
      limit ${limit}
    ), removed as (
      delete from ${sql.table(table)} r using chosen c
      where r.author_id = c.author_id and r.post_id = c.post_id and r.id = c.id
      returning r.author_id, r.post_id, r.id, ${comments ? sql`r.root_id` : sql`null::uuid as root_id`}
    ), counted as (
      update posts p set ${count} = p.${count} - r.n
      from (select author_id, post_id, count(*)::integer as n from removed group by 1, 2) r
      where p.author_id = r.author_id and p.id = r.post_id
    ), answered as (
      update comments root set reply_count = root.reply_count - r.n
      from (
        select author_id, post_id, root_id, count(*)::integer as n from removed
        -- a row that goes with this statement cannot change in it
        where root_id is not null and root_id not in (select id from removed)
        group by 1, 2, 3
      ) r
      where root.author_id = r.author_id and root.post_id = r.post_id and root.id = r.root_id
    )
    select count(*)::integer as removed from removed
  `);
  return rows[0]?.removed ?? 0;
}
