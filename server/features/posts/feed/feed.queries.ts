import { sql, type Sql } from "#server/platform/db/sql.ts";
import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import {
  allFollowed,
  closeAuthors,
  homeKeys,
  listParts,
  readKeys,
  shownAuthor,
  toCloseFriends,
  toFollowers,
  type HomeKeys,
  type HomePage,
  type HomeRow,
} from "#server/features/posts/feed/home-page.queries.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";

export async function homePostKeys(db: Database, page: HomePage): Promise<HomeKeys> {
  return readKeys(await db.query(sql.named("feed.home-keys")`${homeKeys(page)}`));
}

/**
 * The same with the viewer's own posts included, as timelines of apps have them: `limit` more rows for
 * these, by posts_in_feeds.
 */
export async function homeAndOwnKeys(db: Database, page: HomePage): Promise<HomeKeys> {
  const { viewerId, below, limit } = page;
  const rows = await db.query<HomeRow>(sql.named("feed.home-and-own-keys")`
    with home as materialized (${homeKeys(page)}),
    own as materialized (
      select p.author_id, p.id from posts p
      where p.author_id = ${viewerId} and p.id < ${below} and p.album_id is null
        and p.imported_at is null
      order by p.id desc
      limit ${limit}
    )
    select "authorId", id, (select bool_or(due) from home) as due
    from (
      select "authorId", id from home
      union all
      select author_id, id from own
    ) both_of_them
    order by id desc nulls last
    limit ${limit}
  `);
  return readKeys(rows);
}

/**
 * The posts of home and the viewer's own right above an id, oldest first: the first `limit` of everybody
 * followed, by posts_to_followers and posts_to_close_friends, the viewer's by posts_in_feeds, then
 * the nearest of these. For F accounts F probes, and no more rows than were posted since.
 */
export async function homeAndOwnKeysAbove(
  db: Database,
  { viewerId, below, above, limit }: HomePage & { above: string },
): Promise<PostKey[]> {
  const postsOf = (authors: Sql, to: Sql) => sql`
    select post.author_id, post.id
    from (${authors}) f
    cross join lateral (${shownAuthor(viewerId, sql`f.author_id`)}) shown
    cross join lateral (
      select p.author_id, p.id from posts p
      where p.author_id = f.author_id and p.id > ${above} and p.id < ${below} and ${to}
      order by p.id
      limit ${limit}
    ) post
  `;
  return db.query<PostKey>(sql.named("feed.home-and-own-keys-above")`
    select author_id as "authorId", id
    from (
      ${postsOf(allFollowed(viewerId), toFollowers("p"))}
      union all
      ${postsOf(closeAuthors(viewerId), toCloseFriends("p"))}
      union all
      ${postsOf(sql`select ${viewerId}::uuid as author_id`, sql`p.album_id is null and p.imported_at is null`)}
    ) post
    order by id
    limit ${limit}
  `);
}

type Visit = {
  now: string;
  /** posts seen before this were seen in an earlier visit */
  began: string;
};

/**
 * The newest posts of home as somebody opens it, in the statement that records the visit: every row says
 * where the last one ended, and so does one without a post where there is none. Reads and writes one row of
 * feed_visits, by its primary key.
 */
export async function visitedPostKeys(
  db: Database,
  page: Omit<HomePage, "below">,
  { now, began }: Visit,
): Promise<HomeKeys & { caughtUpTo: string | null }> {
  const { viewerId, limit } = page;
  const line = sql`case when v.reached and v.seen_id < ${began} then v.seen_id else v.line_id end`;
  const rows = await db.query<HomeRow & { line: string | null }>(sql.named("feed.visit")`
    with shown as materialized (${homeKeys({ ...page, below: highestId })}),
    -- how far down the page goes: to the end of everything, where no post is left for another page
    bottom as (
      select case when count(id) < ${limit}::bigint then ${lowestId}::uuid
        else (array_agg(id order by id desc))[${limit}::int - 1] end as oldest
      from shown
    ),
    visit as (
      insert into feed_visits as v (account_id, seen_id, line_id, reached)
      values (${viewerId}, ${now}, null, true)
      on conflict (account_id) do update set
        line_id = ${line},
        reached = (v.reached and v.seen_id >= ${began})
          or coalesce(${line} >= (select oldest from bottom), true),
        seen_id = excluded.seen_id
      -- nobody waits for the disk: after a crash a line may be where it was a visit ago
      returning v.line_id, set_config('synchronous_commit', 'off', true)
    )
    select shown."authorId", shown.id, shown.due, visit.line_id as line
    from visit cross join shown
    order by shown.id desc
  `);
  return { ...readKeys(rows), caughtUpTo: rows[0]?.line ?? null };
}

/** The member scrolled down to where their last visit ended. Primary key. */
export const reachLine = (db: Database, viewerId: string) =>
  db.run(sql`
    update feed_visits set reached = true where account_id = ${viewerId} and not reached
  `);

/**
 * How many posts of followed accounts are newer than an id, counted to `atMost`. From the viewer's list
 * where it reaches down to the id, plus the authors it lacks; otherwise it reads the follows of F followed
 * accounts, and of their posts only those that it counts: primary key of follows, posts_to_followers.
 */
export async function newerPostCount(
  db: Database,
  { viewerId, above, atMost }: { viewerId: string; above: string; atMost: number },
): Promise<number> {
  const newerOf = (followed: Sql, to = toFollowers) => sql`
    select newer.author_id, newer.id
    from (${followed}) f
    cross join lateral (
      select p.author_id, p.id from posts p
      where p.author_id = f.author_id and p.id > ${above} and ${to("p")}
      order by p.id
      limit ${atMost}
    ) newer
    cross join lateral (${shownAuthor(viewerId, sql`newer.author_id`)}) shown
    limit ${atMost}
  `;
  const reaches = sql`(select floor_id <= ${above} from usable)`;
  const page = { viewerId, below: highestId, limit: atMost };
  return db.scalar<number>(sql.named("feed.newer-count")`
    with ${listParts(page, sql`(select ${above}::uuid from usable where floor_id <= ${above})`)},
    near as materialized (
      select author_id, id from listed
      union select author_id, id from waiting
      union (${newerOf(sql`select author_id from unlisted where ${reaches}`)})
      union (${newerOf(closeAuthors(viewerId), toCloseFriends)})
    )
    select least(${atMost}::int, (select count(*) from near) + (select count(*) from (
      ${newerOf(allFollowed(viewerId, sql`${reaches} is not true`))}
    ) pulled))::int as count
  `);
}
