import { sql, type Sql } from "#server/platform/db/sql.ts";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { jsonFields, selectFields } from "#server/platform/db/fields.ts";
import { ms } from "#server/platform/db/times.ts";
import type { FocalPoint } from "#shared/focal-point.ts";
import type { CameraView, LocationView } from "#shared/photo-details.ts";
import {
  focalPoint,
  filtersBy,
  mutedWordsBy,
  type StoredFilter,
  visibleAccount,
  visibleTo,
} from "#server/features/people/index.ts";
import {
  eachPhoto,
  isImported,
  locationOf,
  type ArchivedVersion,
} from "#server/features/posts/index.ts";
import { postChoices, type PostChoices } from "#shared/posts.ts";
import type { ExtraField } from "#shared/extra-fields.ts";
import type { ChosenLanguages } from "#shared/languages.ts";
import { profileFields, type ProfileWords } from "#shared/profiles.ts";
import { settings, type Switches } from "#shared/settings.ts";

/**
 * What an archive contains, table by table and column by column: data added to the product later is exported
 * only once it is named here, or where it is declared (and in docs/export-format.md).
 */

export type ArchivedImage = {
  key: string;
  mediaType: string;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  focalPoint: FocalPoint | null;
  /** what its camera wrote */
  camera: CameraView | null;
  /** included only where its post shows it */
  place: LocationView | null;
};

export type ArchivedProfile = ProfileWords & {
  extraFields: ExtraField[];
  id: string;
  username: string;
  formerUsernames: string[];
  email: string;
  emailVerified: boolean;
  /** its posts are for its followers at most */
  private: boolean;
  settings: Partial<Switches> & ChosenLanguages;
  mutedWords: string[];
  wordFilters: StoredFilter[];
  createdAt: number;
  picture: ArchivedImage | null;
  counts: { posts: number; followers: number; following: number };
  imageBytes: number;
};

export type ArchivedPost = PostChoices & {
  id: string;
  number: number;
  time: number;
  timeZone: string;
  caption: string;
  language: string | null;
  likeCount: number;
  commentCount: number;
  imported: boolean;
  editedAt: number | null;
  /** earlier versions, newest first */
  earlier: ArchivedVersion[];
  /** it is for whoever this album is for; null for other posts, and where the album cannot be seen */
  album: { id: string; title: string; owner: string } | null;
  pictures: ArchivedImage[];
};

export type ReceivedComment = {
  id: string;
  post: number;
  time: number;
  username: string;
  name: string;
  text: string;
};

/** A row `i` of images. */
const archivedImage = (alt: Sql) => sql`json_build_object(
  'key', i.key, 'mediaType', i.media_type, 'bytes', i.bytes,
  'width', i.width, 'height', i.height, 'alt', ${alt}, 'focalPoint', ${focalPoint("i")}, 'camera', i.camera,
  'place', ${locationOf("i")}
)`;

/** The key of the image that had this one before its post was narrowed. The account's rows of images. */
export const laterKey = (db: Database, accountId: string, key: string) =>
  db.value<string>(sql`
    select key from images where account_id = ${accountId} and former_key = ${key}
  `);

const archivedSettings = Object.fromEntries(
  Object.entries(settings).filter(([, { archived }]) => archived),
);

export const readProfile = (db: Database, id: string) =>
  db.first<ArchivedProfile>(sql`
    select a.id, a.username,
      coalesce((
        select json_agg(u.username order by u.taken_at) from usernames u
        where u.account_id = a.id and u.username <> a.username
      ), '[]'::json) as "formerUsernames",
      ${selectFields("a", profileFields)},
      a.extra_fields as "extraFields",
      a.private_at is not null as private,
      a.email_as_typed as email, a.email_verified as "emailVerified",
      json_build_object(${jsonFields("a", archivedSettings)}, 'language', a.language,
        'postingLanguage', a.posting_language) as settings,
      coalesce(${mutedWordsBy(sql`a.id`)}, '{}') as "mutedWords",
      ${filtersBy(sql`a.id`)} as "wordFilters",
      ${ms("a.created_at")} as "createdAt",
      (
        select ${archivedImage(sql`''`)} from images i
        where i.account_id = a.id and i.id = a.avatar_image_id
      ) as picture,
      json_build_object('posts', c.posts, 'followers', c.followers, 'following', c.following)
        as counts,
      (select coalesce(sum(bytes), 0)::float8 from images where account_id = a.id)
        as "imageBytes"
    from accounts a join account_counters c on c.account_id = a.id
    where a.id = ${id} and ${visibleAccount("a")}
  `);

/** Oldest first with `after`, newest first with `before`. Primary keys of posts and albums. */
export async function readPosts(
  db: Database,
  authorId: string,
  page: { after: string | null } | { before: string | null },
  limit: number,
): Promise<ArchivedPost[]> {
  const [bound, order] =
    "after" in page
      ? [sql`p.id > ${page.after ?? lowestId}`, sql`p.id`]
      : [sql`p.id < ${page.before ?? highestId}`, sql`p.id desc`];
  return db.query<ArchivedPost>(sql`
    select p.id, p.number, ${ms("p.created_at")} as time, p.time_zone as "timeZone", p.caption, p.language,
      p.like_count as "likeCount", p.comment_count as "commentCount",
      ${isImported("p")} as imported,
      ${ms("p.edited_at")} as "editedAt",
      ${selectFields("p", postChoices)},
      coalesce((
        select json_agg(
          json_build_object('caption', v.caption, 'warning', v.warning, 'until', ${ms("v.replaced_at")})
          order by v.version desc
        )
        from post_versions v where v.author_id = p.author_id and v.post_id = p.id
      ), '[]'::json) as earlier,
      (
        select json_build_object('id', al.id, 'title', al.title, 'owner', a.username)
        from albums al join accounts a on a.id = al.owner_id and ${visibleTo(authorId, "a")}
        where al.owner_id = p.album_owner_id and al.id = p.album_id
      ) as album,
      ${eachPhoto("p", archivedImage(sql`pp.alt`))} as pictures
    from posts p
    where p.author_id = ${authorId} and ${bound}
    order by ${order}
    limit ${limit}
  `);
}

/** Comments by others under these posts, the first `most` under each. Primary key of comments. */
export const readCommentsUnder = (
  db: Database,
  authorId: string,
  postIds: readonly string[],
  most: number,
) =>
  db.query<ReceivedComment>(sql`
    select c.id, p.number as post, ${ms("c.created_at")} as time, a.username,
      coalesce(nullif(a.full_name, ''), a.username) as name, c.body as text
    from posts p
    cross join lateral (
      select * from comments
      where author_id = p.author_id and post_id = p.id
      order by id limit ${most}
    ) c
    join accounts a on a.id = c.account_id
    where p.author_id = ${authorId} and p.id = any(${postIds}::uuid[])
      and ${visibleTo(authorId, "a")}
    order by p.id desc, c.id
  `);
