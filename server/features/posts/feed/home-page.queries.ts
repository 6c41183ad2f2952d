import { sql, type Sql } from "#server/platform/db/sql.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import { probe } from "#server/platform/db/probes.ts";
import { notMuted, visibleTo } from "#server/features/people/index.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";

export type HomePage = { viewerId: string; below: string; limit: number };

/**
 * The most posts waiting to be listed that are read with a page; while there are more, pages are read
 * without lists.
 */
const mostPending = 40;
/**
 * The most accounts followed since the last upkeep of the list, each read separately, before it is due
 * again.
 */
const mostUnlisted = 20;
/** The most lists of close friends that are read because they name the viewer. */
const mostLists = 500;

/** What a page is read with, and whether the viewer's list is due for upkeep. */
export type HomeKeys = { keys: PostKey[]; due: boolean };

/** Author `author` of these queries is visible to the viewer and not muted. Primary keys. */
export function shownAuthor(viewerId: string, author: Sql): Sql {
  return sql`
    select 1 from accounts a
    where a.id = ${author} and ${visibleTo(viewerId, "a")}
      and ((select true from mutes m where m.account_id = ${viewerId} limit 1) is null
        or ${notMuted(viewerId, "a")})
    limit 1
  `;
}

/** Imported posts are in no feed, unless they are among the newest of an import that shows these (docs/decisions/0252). */
const isNews = (posts: string) => sql`${sql.ref(`${posts}.imported_at`)} is null`;
/**
 * What everybody who follows an author may see of them, as in the predicate of posts_to_followers: lists and
 * pages are made of these. What an author shows to close friends alone comes from `closeAuthors`.
 */
export const toFollowers = (posts: string) =>
  sql`${sql.ref(`${posts}.audience`)} in ('everyone', 'followers') and ${isNews(posts)}`;
/** As in the predicate of posts_to_close_friends. */
export const toCloseFriends = (posts: string) =>
  sql`${sql.ref(`${posts}.audience`)} = 'close-friends' and ${isNews(posts)}`;

/**
 * Followed accounts that have the viewer among their close friends: read from the lists that name the viewer
 * (index close_friends_of, then the primary key of follows), or where very many do, as with somebody whom
 * strangers admire, from those followed (primary keys of follows and close_friends).
 */
export const closeAuthors = (viewerId: string) => sql`
  with lists as materialized (
    select account_id from close_friends where friend_id = ${viewerId}
    order by account_id
    limit ${sql.lit(mostLists + 1)}
  ),
  few as materialized (
    select 1 where (select count(*) from lists) <= ${sql.lit(mostLists)}
  )
  select c.account_id as author_id
  from few cross join lists c
  cross join lateral (
    select 1 from follows f
    where f.follower_id = ${viewerId} and ${probe("f.followee_id", sql`c.account_id`)}
  ) followed
  union all
  select f.followee_id
  from (${allFollowed(viewerId, sql`(select true from few) is null`)}) f (followee_id)
  cross join lateral (
    select 1 from close_friends c
    where c.account_id = f.followee_id and ${probe("c.friend_id", viewerId)}
  ) close
`;

/**
 * The newest posts of some followed accounts (`followed`, a query of their `author_id`) below an id that are
 * for followers, or for close friends (`to`), at most `limit`: exact, however often each of them posts. For F
 * accounts it reads 2F rows to find each one's newest post (primary key of follows, posts_to_followers), then
 * the accounts of the `limit` newest of those, then posts of these only. The author whose newest post is the
 * r-th cannot have more than limit + 1 - r among the first `limit`: no more of theirs are read.
 *
 * Every step is a materialized CTE or a lateral look-up with a limit, which PostgreSQL can only run as an
 * index probe per row: a wrong estimate of a table just loaded cannot make it scan.
 */
export function newestOf(
  followed: Sql,
  { viewerId, below, limit }: HomePage,
  to: (posts: string) => Sql = toFollowers,
): Sql {
  return sql`
      with newest as materialized (
        select f.author_id, post.id
        from (${followed}) f
        cross join lateral (
          select p.id from posts p
          where p.author_id = f.author_id and p.id < ${below} and ${to("p")}
          order by p.id desc
          limit 1
        ) post
      ),
      authors as materialized (
        select ranked.author_id, row_number() over (order by ranked.id desc) as rank
        from (
          select n.author_id, n.id
          from (select * from newest order by id desc) n
          cross join lateral (${shownAuthor(viewerId, sql`n.author_id`)}) shown
          order by n.id desc
          limit ${limit}
        ) ranked
      )
      select post.author_id, post.id
      from authors
      cross join lateral (
        select p.author_id, p.id from posts p
        where p.author_id = authors.author_id and p.id < ${below} and ${to("p")}
        order by p.id desc
        limit ${limit}::bigint + 1 - authors.rank
      ) post
      order by post.id desc
      limit ${limit}
    `;
}

/** Everybody the viewer follows; primary key of follows. */
export const allFollowed = (viewerId: string, where: Sql = sql`true`) => sql`
  select followee_id as author_id from follows where follower_id = ${viewerId} and ${where}
`;

/**
 * What the viewer's list has for this page (docs/decisions/0184), as CTEs: `listed` from the list itself,
 * newest first, `waiting` those that are in no list yet, `unlisted` the authors whose posts it lacks.
 * `usable` has no row where there is no list to read, or too much waits for it, and then neither have the
 * others. A post is included if its author is followed, visible and not muted, it is for followers, and not
 * deleted: such changes remove no entry. Primary keys, posts_to_followers and follows_unlisted.
 */
export function listParts({ viewerId, below, limit }: HomePage, above: Sql) {
  const visibleEntry = (entry: string) => {
    const author = sql.ref(`${entry}.author_id`);
    return sql`
      cross join lateral (
        select 1 from follows f
        where f.follower_id = ${viewerId} and ${probe("f.followee_id", author)}
      ) followed
      cross join lateral (${shownAuthor(viewerId, author)}) shown
      cross join lateral (
        select 1 from posts p
        where p.author_id = ${author} and ${toFollowers("p")}
          and ${probe("p.id", sql.ref(`${entry}.post_id`))}
      ) post
    `;
  };
  return sql`
    list as materialized (
      select floor_id, left_out, read_at from home_lists
      where account_id = ${viewerId} and floor_id is not null
    ),
    pending as materialized (
      select author_id, post_id from home_pending
      order by post_id desc
      limit ${sql.lit(mostPending + 1)}
    ),
    usable as materialized (
      select floor_id from list where (select count(*) from pending) <= ${sql.lit(mostPending)}
    ),
    listed as materialized (
      select e.author_id, e.post_id as id
      from (
        select author_id, post_id from home_entries
        where account_id = ${viewerId} and post_id < ${below} and post_id > ${above}
        order by post_id desc
      ) e
      ${visibleEntry("e")}
      order by e.post_id desc
      limit ${limit}
    ),
    waiting as materialized (
      select e.author_id, e.post_id as id
      from (
        select author_id, post_id from pending
        where post_id < ${below} and post_id > ${above}
      ) e
      ${visibleEntry("e")}
    ),
    unlisted as materialized (
      ${allFollowed(viewerId, sql`not listed and (select true from usable)`)}
    )
  `;
}

/**
 * The newest posts of home below an id, at most `limit`, and in every row whether the list is `due` for
 * upkeep; one row without a post where there is none. From the viewer's list, the posts of the authors it
 * lacks, and what is for close friends alone, which is in no list; posts older than the list reaches are read
 * from everybody followed instead: always the same posts.
 */
export function homeKeys(page: HomePage): Sql {
  const { viewerId, limit } = page;
  const floor = sql`(select floor_id from usable)`;
  const enough = sql`(select enough from reach)`;
  const lacking = sql`
    select author_id from unlisted where ${enough}
    union all ${allFollowed(viewerId, sql`${enough} is not true`)}
  `;
  return sql`
      with ${listParts(page, floor)},
      near as materialized (
        select author_id, id from listed union select author_id, id from waiting
      ),
      reach as materialized (
        select ${floor} = ${lowestId} or (select count(*) from near) >= ${limit} as enough
      ),
      found as materialized (
        select author_id, id from near
        union select author_id, id from (${newestOf(lacking, page)}) pulled
        union select author_id, id from (
          ${newestOf(closeAuthors(viewerId), page, toCloseFriends)}
        ) close
        order by id desc
        limit ${limit}
      )
      select found.author_id as "authorId", found.id, coalesce((
        select read_at < now() - interval '1 day'
          or (select count(*) from unlisted) > left_out + ${sql.lit(mostUnlisted)}
        from list
      ), true) as due
      from (select) always left join found on true
      order by found.id desc
    `;
}

export type HomeRow = { authorId: string | null; id: string | null; due: boolean };

export const readKeys = (rows: HomeRow[]): HomeKeys => ({
  keys: rows.flatMap(({ authorId, id }) => (authorId && id ? { authorId, id } : [])),
  due: rows.some(({ due }) => due),
});
