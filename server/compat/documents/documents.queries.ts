import { sql, type Sql } from "#server/platform/db/sql.ts";
import { listOf, probe } from "#server/platform/db/probes.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  accountIdAt,
  accountSeen,
  forEveryone,
  inAudience,
  isFollowing,
  listsOpenTo,
  visiblePostCounts,
  visibleTo,
} from "#server/features/people/index.ts";
import { addressFor } from "#server/compat/documents/addresses.queries.ts";
import { newestVisible } from "#server/features/posts/index.ts";

/** The largest variant of an image: what its documented address shows. */
export type DocumentImage = {
  key: string;
  width: number;
  /** of a post that is not for everyone */
  gated?: boolean;
};

export type AccountRow = {
  id: string;
  address: string;
  image: DocumentImage | null;
  firstName: string;
  secondName: string;
  name: string;
  bio: string;
  posts: number;
  lastPostNumber: number;
  followers: number;
  following: number;
  /** newest first */
  followerIds: string[];
  followingIds: string[];
  /** the viewer is among the followers, of whom followerIds may be a part */
  followedByViewer: boolean;
  followsViewer: boolean;
};

export type PostRow = {
  authorId: string;
  id: string;
  number: number;
  caption: string;
  timeZone: string;
  /** epoch ms */
  time: number;
  likes: number;
  image: DocumentImage | null;
  /** newest first */
  likerIds: string[];
  likedByViewer: boolean;
};

/** The id of the visible account at an address. */
export const findAt = (db: Database, viewerId: string | null, address: string) =>
  db.value<string>(sql.named("documents.at")`
    select a.id from accounts a
    where a.id = ${accountIdAt(db, address, viewerId)} and ${visibleTo(viewerId, "a")}
  `);

/**
 * The ids of a page of all accounts in the order they joined, the viewer's own before all others
 * on the first one. Primary key of accounts.
 */
export async function accountIds(
  db: Database,
  { viewerId, above, limit }: { viewerId: string | null; above: string | null; limit: number },
): Promise<string[]> {
  const first = above === null ? viewerId : null;
  return db.column<string>(sql.named("documents.page")`
    (select a.id from accounts a where a.id = ${first}::uuid and ${visibleTo(viewerId, "a")})
    union all
    (
      select a.id from accounts a
      where a.id > coalesce(${above}::uuid, '00000000-0000-0000-0000-000000000000')
        and a.id is distinct from ${viewerId}::uuid
        and ${visibleTo(viewerId, "a")}
      order by a.id
      limit ${limit}
    )
    limit ${limit}
  `);
}

/** The number of the newest post of the row `a` that the viewer may see: others tell that there are more. */
const lastVisibleNumber = (viewerId: string | null) => sql`(
  select visible.number from (${newestVisible(viewerId, { author: "a", limit: 1 })}) visible
)`;

/** In the order of `ids`. Primary keys, followers_newest, follows_newest and posts_by_kind. */
export const accountRows = (
  db: Database,
  { viewerId, ids, entries }: { viewerId: string | null; ids: readonly string[]; entries: number },
) =>
  db.query<AccountRow>(sql.named("documents.accounts")`
    select
      a.id,
      ${addressFor(db, viewerId)} as address,
      (
        select ${largestVariant("i")} from images i
        where i.account_id = a.id and i.id = a.avatar_image_id
      ) as image,
      a.first_name as "firstName",
      a.second_name as "secondName",
      coalesce(nullif(a.full_name, ''), a.username) as name,
      a.bio,
      seen.posts,
      case when a.id = ${viewerId}::uuid then c.last_post_number
        else coalesce(${lastVisibleNumber(viewerId)}, 0) end as "lastPostNumber",
      c.followers,
      c.following,
      array(
        select f.follower_id from followers f
        where ${listOf("f.followee_id", sql`a.id`)} and ${listsOpenTo(viewerId)}
        order by f.id desc limit ${entries}
      ) as "followerIds",
      array(
        select f.followee_id from follows f
        where ${listOf("f.follower_id", sql`a.id`)} and ${listsOpenTo(viewerId)}
        order by f.id desc limit ${entries}
      ) as "followingIds",
      ${isFollowing(viewerId, sql`a.id`)} as "followedByViewer",
      ${isFollowing(sql`a.id`, sql`${viewerId}::uuid`)} as "followsViewer"
    from unnest(${ids}::uuid[]) with ordinality as wanted (id, position)
    join accounts a on a.id = wanted.id and ${visibleTo(viewerId, "a")}
    join account_counters c on c.account_id = a.id
    cross join lateral (${visiblePostCounts(viewerId)}) seen
    order by wanted.position
  `);

/**
 * The newest posts of each of these accounts, newest first. No more of them than fit in an answer:
 * `bytes` bounds what is read, whatever people wrote. Index posts_by_kind.
 */
export const postRows = (
  db: Database,
  wanted: {
    viewerId: string | null;
    authorIds: readonly string[];
    posts: number;
    entries: number;
    bytes: number;
  },
) =>
  db.query<PostRow>(sql.named("documents.posts")`
    select ${postColumns(wanted.viewerId, wanted.entries, sql`p.gated`)}
    from (
      select
        newest.*,
        not ${forEveryone("newest")} as gated,
        wanted.position,
        sum(octet_length(newest.caption)) over (order by wanted.position, newest.id desc) as bytes
      from unnest(${wanted.authorIds}::uuid[]) with ordinality as wanted (author_id, position)
      cross join lateral (
        select * from accounts a where a.id = wanted.author_id limit 1
      ) author
      cross join lateral (${newestVisible(wanted.viewerId, { limit: wanted.posts })}) newest
    ) p
    where p.bytes <= ${wanted.bytes}
    order by p.position, p.id desc
  `);

/**
 * The viewer's bookmarked posts, latest bookmarked first. bookmarks_newest once for each kind, then
 * the primary keys of posts and accounts.
 */
export async function bookmarkRows(
  db: Database,
  { viewerId, entries }: { viewerId: string; entries: number },
): Promise<PostRow[]> {
  const newest = (hasPicture: boolean) => sql`
    select id, author_id, post_id from bookmarks
    where account_id = ${viewerId} and has_picture = ${sql.lit(hasPicture)}
    order by id desc
    limit ${entries}
  `;
  return db.query(sql.named("documents.saved")`
    select ${postColumns(viewerId, entries, sql`not ${forEveryone()}`)}
    from (
      (${newest(true)}) union all (${newest(false)})
      order by id desc
      limit ${entries}
    ) saved
    cross join lateral (
      select * from posts
      where author_id = saved.author_id and album_id is null
        and ${probe("posts.id", sql`saved.post_id`)}
    ) p
    cross join lateral ${accountSeen(viewerId, "p.author_id", inAudience(viewerId, "p", "a"))} author
    order by saved.id desc
  `);
}

/** Of one row `p` of posts; `gated`: it is not for everyone. likes_newest, then primary keys. */
function postColumns(viewerId: string | null, entries: number, gated: Sql): Sql {
  return sql`
    p.author_id as "authorId",
    p.id,
    p.number,
    p.caption,
    p.time_zone as "timeZone",
    ${epochMs("p.created_at")}::float8 as time,
    p.like_count as likes,
    (
      select (
        select ${largestVariant("i", gated)} from images i
        where i.account_id = pp.author_id and i.id = pp.image_id
      )
      from post_pictures pp
      where pp.author_id = p.author_id and pp.post_id = p.id
      order by pp.position
      limit 1
    ) as image,
    array(
      select l.account_id from likes l
      where l.author_id = p.author_id and l.post_id = p.id
      order by l.id desc
      limit ${entries}
    ) as "likerIds",
    coalesce((
      select true from likes l
      where l.author_id = p.author_id and l.post_id = p.id and ${probe("l.account_id", viewerId)}
    ), false) as "likedByViewer"
  `;
}

export function largestVariant(images: string, gated = sql`false`): Sql {
  const column = (name: string) => sql.ref(`${images}.${name}`);
  return sql`json_build_object(
    'key', ${column("key")},
    'width', ${column("widths")}[cardinality(${column("widths")})],
    'gated', ${gated}
  )`;
}
