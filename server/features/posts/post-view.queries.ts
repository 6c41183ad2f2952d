import { sql, type Sql } from "#server/platform/db/sql.ts";
import { highestId, lowestId, orderOf } from "#server/platform/db/cursors.ts";
import { jsonFields } from "#server/platform/db/fields.ts";
import { probe } from "#server/platform/db/probes.ts";
import { epochMs } from "#server/platform/db/times.ts";
import {
  accountSummary,
  albumOpenTo,
  focalPoint,
  forEveryone,
  inAudience,
  inOwnAudience,
  usernamesIn,
  imageView,
  type Asker,
  accountSeen,
} from "#server/features/people/index.ts";
import { commentNotBlocked, commentView } from "#server/features/posts/comment-view.queries.ts";
import { audiences, postChoices, shownChoiceNames } from "#shared/posts.ts";
import { pick } from "#shared/records.ts";
import type { PostKind } from "#shared/views.ts";

/**
 * The views of a post, built by PostgreSQL for one row `p` of posts and its author's row `author`. Each
 * look-up is a scalar subquery on a whole primary key or an ordered prefix of one: whatever the planner
 * believes about the tables, it can only probe the index, once per post.
 */

type Own = {
  kinds?: readonly PostKind[];
  below?: string;
  above?: string;
  upward?: boolean;
  limit: number;
  /** the author's row in the query */
  author?: string;
  /** whether a row `part`, which has an author and an audience, is for who asks */
  isFor?: Sql;
};

/**
 * The posts of a row `author` of accounts that the viewer may see, from one end, of some kinds and within a
 * range of ids; none that is for an album. Each kind and audience is a range of its own of the index
 * posts_by_kind: what is not for the viewer is not walked through, however much of it there is. The range is
 * written as one of pairs, so that the primary key does not look as good: most authors have few posts, and it
 * would walk through all.
 */
export function newestVisible(
  viewerId: Asker,
  {
    kinds = ["photos", "texts"],
    below = highestId,
    above = lowestId,
    upward = false,
    limit,
    author = "author",
    isFor = inOwnAudience(viewerId, "part", author),
  }: Own,
): Sql {
  const order = orderOf(upward);
  const withPhotos = kinds.map((kind) => kind === "photos");
  return sql`
    select listed.*
    from (
      select ${sql.ref(`${author}.id`)} as author_id, audience.name as audience, has_photos
      from unnest(array[${sql.join(audiences.map(sql.lit))}]) audience (name)
      cross join unnest(array[${sql.join(withPhotos.map(sql.lit))}]) kind (has_photos)
    ) part
    cross join lateral (
      select * from posts
      where author_id = part.author_id and (picture_count > 0) = part.has_photos
        and album_id is null
        and (audience, id) < (part.audience, ${below}::uuid)
        and (audience, id) > (part.audience, ${above}::uuid)
      order by audience ${order}, id ${order}
      limit ${limit}
    ) listed
    where ${isFor}
    order by listed.id ${order}
    limit ${limit}
  `;
}

/**
 * The photos of `p` in their order, each as `item` says: of its row `i` of images and its row `pp` of
 * post_pictures. Primary keys of post_pictures and images.
 */
export function eachPhoto(p: string, item: Sql): Sql {
  return sql`coalesce((
    select json_agg((
      select ${item} from images i
      where i.account_id = pp.author_id and i.id = pp.image_id
    ) order by pp.position)
    from (
      select * from post_pictures
      where author_id = ${sql.ref(`${p}.author_id`)} and post_id = ${sql.ref(`${p}.id`)}
      order by position
    ) pp
  ), '[]'::json)`;
}

/** `author` is its author's row of accounts: it says with the post whether the photos are everybody's. */
export function postPhotos(p: string, author: string): Sql {
  const more = sql`, 'focalPoint', ${focalPoint("i")}, 'gated', not ${forEveryone(p, author)}`;
  return eachPhoto(p, imageView("i", sql`pp.alt`, more));
}

/** Where a photo was taken, to about a kilometre; null where that is unknown. */
export function locationOf(images: string): Sql {
  const column = (name: string) => sql.ref(`${images}.${name}`);
  return sql`case when ${column("latitude")} is not null then json_build_object(
    'latitude', ${column("latitude")} / 100.0, 'longitude', ${column("longitude")} / 100.0
  ) end`;
}

/** Its audience as views have it. */
export function shownAudience(p: string): Sql {
  return sql`case when ${sql.ref(`${p}.album_id`)} is null then ${sql.ref(`${p}.audience`)} else 'album' end`;
}

/** The album that `p` is for, where the viewer may see it. Primary key. */
const albumOf = (p: string, viewerId: string | null) => sql`
  case when ${sql.ref(`${p}.album_id`)} is not null then (
    select json_build_object('id', albums.id, 'title', albums.title) from albums
    where albums.owner_id = ${sql.ref(`${p}.album_owner_id`)}
      and ${albumOpenTo(viewerId, "albums")} and ${probe("albums.id", sql.ref(`${p}.album_id`))}
  ) end
`;

/** A post as a grid shows it, with its author's row. */
export function postTile(p: string, author: string): Sql {
  const column = (name: string) => sql.ref(`${p}.${name}`);
  return sql`json_build_object(
    'id', ${column("id")},
    'number', ${column("number")},
    'authorUsername', ${sql.ref(`${author}.username`)},
    'picture', ${postPhotos(p, author)} -> 0,
    'pictureCount', ${column("picture_count")},
    'caption', ${column("caption")},
    'likeCount', ${column("like_count")},
    'commentCount', ${column("comment_count")},
    'createdAt', ${epochMs(`${p}.created_at`)},
    'audience', ${shownAudience(p)},
    'warning', ${column("warning")},
    'sensitive', ${column("sensitive")},
    'private', ${sql.ref(`${author}.private_at`)} is not null
  )`;
}

/**
 * Whether the viewer may comment on `p`: for a visitor, whether anybody who signs in may. Checks for a
 * follow, by its primary key, only where the post is for people whom its author follows.
 */
function mayComment(p: string, viewerId: string | null): Sql {
  const column = (name: string) => sql.ref(`${p}.${name}`);
  return sql`case
    when ${column("comments_from")} = 'everyone' then true
    when ${viewerId}::uuid is null then false
    when ${column("author_id")} = ${viewerId}::uuid then true
    when ${column("comments_from")} = 'following' then coalesce((
      select true from follows
      where follower_id = ${column("author_id")} and ${probe("followee_id", viewerId)}
    ), false)
    else false
  end`;
}

/** Its time is what an archive says. `imported_at` alone says whether it is out of feeds (isNews). */
export function isImported(posts: string): Sql {
  const column = (name: string) => sql.ref(`${posts}.${name}`);
  return sql`(${column("imported_at")} is not null or ${column("import_id")} is not null)`;
}

/** All but the audience, which is not only what the author chose. */
const shownChoices = pick(
  postChoices,
  shownChoiceNames.filter((name) => name !== "audience"),
);

function postFields(viewerId: string | null): Sql {
  return sql`
    'id', p.id,
    'number', p.number,
    'author', ${accountSummary("author")},
    'caption', p.caption,
    'language', p.language,
    'mentions', ${usernamesIn("p.caption", viewerId)},
    'pictures', ${postPhotos("p", "author")},
    'createdAt', ${epochMs("p.created_at")},
    'imported', ${isImported("p")},
    'editedAt', ${epochMs("p.edited_at")},
    'version', p.version,
    'detailed', p.show_camera or p.show_place,
    ${jsonFields("p", shownChoices)},
    'audience', ${shownAudience("p")},
    'album', ${albumOf("p", viewerId)},
    'private', author.private_at is not null,
    'canComment', ${mayComment("p", viewerId)},
    'likeCount', p.like_count,
    'commentCount', p.comment_count,
    'liked', p.like_count > 0 and coalesce((
      select true from likes l
      where l.author_id = p.author_id and l.post_id = p.id and ${probe("l.account_id", viewerId)}
    ), false),
    'saved', coalesce((
      select true from bookmarks b
      where b.account_id = ${viewerId}::uuid and b.author_id = p.author_id and b.post_id = p.id
    ), false),
    'mine', coalesce(p.author_id = ${viewerId}::uuid, false)
  `;
}

export function postView(viewerId: string | null): Sql {
  return sql`json_build_object(${postFields(viewerId)})`;
}

/** A post with its two newest comments, oldest first. Primary key of comments, backwards. */
export function feedPost(viewerId: string | null): Sql {
  return sql`json_build_object(${postFields(viewerId)}, 'comments', coalesce((
    select json_agg(newest.comment order by newest.id)
    from (
      select c.id, ${commentView(viewerId)} as comment
      from comments c
      cross join lateral ${accountSeen(viewerId, "c.account_id")} writer
      where c.author_id = p.author_id and c.post_id = p.id and ${commentNotBlocked("c")}
      order by c.id desc
      limit 2
    ) newest
  ), '[]'::json))`;
}

/**
 * Joined to rows `of`, which have the key of a post each: their posts `p` that the viewer may see, with their
 * authors' rows. Primary keys of posts and accounts.
 */
export function visiblePosts(
  viewerId: string | null,
  of: string,
  isForViewer = inAudience(viewerId, "p", "a"),
): Sql {
  const key = (name: string) => sql.ref(`${of}.${name}`);
  return sql`
    cross join lateral (
      select * from posts
      where author_id = ${key("author_id")} and ${probe("posts.id", key("post_id"))}
    ) p
    cross join lateral ${accountSeen(viewerId, "p.author_id", isForViewer)} author
  `;
}
