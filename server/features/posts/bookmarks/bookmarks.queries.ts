import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { probe } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import { deleteEdge, insertEdge, type Edge } from "#server/features/counted-edges.queries.ts";
import type { Batch, Side } from "#server/features/in-batches.ts";
import { accountSeen, inAudience } from "#server/features/people/index.ts";
import { byKey, heldPost, visiblePost, type PostAt } from "#server/features/posts/lock.queries.ts";
import { postView, visiblePosts } from "#server/features/posts/post-view.queries.ts";
import type { PostView, BookmarkCounts } from "#shared/views.ts";

/** Which post is bookmarked, by whom. */
type BookmarkAt = { at: PostAt; accountId: string };

const edge: Edge = {
  table: "bookmarks",
  key: ["account_id", "author_id", "post_id"],
  more: ["has_picture"],
  counters: [],
};

/** Locks the post, which prevents its deletion, and bookmarks it. False when it cannot be seen. */
export async function insertBookmark(
  db: Database,
  { at, accountId, id }: BookmarkAt & { id: string },
): Promise<boolean> {
  const columns = sql`
    ${accountId}::uuid as account_id, p.author_id, p.id as post_id,
    p.picture_count > 0 as has_picture
  `;
  const held = heldPost(db, accountId, at, columns);
  const name = byKey("bookmarks.save", at);
  return (await insertEdge(db, { edge, id, name, held })) !== null;
}

/** False when no visible post has this address; a key is not checked. */
export async function deleteBookmark(db: Database, { at, accountId }: BookmarkAt) {
  const columns = sql`${accountId}::uuid as account_id, p.author_id, p.id as post_id`;
  const held =
    "postId" in at
      ? sql`
          select ${accountId}::uuid as account_id, ${at.authorId}::uuid as author_id,
            ${at.postId}::uuid as post_id
        `
      : visiblePost(db, accountId, at, columns);
  return (await deleteEdge(db, { edge, name: byKey("bookmarks.unsave", at), held })) !== null;
}

/** Latest bookmark first. Index bookmarks_newest, then the primary keys of posts and accounts. */
export const bookmarkedPosts = (
  db: Database,
  page: { viewerId: string; hasPhoto: boolean; below: string; limit: number },
) =>
  db.query<KeyedRow<PostView>>(sql.named("bookmarks.list")`
    select json_build_array(saved.id) as key, ${postView(page.viewerId)} as item
    from (
      select id, author_id, post_id from bookmarks
      where account_id = ${page.viewerId} and has_picture = ${page.hasPhoto}
        and id < ${page.below}
      order by id desc
    ) saved
    ${visiblePosts(page.viewerId, "saved")}
    order by saved.id desc
    limit ${page.limit}
  `);

/**
 * How many posts each tab has, counted to `most`: where there are that many, hidden ones among them are not
 * excluded. Index bookmarks_newest, then the primary keys of posts and accounts.
 */
export async function bookmarkCounts(db: Database, viewerId: string, most: number) {
  const counted = (hasPhoto: boolean) => sql`(
    select case when count(*) = ${most}::integer then ${most}::integer
      else count(author.id)::integer end
    from (
      select author_id, post_id from bookmarks
      where account_id = ${viewerId} and has_picture = ${sql.lit(hasPhoto)}
      order by id desc
      limit ${most}
    ) saved
    left join lateral (
      select author_id, audience, album_owner_id, album_id from posts
      where author_id = saved.author_id and ${probe("posts.id", sql`saved.post_id`)}
    ) p on true
    left join lateral ${accountSeen(viewerId, "saved.author_id", inAudience(viewerId, "p", "a"))} author
      on true
  )`;
  return db.one<BookmarkCounts>(
    sql.named("bookmarks.counts")`select ${counted(true)} as photos, ${counted(false)} as texts`,
  );
}

/** The account's own bookmarks ("account_id"), or everybody's bookmarks of its posts ("author_id"). */
export const deleteBookmarksOf = (db: Database, side: Side, { accountId, limit }: Batch) =>
  db.count(sql`
    delete from bookmarks b using (
      select account_id, author_id, post_id from bookmarks
      where ${sql.ref(side)} = ${accountId}
      limit ${limit}
    ) chosen
    where b.account_id = chosen.account_id and b.author_id = chosen.author_id
      and b.post_id = chosen.post_id
    returning b.post_id
  `);
