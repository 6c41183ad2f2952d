import { sql, type RawBuilder } from "kysely";
import type { KeyedRow } from "#server/db/cursors.ts";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import { timeOf } from "#server/db/ids.ts";
import { visibleTo } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import { commentStands, commentView } from "#server/features/posts/post-view.queries.ts";
import type { CommentView } from "#shared/views.ts";

export type NewComment = PostRef & {
  id: string;
  accountId: string;
  body: string;
  clientKey: string | null;
};

/**
 * Writes a comment and counts it; with a clientKey that its writer used on this post before,
 * neither. Answers the id it stands under. The post's row is locked already (lockPost).
 */
export async function insertComment(db: Database, comment: NewComment): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with added as (
      insert into comments (author_id, post_id, id, account_id, body, client_key, created_at)
      values (${comment.authorId}, ${comment.postId}, ${comment.id}, ${comment.accountId},
        ${comment.body}, ${comment.clientKey}, ${new Date(timeOf(comment.id))})
      on conflict (author_id, post_id, account_id, client_key) where client_key is not null
        do nothing
      returning id
    ), counted as (
      update posts set comment_count = comment_count + 1
      where author_id = ${comment.authorId} and id = ${comment.postId}
        and exists (select from added)
    )
    select id from added
    union all
    select id from comments
    where author_id = ${comment.authorId} and post_id = ${comment.postId}
      and account_id = ${comment.accountId} and client_key = ${comment.clientKey}
      and not exists (select from added)
  `.execute(db.kysely);
  const [row] = rows;
  if (!row) throw new Error("a comment was neither new nor known");
  return row.id;
}

/** Primary key of comments. */
export async function findComment(
  db: Database,
  viewerId: string,
  { authorId, postId, id }: PostRef & { id: string },
): Promise<CommentView | null> {
  const [row] = await db.prepared<{ item: CommentView }>(
    "comments.get",
    sql`
      select ${commentView(viewerId)} as item
      from comments c
      join accounts writer on writer.id = c.account_id
      where c.author_id = ${authorId} and c.post_id = ${postId} and c.id = ${id}
        and ${visibleTo(viewerId, "writer")}
    `.compile(db.kysely),
  );
  return row?.item ?? null;
}

/** Oldest first, null when the post is not there to be seen. Primary key of comments. */
export async function commentsOf(
  db: Database,
  { above, ...place }: Place & { above: string },
): Promise<KeyedRow<CommentView>[] | null> {
  const listed = listedComments(place, {
    where: sql`id > ${above}`,
    columns: sql`c.id, ${commentView(place.viewerId)} as item`,
  });
  const rows = await db.prepared<KeyedRow<CommentView> | { key: null }>(
    "comments.list",
    sql`
      select
        case when listed.id is not null then json_build_array(listed.id) end as key,
        listed.item
      from ${listed}
      order by listed.id
    `.compile(db.kysely),
  );
  if (rows.length === 0) return null;
  return rows.flatMap((row) => (row.key === null ? [] : [row]));
}

/**
 * Which comments of a range the viewer may see now, oldest first, null when the post is not there
 * to be seen. Primary key of comments.
 */
export async function standingComments(
  db: Database,
  { from, to, ...place }: Place & { from: string; to: string },
): Promise<string[] | null> {
  const listed = listedComments(place, {
    where: sql`id between ${from} and ${to}`,
    columns: sql`c.id`,
  });
  const rows = await db.prepared<{ id: string | null }>(
    "comments.standing",
    sql`select listed.id from ${listed} order by listed.id`.compile(db.kysely),
  );
  if (rows.length === 0) return null;
  return rows.flatMap(({ id }) => id ?? []);
}

type Place = PostRef & { viewerId: string | null; limit: number };

/**
 * `listed`: the comments under a post that the viewer may see, of those that `where` names. One row
 * of nulls where there are none, no row where the post is not there to be seen.
 */
function listedComments(
  { authorId, postId, viewerId, limit }: Place,
  { where, columns }: { where: RawBuilder<unknown>; columns: RawBuilder<unknown> },
): RawBuilder<unknown> {
  return sql`
    (
      select p.author_id, p.id
      from posts p
      join accounts author on author.id = p.author_id
      where p.author_id = ${authorId} and ${visibleTo(viewerId, "author")}
        and ${probe("p.id", postId)}
    ) p
    left join lateral (
      select ${columns}
      from (
        select * from comments
        where author_id = p.author_id and post_id = p.id and ${where}
        order by id
      ) c
      cross join lateral (
        select * from accounts a
        where a.id = c.account_id and ${visibleTo(viewerId, "a")} limit 1
      ) writer
      where ${commentStands("c")}
      order by c.id
      limit ${limit}
    ) listed on true
  `;
}

/** Deletes a comment and counts it off, when its writer or the post's author asks. */
export async function deleteComment(
  db: Database,
  { authorId, postId, id, askedBy }: PostRef & { id: string; askedBy: string },
): Promise<"deleted" | "not-found" | "not-yours"> {
  const { rows } = await sql<{ writer: string; deleted: boolean }>`
    with removed as (
      delete from comments
      where author_id = ${authorId} and post_id = ${postId} and id = ${id}
        and ${askedBy}::uuid in (account_id, author_id)
      returning id
    ), counted as (
      update posts set comment_count = comment_count - 1
      where author_id = ${authorId} and id = ${postId} and exists (select from removed)
    )
    select account_id as writer, exists (select from removed) as deleted
    from comments
    where author_id = ${authorId} and post_id = ${postId} and id = ${id}
  `.execute(db.kysely);
  const [row] = rows;
  if (!row) return "not-found";
  return row.deleted ? "deleted" : "not-yours";
}

/** Deletes all comments of a post; how many there were. The post's row is locked already. */
export async function deleteComments(db: Database, { authorId, postId }: PostRef): Promise<number> {
  const { numDeletedRows } = await db.kysely
    .deleteFrom("comments")
    .where("author_id", "=", authorId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  await db.kysely
    .updateTable("posts")
    .set({ comment_count: 0 })
    .where("author_id", "=", authorId)
    .where("id", "=", postId)
    .execute();
  return Number(numDeletedRows);
}
