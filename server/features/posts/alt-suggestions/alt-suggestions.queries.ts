import { sql } from "#server/platform/db/sql.ts";
import { probe } from "#server/platform/db/probes.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  accountSummary,
  inAudience,
  noBlock,
  noMute,
  notMuted,
  accountSeen,
} from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import { limits } from "#shared/limits.ts";
import type { AltSuggestion } from "#shared/views.ts";

/**
 * The suggestions for a post that the viewer may see, oldest first: its author sees all except those of
 * people they blocked or muted, everybody else their own while the post is for them. Index
 * alt_suggestions_by_post, primary keys.
 */
export const suggestionsOf = (db: Database, viewerId: string, { authorId, postId }: PostRef) =>
  db.column<AltSuggestion>(sql.named("alt-suggestions.list")`
    select json_build_object(
      'id', s.id, 'key', i.key, 'by', ${accountSummary("by")}, 'alt', s.alt
    ) as item
    from (
      select * from alt_suggestions
      where author_id = ${authorId} and post_id = ${postId}
      order by id
    ) s
    cross join lateral (
      select author_id, audience, album_owner_id, album_id from posts
      where author_id = s.author_id and ${probe("posts.id", sql`s.post_id`)}
    ) p
    cross join lateral (select * from accounts a where a.id = s.author_id limit 1) author
    join images i on i.account_id = s.author_id and i.id = s.image_id
    cross join lateral ${accountSeen(viewerId, "s.account_id", notMuted(viewerId, "a"))} by
    where ${viewerId}::uuid in (s.author_id, s.account_id) and ${inAudience(viewerId)}
    order by s.id
  `);

export type DescribedPhoto = { imageId: string; alt: string };

/** A photo of a post by its key. Primary key of post_pictures. */
export const findPhoto = (db: Database, { authorId, postId }: PostRef, key: string) =>
  db.first<DescribedPhoto>(sql`
    select i.id as "imageId", pp.alt
    from post_pictures pp
    join images i on i.account_id = pp.author_id and i.id = pp.image_id
    where pp.author_id = ${authorId} and pp.post_id = ${postId} and i.key = ${key}
  `);

/**
 * Whether others have suggested as much for a post as its author is asked to read. Suggestions that the
 * author does not see are not counted.
 */
export async function isFull(
  db: Database,
  { authorId, postId, accountId }: PostRef & { accountId: string },
): Promise<boolean> {
  const author = sql`${authorId}::uuid`;
  const rows = await db.query<{ waiting: number }>(sql`
    select count(*)::integer as waiting from alt_suggestions s
    where s.author_id = ${authorId} and s.post_id = ${postId} and s.account_id <> ${accountId}
      and ${noBlock(author, sql.ref("s.account_id"))} and ${noMute(author, sql.ref("s.account_id"))}
  `);
  return (rows[0]?.waiting ?? 0) >= limits.altSuggestionsPerPost;
}

type Row = PostRef & { imageId: string; accountId: string; id: string; alt: string };

/** The id of the suggestion that this one replaces, if its writer had one. */
export const putSuggestion = (db: Database, row: Row) =>
  db.value<string>(sql`
    with earlier as (
      select id from alt_suggestions
      where author_id = ${row.authorId} and image_id = ${row.imageId}
        and account_id = ${row.accountId}
    ), put as (
      insert into alt_suggestions (author_id, image_id, account_id, post_id, id, alt)
      values (${row.authorId}, ${row.imageId}, ${row.accountId}, ${row.postId}, ${row.id}, ${row.alt})
      on conflict (author_id, image_id, account_id)
        do update set id = excluded.id, alt = excluded.alt
      returning 1
    )
    select (select id from earlier) as id from put
  `);

/** Deletes one at the request of its writer or the photo's author. False where there is none of theirs. */
export const deleteSuggestion = (
  db: Database,
  { authorId, postId, id, askedBy }: PostRef & { id: string; askedBy: string },
) =>
  db.any(sql`
    delete from alt_suggestions
    where author_id = ${authorId} and post_id = ${postId} and id = ${id}
      and ${askedBy}::uuid in (author_id, account_id)
    returning id
  `);

/** Deletes those for photos of a post that need none any more; their ids. */
export const closeSuggestions = (
  db: Database,
  { authorId, postId }: PostRef,
  undescribed: readonly string[],
) =>
  db.column<string>(sql`
    delete from alt_suggestions
    where author_id = ${authorId} and post_id = ${postId}
      and image_id <> all(${undescribed}::uuid[])
    returning id
  `);
