import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";

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
