import { sql, type Sql } from "#server/db/sql.ts";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { lockPostsOf } from "#server/features/posts/reactions.queries.ts";
import type { PostRef } from "#server/features/types.ts";

type Like = PostRef & { commentId: string; accountId: string };
/** The count as it is now, and the id of the like that came or went, if one did. */
type Changed = { likeCount: number; changed: string | null };

/** The post's row is locked already (lockPost), so the count that it answers is the latest. */
export async function insertCommentLike(
  db: Database,
  like: Like & { id: string },
): Promise<Changed> {
  const changed = sql`
    insert into comment_likes (author_id, post_id, comment_id, account_id, id)
    values (${like.authorId}, ${like.postId}, ${like.commentId}, ${like.accountId}, ${like.id})
    on conflict do nothing
    returning id
  `;
  return countChange(db, like, { name: "comment-likes.insert", changed, by: 1 });
}

export async function deleteCommentLike(db: Database, like: Like): Promise<Changed> {
  const changed = sql`
    delete from comment_likes
    where author_id = ${like.authorId} and post_id = ${like.postId}
      and comment_id = ${like.commentId} and account_id = (
        select account_id from comment_likes
        where author_id = ${like.authorId} and post_id = ${like.postId}
          and comment_id = ${like.commentId} and ${probe("account_id", like.accountId)}
      )
    returning id
  `;
  return countChange(db, like, { name: "comment-likes.delete", changed, by: -1 });
}

async function countChange(
  db: Database,
  { authorId, postId, commentId }: Like,
  { name, changed, by }: { name: string; changed: Sql; by: 1 | -1 },
): Promise<Changed> {
  const [row] = await db.prepared<Changed>(
    name,
    sql`
    with changed as (${changed}),
    counted as (
      update comments set like_count = like_count + ${sql.lit(by)}
      where author_id = ${authorId} and post_id = ${postId} and id = ${commentId}
        and exists (select from changed)
      returning like_count
    )
    select like_count as "likeCount", (select id from changed) as changed from counted
    union all
    select like_count, null from comments
    where author_id = ${authorId} and post_id = ${postId} and id = ${commentId}
      and not exists (select from changed)
  `,
  );
  if (!row) throw new Error("a comment of a locked post went away");
  return row;
}

/** Those that the account gave (account_id), or that stand under its posts (author_id). */
export async function removeCommentLikes(
  db: Database,
  owner: "account_id" | "author_id",
  { accountId, limit }: Batch,
): Promise<number> {
  const batch = sql`
    select author_id, post_id, comment_id, account_id from comment_likes
    where ${sql.ref(owner)} = ${accountId}
    limit ${limit}
  `;
  const { authors, posts } = await lockPostsOf(db, batch);
  if (posts.length === 0) return 0;
  const rows = await db.query<{ removed: number }>(sql`
    with chosen as (
      select author_id, post_id, comment_id, account_id from comment_likes
      where ${sql.ref(owner)} = ${accountId}
        and (author_id, post_id) in (select * from unnest(${authors}::uuid[], ${posts}::uuid[]))
      limit ${limit}
    ), removed as (
      delete from comment_likes l using chosen c
      where l.author_id = c.author_id and l.post_id = c.post_id
        and l.comment_id = c.comment_id and l.account_id = c.account_id
      returning l.author_id, l.post_id, l.comment_id
    ), counted as (
      update comments c set like_count = c.like_count - r.n
      from (
        select author_id, post_id, comment_id, count(*)::integer as n from removed group by 1, 2, 3
      ) r
      where c.author_id = r.author_id and c.post_id = r.post_id and c.id = r.comment_id
    )
    select count(*)::integer as removed from removed
  `);
  return rows[0]?.removed ?? 0;
}
