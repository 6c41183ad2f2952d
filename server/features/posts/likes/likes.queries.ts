import { sql, type Sql } from "#server/platform/db/sql.ts";
import { rowsOfOwner, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  listedAccount,
  noBlock,
  visibleTo,
  type ListedAccount,
} from "#server/features/people/index.ts";
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
  {
    authorId,
    postId,
    viewerId,
    below,
    above,
    upward,
    limit,
  }: PostRef & IdRange & { viewerId: string | null },
): Promise<KeyedRow<ListedAccount>[] | null> {
  const order = sql.raw(upward ? "asc" : "desc");
  const name = upward ? "likes.list-above" : "likes.list";
  const rows = await db.query<KeyedRow<ListedAccount> | { key: null }>(sql.named(name)`
    select
      case when listed.id is not null then json_build_array(listed.id) end as key,
      listed.item
    from (${visiblePost(db, viewerId, { authorId, postId }, sql`p.author_id, p.id`)}) p
    left join lateral (
      select
        l.id,
        ${listedAccount(viewerId, "account")} as item
      from (
        select * from likes
        where author_id = p.author_id and post_id = p.id and id < ${below} and id > ${above}
        order by id ${order}
      ) l
      cross join lateral (
        select * from accounts a where a.id = l.account_id and ${visibleTo(viewerId, "a")} limit 1
      ) account
      where ${noBlock(sql.ref("l.author_id"), sql.ref("l.account_id"))}
      order by l.id ${order}
      limit ${limit}
    ) listed on true
    order by listed.id ${order}
  `);
  return rowsOfOwner(rows);
}
