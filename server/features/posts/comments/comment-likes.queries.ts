import { sql, type Sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";
import { deleteEdge, insertEdge, type Edge } from "#server/features/counted-edges.queries.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { seenComment } from "#server/features/posts/comments/comments.queries.ts";
import { lockPostsOf } from "#server/features/posts/reactions.queries.ts";
import type { PostRef } from "#server/features/types.ts";

type Like = PostRef & { commentId: string; accountId: string };
/** Whose comment it is, its count as it was, and the id of the like that came or went, if one did. */
type Change = { writerId: string; likeCount: number; changed: string | null };

const edge: Edge = {
  table: "comment_likes",
  key: ["author_id", "post_id", "comment_id", "account_id"],
  counters: [
    {
      table: "comments",
      column: "like_count",
      at: { author_id: "author_id", post_id: "post_id", id: "comment_id" },
    },
  ],
};

/** Null when the comment is not there to be seen. */
export async function insertCommentLike(
  db: Database,
  { id, ...like }: Like & { id: string },
): Promise<Change | null> {
  return insertEdge(db, { edge, id, name: "comment-likes.insert", held: heldComment(like) });
}

export async function deleteCommentLike(db: Database, like: Like): Promise<Change | null> {
  return deleteEdge(db, { edge, name: "comment-likes.delete", held: heldComment(like) });
}

/** Of a post whose row is locked already (lockPost): nobody else counts or deletes it. */
function heldComment({ accountId, commentId, ...post }: Like): Sql {
  return sql`
    select c.author_id, c.post_id, c.id as comment_id, ${accountId}::uuid as account_id,
      c.account_id as "writerId", c.like_count as "likeCount"
    ${seenComment(accountId, { ...post, id: commentId })}
  `;
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
