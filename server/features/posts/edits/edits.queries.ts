import { sql } from "#server/platform/db/sql.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import { selectFields, setFields } from "#server/platform/db/fields.ts";
import { focalPoint } from "#server/features/people/index.ts";
import type { PostRef } from "#server/features/types.ts";
import { insertPhotos } from "#server/features/posts/post-writes.queries.ts";
import { eachPhoto } from "#server/features/posts/post-view.queries.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import { limits } from "#shared/limits.ts";
import { postChoices, type PostChoices } from "#shared/posts.ts";
import type { EarlierVersion } from "#shared/views.ts";

export type LockedPhoto = {
  imageId: string;
  key: string;
  /** that it had before the post was narrowed: an editor that was opened before then says it */
  formerKey: string | null;
  alt: string;
  focalPoint: FocalPoint | null;
};
export type LockedPost = PostChoices & {
  /** it is for whoever its album is for, and its audience only-me */
  forAlbum: boolean;
  version: number;
  caption: string;
  language: string | null;
  pictures: LockedPhoto[];
};

/**
 * The current post, locked until the transaction ends: nobody bookmarks, likes or deletes it meanwhile. Its
 * author's counters are locked already, so its photos are those of the last edit. Primary keys.
 */
export async function lockForEdit(db: Database, { authorId, postId }: PostRef) {
  const photo = sql`json_build_object(
    'imageId', i.id, 'key', i.key, 'formerKey', i.former_key, 'alt', pp.alt, 'focalPoint', ${focalPoint("i")}
  )`;
  return db.first<LockedPost>(sql`
    select p.version, p.caption, p.language, p.album_id is not null as "forAlbum", ${selectFields("p", postChoices)},
      ${eachPhoto("p", photo)} as pictures
    from posts p
    where p.author_id = ${authorId} and p.id = ${postId}
    for update of p
  `);
}

/** Writes the post's new content and settings; `marked` shows people that it was edited. */
export const writePost = (
  db: Database,
  { authorId, postId }: PostRef,
  now: PostChoices &
    Pick<LockedPost, "caption" | "language" | "forAlbum"> & {
      pictureCount: number;
      marked: boolean;
    },
) =>
  db.run(sql`
    update posts set caption = ${now.caption}, language = ${now.language}, picture_count = ${now.pictureCount},
      ${sql.join(setFields(postChoices, now))},
      album_owner_id = case when ${now.forAlbum}::boolean then album_owner_id end,
      album_id = case when ${now.forAlbum}::boolean then album_id end,
      version = version + 1,
      edited_at = case when ${now.marked}::boolean then clock_timestamp() else edited_at end
    where author_id = ${authorId} and id = ${postId}
  `);

/** Replaces the photos of a post. */
export async function writePhotos(
  db: Database,
  { authorId, postId }: PostRef,
  photos: readonly { imageId: string; alt: string }[],
): Promise<void> {
  await db.run(sql`
    delete from post_pictures where author_id = ${authorId} and post_id = ${postId}
  `);
  await insertPhotos(db, { authorId, postId }, photos);
}

/** Forgets where the photos of a post were taken. Primary keys of post_pictures and images. */
export const forgetLocations = (db: Database, { authorId, postId }: PostRef) =>
  db.run(sql`
    update images set latitude = null, longitude = null
    where account_id = ${authorId} and latitude is not null and id in (
      select image_id from post_pictures where author_id = ${authorId} and post_id = ${postId}
    )
  `);

/** Bookmarks are in one of two tabs: photos or words. Index bookmarks_by_post. */
export const moveBookmarks = (db: Database, { authorId, postId }: PostRef, hasPhoto: boolean) =>
  db.run(sql`
    update bookmarks set has_picture = ${hasPhoto}
    where author_id = ${authorId} and post_id = ${postId}
  `);

/** Stores the version before the edit, and keeps only the newest earlier ones. Primary key. */
export async function storeVersion(
  db: Database,
  { authorId, postId }: PostRef,
  { version, caption, warning, pictures }: LockedPost,
): Promise<void> {
  await db.run(sql`
    insert into post_versions
      (author_id, post_id, version, caption, warning, image_ids, replaced_at)
    values (${authorId}, ${postId}, ${version}, ${caption}, ${warning},
      ${pictures.map(({ imageId }) => imageId)}::uuid[], clock_timestamp())
  `);
  await trimVersions(db, { authorId, postId });
}

async function trimVersions(db: Database, { authorId, postId }: PostRef): Promise<void> {
  const { most, bytes } = limits.earlierVersions;
  await db.run(sql`
    delete from post_versions v
    using (
      select version, row_number() over newest as place,
        sum(octet_length(concat(caption, warning))) over newest as bytes
      from post_versions
      where author_id = ${authorId} and post_id = ${postId}
      window newest as (order by version desc)
    ) kept
    where v.author_id = ${authorId} and v.post_id = ${postId} and v.version = kept.version
      and (kept.place > ${most} or kept.bytes > ${bytes})
  `);
}

/** What a post said, and until when, as archives have it. */
export type ArchivedVersion = { caption: string; warning: string | null; until: number };

/**
 * The edits that an archive lists for a post that is new here: times are never in the future. `earlier`
 * newest first.
 */
export async function importEdits(
  db: Database,
  { authorId, postId }: PostRef,
  edits: { editedAt: number | null; earlier: readonly ArchivedVersion[] },
): Promise<void> {
  const { editedAt, earlier } = edits;
  if (editedAt === null && earlier.length === 0) return;
  await db.run(sql`
    update posts set edited_at = ${editedAt === null ? null : notLater(editedAt)},
      version = ${earlier.length}
    where author_id = ${authorId} and id = ${postId}
  `);
  if (earlier.length === 0) return;
  await db.run(sql`
    insert into post_versions (author_id, post_id, version, caption, warning, replaced_at)
    select ${authorId}::uuid, ${postId}::uuid, ${earlier.length} - said.place, said.caption,
      said.warning, said.until
    from unnest(
      ${earlier.map(({ caption }) => caption)}::text[],
      ${earlier.map(({ warning }) => warning)}::text[],
      ${earlier.map(({ until }) => notLater(until))}::timestamptz[]
    ) with ordinality as said (caption, warning, until, place)
  `);
  await trimVersions(db, { authorId, postId });
}

/** Earlier versions of a post, newest first. Primary keys. */
export const earlierVersions = (db: Database, { authorId, postId }: PostRef) =>
  db.column<EarlierVersion>(sql`
    select json_build_object(
      'caption', v.caption, 'warning', v.warning, 'replacedAt', ${epochMs("v.replaced_at")},
      'keys', case when v.image_ids is not null then coalesce((
        select json_agg(i.key order by shown.place)
        from unnest(v.image_ids) with ordinality as shown (id, place)
        join images i on i.account_id = v.author_id and i.id = shown.id
      ), '[]'::json) end
    ) as item
    from post_versions v
    where v.author_id = ${authorId} and v.post_id = ${postId}
    order by v.version desc
  `);

/** Deletes photos that no post shows any more; the keys of their files. Primary key. */
export async function deleteImages(db: Database, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.column<string>(sql`
    delete from images where account_id = ${accountId} and id = any(${[...ids]}::uuid[])
    returning key
  `);
}

const notLater = (at: number) => new Date(Math.min(at, Date.now()));
