import { sql, type Sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange } from "#server/platform/db/cursors.ts";
import { probe } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import { focalPoint } from "#server/features/people/index.ts";
import { commentView, visibleComments } from "#server/features/posts/comment-view.queries.ts";
import {
  isImported,
  newestVisible,
  shownAudience,
} from "#server/features/posts/post-view.queries.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import type { ShownAudience } from "#shared/posts.ts";
import type { CommentView, ImageView, PostKind } from "#shared/views.ts";

/** A post, or a comment under it. */
export type StatusRef = PostRef & { commentId: string | null };

/**
 * What decimal ids name, visible or not. posts_decimal_id, comments_decimal_id. Two rows of one millisecond
 * can have the same; then neither is named, unless one of the two was imported: its time is what the archive
 * says, and gives way.
 */
export const refsOf = (db: Database, decimals: readonly string[]) =>
  db.query<StatusRef & { decimal: string; imported: boolean }>(sql.named("references.by-decimal")`
    select wanted.id::text as decimal, found.author_id as "authorId", found.post_id as "postId",
      found.comment_id as "commentId", found.imported
    from unnest(${[...decimals]}::bigint[]) as wanted (id)
    cross join lateral (
      (select p.author_id, p.id as post_id, null::uuid as comment_id,
          ${isImported("p")} as imported
        from posts p where decimal_id(p.id) = wanted.id limit 4)
      union all
      (select c.author_id, c.post_id, c.id, false
        from comments c where decimal_id(c.id) = wanted.id limit 4)
    ) found
  `);

/** A comment with what a list needs to know about where it is. */
export type PlacedComment = {
  comment: CommentView;
  postId: string;
  /** of the post */
  authorUsername: string;
  number: number;
  /** who wrote the post, and who began the thread */
  authorId: string;
  starterId: string;
  starterUsername: string;
  /** of the post, as postSchema has them */
  audience: ShownAudience;
  private: boolean;
};

/** Comments of `rows` that the viewer may see, under the rules of findComment, by their `place`. */
function placed(viewerId: string | null, rows: Sql): Sql {
  return sql`
    select ${commentView(viewerId)} as comment, c.post_id as "postId", c.author_id as "authorId",
      root.account_id as "starterId",
      starter.username as "starterUsername", author.username as "authorUsername", p.number,
      ${shownAudience("p")} as audience, author.private_at is not null as private
    ${visibleComments(viewerId, rows)}
    order by c.place
  `;
}

/** Those of these keys that can be seen, in their order. */
export async function commentsAt(
  db: Database,
  viewerId: string | null,
  keys: readonly (PostRef & { commentId: string })[],
): Promise<PlacedComment[]> {
  if (keys.length === 0) return [];
  const rows = sql`
    select c.*, wanted.place
    from unnest(
      ${keys.map(({ authorId }) => authorId)}::uuid[],
      ${keys.map(({ postId }) => postId)}::uuid[],
      ${keys.map(({ commentId }) => commentId)}::uuid[]
    ) with ordinality as wanted (author_id, post_id, comment_id, place)
    cross join lateral (
      select * from comments
      where author_id = wanted.author_id and post_id = wanted.post_id
        and ${probe("comments.id", sql`wanted.comment_id`)}
    ) c
  `;
  return db.query<PlacedComment>(sql.named("references.comments")`${placed(viewerId, rows)}`);
}

/** The first comments under a post, oldest first, replies among them. Primary key of comments. */
export async function commentsUnder(
  db: Database,
  viewerId: string | null,
  { authorId, postId }: PostRef,
  limit: number,
): Promise<PlacedComment[]> {
  const rows = sql`
    select c.*, row_number() over (order by c.id) as place
    from (
      select * from comments where author_id = ${authorId} and post_id = ${postId}
      order by id limit ${limit}
    ) c
  `;
  return db.query<PlacedComment>(sql.named("references.under")`${placed(viewerId, rows)}`);
}

/** Posts of one account that the viewer may see, photos and words alike. posts_by_kind. */
export async function keysOfAuthor(
  db: Database,
  { viewerId, authorId }: { viewerId: string | null; authorId: string },
  range: IdRange,
  onlyPhotos: boolean,
): Promise<PostKey[]> {
  const kinds: readonly PostKind[] = onlyPhotos ? ["photos"] : ["photos", "texts"];
  const rows = await db.query<{ id: string }>(sql`
    select visible.id
    from (select * from accounts a where a.id = ${authorId}) author
    cross join lateral (${newestVisible(viewerId, { kinds, ...range })}) visible
    order by visible.id ${orderOf(range.upward)}
  `);
  return rows.map(({ id }) => ({ authorId, id }));
}

/** What an account wrote under posts, from one end, whoever may see it. comments_by_account. */
export async function commentKeysOf(
  db: Database,
  accountId: string,
  { below, above, upward, limit }: IdRange,
): Promise<(PostRef & { commentId: string })[]> {
  const order = orderOf(upward);
  const name = upward ? "references.comment-keys-above" : "references.comment-keys";
  return db.query<PostRef & { commentId: string }>(sql.named(name)`
    select author_id as "authorId", post_id as "postId", id as "commentId" from comments
    where account_id = ${accountId} and id < ${below} and id > ${above}
    order by id ${order}
    limit ${limit}
  `);
}

type Held = PostKey & { heldId: string };

/** What an account liked, from one end. likes_by_account. */
export async function likedKeys(
  db: Database,
  accountId: string,
  { below, above, upward, limit }: IdRange,
): Promise<Held[]> {
  const order = orderOf(upward);
  return db.query<Held>(sql.named(upward ? "references.liked-above" : "references.liked")`
    select author_id as "authorId", post_id as id, id as "heldId" from likes
    where account_id = ${accountId} and id < ${below} and id > ${above}
    order by id ${order}
    limit ${limit}
  `);
}

/** An account's bookmarks, from one end. bookmarks_newest, once for photos and once for words. */
export async function bookmarkedKeys(
  db: Database,
  accountId: string,
  { below, above, upward, limit }: IdRange,
): Promise<Held[]> {
  const order = orderOf(upward);
  const of = (hasPhoto: boolean) => sql`
    (select author_id, post_id, id from bookmarks
    where account_id = ${accountId} and has_picture = ${sql.lit(hasPhoto)} and id < ${below} and id > ${above}
    order by id ${order}
    limit ${limit})
  `;
  return db.query<Held>(sql.named(upward ? "references.saved-above" : "references.saved")`
    select author_id as "authorId", post_id as id, id as "heldId"
    from (${of(true)} union all ${of(false)}) saved
    order by id ${order}
    limit ${limit}
  `);
}

/** Who wrote these posts, by their ids alone. posts_decimal_id. */
export async function keysOf(db: Database, ids: readonly string[]): Promise<PostKey[]> {
  if (ids.length === 0) return [];
  return db.query<PostKey>(sql.named("references.keys")`
    select p.author_id as "authorId", p.id
    from unnest(${[...ids]}::uuid[]) with ordinality as wanted (id, place)
    cross join lateral (
      select author_id, id from posts
      where decimal_id(posts.id) = decimal_id(wanted.id) and posts.id = wanted.id
      limit 1
    ) p
    order by wanted.place
  `);
}

/** Alt text for an image of the account's that no post shows yet. False where it does not exist. */
export const writeDescription = (
  db: Database,
  { accountId, imageId, alt }: { accountId: string; imageId: string; alt: string },
) =>
  db.any(sql`
    insert into image_descriptions (account_id, image_id, alt)
    select account_id, id, ${alt} from images
    where account_id = ${accountId} and id = ${imageId} and claimed_at is null
    on conflict (account_id, image_id) do update set alt = excluded.alt
    returning image_id
  `);

export type UnclaimedImage = { id: string } & Required<Omit<ImageView, "gated" | "pass">>;

/**
 * Images of an account that no post shows yet, by the beginnings of their keys. images_unclaimed_by_account:
 * there are few of them.
 */
export const unclaimedImages = (db: Database, accountId: string, beginning: string) =>
  db.query<UnclaimedImage>(sql`
    select i.id, i.key, i.width, i.height, i.widths, i.focus,
      ${focalPoint("i")} as "focalPoint",
      replace(encode(i.thumbhash, 'base64'), chr(10), '') as thumbhash,
      i.moving_width is not null as moving, coalesce(d.alt, '') as alt
    from images i
    left join image_descriptions d on d.account_id = i.account_id and d.image_id = i.id
    where i.account_id = ${accountId} and i.claimed_at is null and starts_with(i.key, ${beginning})
  `);
