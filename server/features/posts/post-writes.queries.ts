import { sql } from "#server/platform/db/sql.ts";
import { columnsOf } from "#server/platform/db/fields.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Batch } from "#server/features/in-batches.ts";
import { timeOf } from "#server/platform/db/ids.ts";
import { postChoiceNames, postChoices, type Audience, type PostChoices } from "#shared/posts.ts";
import type { PostRef } from "#server/features/types.ts";
import { tagsOf } from "#shared/tags.ts";

export type NewPost = PostChoices & {
  id: string;
  authorId: string;
  caption: string;
  pictureCount: number;
  timeZone: string;
  clientKey: string | null;
  language: string | null;
  /** what it is for; its audience is only-me then */
  album?: { ownerId: string; albumId: string };
};

/** Taken first by everything that adds or removes an account's posts: one at a time. */
export async function lockCounters(db: Database, accountId: string): Promise<void> {
  const rows = await db.query(sql.named("posts.lock-counters")`
    select account_id from account_counters where account_id = ${accountId} for no key update
  `);
  if (rows.length === 0) throw new Error("an account without counters has no posts");
}

/** Whether the posts of an account are for its followers at most. Primary key. */
export const isPrivate = (db: Database, accountId: string) =>
  db.any(sql`select from accounts where id = ${accountId} and private_at is not null`);

/**
 * Counts the post, gives it the next number and writes it with its tags, in one statement; with a clientKey
 * that its author used before, it does none of that and returns the earlier post. The author's counters are
 * locked already (lockCounters). Unique key posts_client_key.
 */
export const insertPost = (db: Database, post: NewPost) =>
  db.one<{ id: string; number: number }>(sql.named("posts.insert")`
  with earlier as materialized (
    select id, number from posts
    where author_id = ${post.authorId} and client_key = ${post.clientKey}
  ),
  counted as (
    update account_counters
    set posts = posts + 1, last_post_number = last_post_number + 1
    where account_id = ${post.authorId} and not exists (select from earlier)
    returning last_post_number
  ),
  posted as (
    insert into posts
      (author_id, id, number, caption, picture_count, time_zone, client_key, language, created_at,
        album_owner_id, album_id, ${columnsOf(postChoices)})
    select ${post.authorId}::uuid, ${post.id}::uuid, last_post_number, ${post.caption},
      ${post.pictureCount}, ${post.timeZone}, ${post.clientKey}, ${post.language},
      ${new Date(timeOf(post.id))}::timestamptz,
      ${post.album?.ownerId ?? null}::uuid, ${post.album?.albumId ?? null}::uuid,
      ${sql.join(postChoiceNames.map((name) => typed(post[name])))}
    from counted
    returning author_id, id, number
  ),
  tagged as (
    insert into post_tags (author_id, post_id, tag)
    select posted.author_id, posted.id, tag
    from posted, unnest(${tagsFor(post)}::text[]) tag
  )
  select id, number from posted
  union all
  select id, number from earlier
`);

/** The tags by which others find a post: none where it is not for everyone. */
export const tagsFor = ({ caption, audience }: Pick<NewPost, "caption" | "audience">) =>
  audience === "everyone" ? tagsOf(caption) : [];

/** Keeps what a member chose for a post, for their next one; a choice like the last writes nothing. */
export const keepAudience = (db: Database, accountId: string, audience: Audience) =>
  db.run(sql.named("posts.keep-audience")`
    update accounts set default_audience = ${audience}
    where id = ${accountId} and default_audience is distinct from ${audience}
  `);

/** Gives a post without photos these, in their order. */
export async function insertPhotos(
  db: Database,
  { authorId, postId }: PostRef,
  photos: readonly { imageId: string; alt: string }[],
): Promise<void> {
  if (photos.length === 0) return;
  await db.run(sql`
    insert into post_pictures (author_id, post_id, position, image_id, alt)
    select ${authorId}::uuid, ${postId}::uuid, picture.position, picture.image_id, picture.alt
    from unnest(
      ${photos.map(({ imageId }) => imageId)}::uuid[],
      ${photos.map(({ alt }) => alt)}::text[]
    ) with ordinality as picture (image_id, alt, position)
  `);
}

/** In the list of a select PostgreSQL needs the type of a value. */
const typed = (value: boolean | string | null) =>
  typeof value === "boolean" ? sql`${value}::boolean` : sql`${value}::text`;

/**
 * Deletes a post with everything attached to it: likes, comments and post_pictures by cascade, bookmarks by
 * bookmarks_by_post. Returns the keys of its image files and who saw it, null when there was no such post. The
 * order matters: bookmarking locks the post's row first, so a bookmark is either seen here or refused there.
 */
export async function deletePost(db: Database, { authorId, postId }: PostRef) {
  const photos = await db.query<{ id: string }>(sql`
    select image_id as id from post_pictures where author_id = ${authorId} and post_id = ${postId}
  `);
  const deleted = await db.first<{ audience: Audience }>(sql`
    with deleted as (
      delete from posts where author_id = ${authorId} and id = ${postId}
      returning author_id, number, created_at, client_key, audience
    ), kept as (
      insert into deleted_posts (author_id, number, created_at, client_key)
      select author_id, number, created_at, client_key from deleted
    )
    select audience from deleted
  `);
  if (!deleted) return null;
  const { audience } = deleted;
  await db.run(sql`
    delete from bookmarks where author_id = ${authorId} and post_id = ${postId}
  `);
  await db.run(sql`
    update account_counters set posts = posts - 1 where account_id = ${authorId}
  `);
  if (photos.length === 0) return { keys: [], audience };
  const images = await db.query<{ key: string }>(sql`
    delete from images
    where account_id = ${authorId} and id = any(${photos.map(({ id }) => id)}::uuid[])
    returning key
  `);
  return { keys: images.map(({ key }) => key), audience };
}

/** The account's own posts, whose likes, comments and bookmarks are gone: the rows of their images stay. */
export async function deletePostsOf(db: Database, { accountId, limit }: Batch): Promise<number> {
  await db.run(sql`
    select account_id from account_counters where account_id = ${accountId} for no key update
  `);
  return db.scalar<number>(sql`
    with removed as (
      delete from posts where author_id = ${accountId} and id in (
        select id from posts where author_id = ${accountId} order by id limit ${limit}
      )
      returning id
    ), unsaved as (
      delete from bookmarks b using removed
      where b.author_id = ${accountId} and b.post_id = removed.id
    ), counted as (
      update account_counters set posts = posts - (select count(*) from removed)
      where account_id = ${accountId}
    )
    select count(*)::integer as removed from removed
  `);
}
