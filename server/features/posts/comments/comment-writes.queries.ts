import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import type { PostRef } from "#server/features/types.ts";
import { limits } from "#shared/limits.ts";
import type { Batch, Side } from "#server/features/in-batches.ts";
import { removeCounted, removeReactions } from "#server/features/posts/reactions.queries.ts";

export type NewComment = PostRef & {
  id: string;
  /** the comment that it is under */
  rootId: string | null;
  accountId: string;
  body: string;
  clientKey: string | null;
  language: string | null;
};

/**
 * Writes a comment and counts it, unless its writer used the clientKey on this post before. Returns the id
 * of the comment that it is under. The post's row is locked already (lockPost).
 */
export const insertComment = (db: Database, comment: NewComment) =>
  db.scalar<string>(sql.named("comments.insert")`
  with added as (
    insert into comments
      (author_id, post_id, id, root_id, account_id, body, client_key, language, created_at)
    values (${comment.authorId}, ${comment.postId}, ${comment.id}, ${comment.rootId},
      ${comment.accountId}, ${comment.body}, ${comment.clientKey}, ${comment.language},
      ${new Date(timeOf(comment.id))})
    on conflict (author_id, post_id, account_id, client_key) where client_key is not null
      do nothing
    returning id
  ), counted as (
    update posts set comment_count = comment_count + 1
    where author_id = ${comment.authorId} and id = ${comment.postId}
      and exists (select from added)
  ), answered as (
    update comments set reply_count = reply_count + 1
    where author_id = ${comment.authorId} and post_id = ${comment.postId}
      and id = ${comment.rootId} and exists (select from added)
  )
  select id from added
  union all
  select id from comments
  where author_id = ${comment.authorId} and post_id = ${comment.postId}
    and account_id = ${comment.accountId} and client_key = ${comment.clientKey}
    and not exists (select from added)
`);

/** The id of the comment that its writer sent with this key. Unique key comments_client_key. */
export async function findSubmitted(
  db: Database,
  accountId: string,
  { authorId, postId }: PostRef,
  clientKey: string | null,
): Promise<string | null> {
  if (clientKey === null) return null;
  return db.value<string>(sql`
    select id
    from comments
    where author_id = ${authorId} and post_id = ${postId} and account_id = ${accountId}
      and client_key = ${clientKey}
  `);
}

/** Whether one follows the other, who cannot be unfollowed before the transaction ends. Primary key. */
export const holdFollow = (db: Database, followerId: string, followeeId: string) =>
  db.any(sql`
    select from follows
    where follower_id = ${followerId} and followee_id = ${followeeId}
    for key share
  `);

type HeldComment = { accountId: string; body: string; language: string | null; late: boolean };

/** What its writer may edit, locked until the transaction ends. Primary key. */
export const lockForEdit = (db: Database, { authorId, postId, id }: PostRef & { id: string }) =>
  db.first<HeldComment>(sql`
    select account_id as "accountId", body, language,
      created_at <= now() - make_interval(mins => ${limits.commentEditMinutes}) as late
    from comments
    where author_id = ${authorId} and post_id = ${postId} and id = ${id}
    for no key update
  `);

/** Another language alone does not show as an edit. */
export const writeBody = (
  db: Database,
  {
    authorId,
    postId,
    id,
    body,
    language,
  }: PostRef & { id: string; body: string; language: string | null },
) =>
  db.run(sql`
    update comments set body = ${body}, language = ${language},
      edited_at = case when body = ${body} then edited_at else now() end
    where author_id = ${authorId} and post_id = ${postId} and id = ${id}
  `);

type Deleted = { writer: string; rootId: string | null; deleted: string[] };

/**
 * Deletes a comment with the replies under it, and subtracts them, at the request of its writer or the
 * post's author. Returns what was deleted.
 */
export const deleteComment = (
  db: Database,
  { authorId, postId, id, askedBy }: PostRef & { id: string; askedBy: string },
) =>
  db.first<Deleted>(sql`
    with wanted as materialized (
      select root_id, account_id, reply_count,
        ${askedBy}::uuid in (account_id, ${authorId}::uuid) as allowed
      from comments
      where author_id = ${authorId} and post_id = ${postId} and id = ${id}
    ), itself as (
      delete from comments
      where author_id = ${authorId} and post_id = ${postId} and id = ${id}
        and exists (select from wanted where allowed)
      returning id
    ), answers as (
      -- checked only where there are any: a comment without replies costs one key
      delete from comments
      where author_id = ${authorId} and post_id = ${postId} and root_id = ${id}
        and exists (select from wanted where allowed and reply_count > 0)
      returning id
    ), removed as (
      select id from itself union all select id from answers
    ), counted as (
      update posts set comment_count = comment_count - (select count(*) from removed)
      where author_id = ${authorId} and id = ${postId} and exists (select from removed)
    ), answered as (
      update comments set reply_count = reply_count - 1
      where author_id = ${authorId} and post_id = ${postId}
        and id = (select root_id from wanted) and exists (select from removed)
    )
    select account_id as writer, root_id as "rootId",
      array(select id::text from removed) as deleted from wanted
  `);

/** Deletes all comments of a post; how many there were. The post's row is locked already. */
export async function deleteComments(db: Database, { authorId, postId }: PostRef): Promise<number> {
  const rows = await db.query(sql`
    delete from comments
    where author_id = ${authorId} and post_id = ${postId}
    returning id
  `);
  await db.run(sql`
    update posts set comment_count = 0 where author_id = ${authorId} and id = ${postId}
  `);
  return rows.length;
}

const kind = {
  table: "comments",
  key: ["author_id", "post_id", "id"],
  counters: [
    { table: "posts", column: "comment_count", at: { author_id: "author_id", id: "post_id" } },
  ],
};

const answered = sql`
  answered as (
    update comments root set reply_count = root.reply_count - r.n
    from (
      select author_id, post_id, root_id, count(*)::integer as n from removed
      -- a row that is deleted by this statement cannot change in it
      where root_id is not null and root_id not in (select id from removed)
      group by 1, 2, 3
    ) r
    where root.author_id = r.author_id and root.post_id = r.post_id and root.id = r.root_id
  )
`;

/** Those that the account wrote (account_id), or that are under its posts (author_id). */
export const removeComments = (db: Database, side: Side, batch: Batch): Promise<number> =>
  removeReactions(db, kind, side, batch, answered);

/** Others' replies to the account's comments, which are deleted with them. comments_by_account. */
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
  return removeCounted(db, kind, { rows, limit, along: answered });
}
