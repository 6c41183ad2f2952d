import { sql, type Sql } from "#server/platform/db/sql.ts";
import { listOfOwner, orderOf, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountsOf, noBlock, type ListedAccount } from "#server/features/people/index.ts";
import { deleteEdge, insertEdge, type Edge } from "#server/features/counted-edges.queries.ts";
import {
  byKey,
  lockedPost,
  visiblePost,
  type PostAt,
} from "#server/features/posts/lock.queries.ts";
import type { PostRef } from "#server/features/types.ts";

/** The post, its count as it was, and the id of the inserted or deleted like, if any. */
type Change = PostRef & { likeCount: number; changed: string | null };

export const edge: Edge = {
  table: "likes",
  key: ["author_id", "post_id", "account_id"],
  counters: [
    { table: "posts", column: "like_count", at: { author_id: "author_id", id: "post_id" } },
  ],
};

/**
 * Null when the post cannot be seen. Its row is locked, so that the likes of one post wait for each other.
 */
export async function insertLike(
  db: Database,
  { id, ...like }: { at: PostAt; accountId: string; id: string },
): Promise<Change | null> {
  return insertEdge(db, { edge, id, ...heldPost(db, "likes.insert", like) });
}

export async function deleteLike(
  db: Database,
  like: { at: PostAt; accountId: string },
): Promise<Change | null> {
  return deleteEdge(db, { edge, ...heldPost(db, "likes.delete", like) });
}

function heldPost(
  db: Database,
  name: string,
  { at, accountId }: { at: PostAt; accountId: string },
): { name: string; held: Sql } {
  const columns = sql`
    p.author_id, p.id as post_id, ${accountId}::uuid as account_id,
    p.author_id as "authorId", p.id as "postId", p.like_count as "likeCount"
  `;
  return { name: byKey(name, at), held: lockedPost(db, accountId, at, columns) };
}

/**
 * Who likes a post, of the people whom the viewer may see, from one end; null when the post cannot be seen.
 * People with a block between them and its author are left out, as under its comments. Index likes_newest.
 */
export async function likersOf(
  db: Database,
  { authorId, postId, ...page }: PostRef & IdRange & { viewerId: string | null },
): Promise<KeyedRow<ListedAccount>[] | null> {
  const { viewerId, below, above, upward } = page;
  const post = visiblePost(db, viewerId, { authorId, postId }, sql`p.author_id, p.id`);
  const entries = sql`
    select id, account_id from likes
    where author_id = p.author_id and post_id = p.id and id < ${below} and id > ${above}
      and ${noBlock(sql.ref("likes.author_id"), sql.ref("likes.account_id"))}
    order by id ${orderOf(upward)}
  `;
  return listOfOwner<ListedAccount>(
    db,
    upward ? "likes.list-above" : "likes.list",
    sql`(${post}) p left join lateral ${accountsOf(entries, page)} listed on true`,
    upward,
  );
}
