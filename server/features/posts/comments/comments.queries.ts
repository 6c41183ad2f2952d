import { sql, type Sql } from "#server/platform/db/sql.ts";
import { listOfOwner, type KeyedRow } from "#server/platform/db/cursors.ts";
import { probe } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import { accountSeen } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import {
  commentNotBlocked,
  commentView,
  threadView,
  visibleComments,
  type ReadThread,
} from "#server/features/posts/comment-view.queries.ts";
import { visiblePost } from "#server/features/posts/lock.queries.ts";
import type { CommentView } from "#shared/views.ts";

/** A comment `c` that the viewer may see. Primary keys. */
export function visibleComment(
  viewerId: string | null,
  { authorId, postId, id }: PostRef & { id: string },
): Sql {
  return visibleComments(
    viewerId,
    sql`
      select * from comments
      where author_id = ${authorId} and post_id = ${postId} and ${probe("id", id)}
    `,
  );
}

export const findComment = (
  db: Database,
  viewerId: string | null,
  comment: PostRef & { id: string },
) =>
  db.value<CommentView>(sql.named("comments.get")`
    select ${commentView(viewerId)} as item ${visibleComment(viewerId, comment)}
  `);

/** Who wrote a comment, and under which it is: for people who reply to it or like it. */
export const findCommentRef = (db: Database, viewerId: string, comment: PostRef & { id: string }) =>
  db.first<{ id: string; rootId: string; accountId: string }>(sql.named("comments.standing-one")`
    select c.id, root.id as "rootId", c.account_id as "accountId"
    ${visibleComment(viewerId, comment)}
  `);

/** Where a list begins: above an id, or with a comment. */
type Start = { above: string } | { from: string };

/** The comment that this one is under; itself where it is not a reply. Primary key of comments. */
const rootOf = ({ authorId, postId }: PostRef, id: string) => sql`coalesce((
  select root_id from comments
  where author_id = ${authorId} and post_id = ${postId} and id = ${id}
), ${id}::uuid)`;

/**
 * Those under the post, oldest first, each with its first replies; null when the post cannot be seen.
 * comments_roots.
 */
export async function threadsOf(
  db: Database,
  page: CommentsPage,
  start: Start,
): Promise<KeyedRow<ReadThread>[] | null> {
  const begin = "from" in start ? sql`id >= ${rootOf(page, start.from)}` : sql`id > ${start.above}`;
  return readListed(db, "from" in start ? "comments.list-from" : "comments.list", page, {
    where: sql`root_id is null and ${begin}`,
    order: ["id"],
    item: threadView(page.viewerId),
  });
}

/**
 * The replies under a comment that the viewer may see, oldest first: all, or from one of them on.
 * comments_replies, which alone gives the order: a range as in probe().
 */
export async function repliesOf(
  db: Database,
  page: CommentsPage,
  start: { rootId: string; above: string } | { from: string },
): Promise<KeyedRow<CommentView>[] | null> {
  const id = "from" in start ? start.from : start.rootId;
  const begin = "from" in start ? sql`id >= ${start.from}` : sql`id > ${start.above}`;
  const root = rootOf(page, id);
  return readListed(db, "from" in start ? "comments.replies-from" : "comments.replies", page, {
    where: sql`${begin} and exists (select ${visibleComment(page.viewerId, { ...page, id })})
      and root_id between ${root} and ${root}`,
    order: ["root_id", "id"],
    item: commentView(page.viewerId),
  });
}

async function readListed<Item>(
  db: Database,
  name: string,
  page: CommentsPage,
  { item, ...listing }: Listing & { item: Sql },
): Promise<KeyedRow<Item>[] | null> {
  const listed = listedComments(db, page, { ...listing, columns: sql`c.id, ${item} as item` });
  return listOfOwner(db, name, listed, true);
}

/**
 * Which comments of a range the viewer may see now, replies separately, oldest first; null when the post
 * cannot be seen. comments_roots.
 */
export async function standingComments(
  db: Database,
  { from, to, ...page }: CommentsPage & { from: string; to: string },
): Promise<string[] | null> {
  const listed = listedComments(db, page, {
    where: sql`root_id is null and id between ${from} and ${to}`,
    order: ["id"],
    columns: sql`c.id`,
  });
  const rows = await db.query<{ id: string | null }>(
    sql.named("comments.standing")`select listed.id from ${listed} order by listed.id`,
  );
  if (rows.length === 0) return null;
  return rows.flatMap(({ id }) => id ?? []);
}

type CommentsPage = PostRef & { viewerId: string | null; limit: number };

/** Which comments of a post, and how their index continues. */
type Listing = { where: Sql; order: readonly ("root_id" | "id")[] };

/**
 * `listed`: the comments under a post that the viewer may see, of those that `where` selects. One row of
 * nulls where there are none, no row where the post cannot be seen.
 */
function listedComments(
  db: Database,
  { authorId, postId, viewerId, limit }: CommentsPage,
  { where, order, columns }: Listing & { columns: Sql },
): Sql {
  const ordered = sql.join(order.map((column) => sql.ref(`c.${column}`)));
  return sql`
    (${visiblePost(db, viewerId, { authorId, postId }, sql`p.author_id, p.id`)}) p
    left join lateral (
      select ${columns}
      from (
        select * from comments c
        where author_id = p.author_id and post_id = p.id and ${where}
        order by ${ordered}
      ) c
      cross join lateral ${accountSeen(viewerId, "c.account_id")} writer
      where ${commentNotBlocked("c")}
      order by ${ordered}
      limit ${limit}
    ) listed on true
  `;
}
