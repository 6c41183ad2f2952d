import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { deleteEdge, insertEdge, type Edge } from "#server/features/counted-edges.queries.ts";
import { visibleComment } from "#server/features/posts/comments/comments.queries.ts";
import type { PostRef } from "#server/features/types.ts";

type Like = PostRef & { commentId: string; accountId: string };
/** Who wrote the comment, its count as it was, and the id of the inserted or deleted like, if any. */
type Change = { writerId: string; likeCount: number; changed: string | null };

export const edge: Edge = {
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

/** Null when the comment cannot be seen. */
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
    ${visibleComment(accountId, { ...post, id: commentId })}
  `;
}
