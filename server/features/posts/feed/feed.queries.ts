import { sql, type Sql } from "#server/db/sql.ts";
import { highestId, lowestId } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { probe } from "#server/db/probes.ts";
import { notMuted, visibleTo } from "#server/features/people/index.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";

type HomePage = { viewerId: string; below: string; limit: number };

/** Posts that wait to be listed and are read with a page; while more do, pages are read without lists. */
const mostPending = 40;
/** Accounts followed since the list was looked after, each read by itself, before it is again. */
const mostUnlisted = 20;

/** What a page is read with, and whether the viewer's list is to be looked after. */
export type HomeKeys = { keys: PostKey[]; due: boolean };

/** Author `author` of these queries may be seen by the viewer, who wants to. Primary keys. */
function shownAuthor(viewerId: string, author: Sql): Sql {
  return sql`
    select 1 from accounts a
    where a.id = ${author} and ${visibleTo(viewerId, "a")}
      and ((select true from mutes m where m.account_id = ${viewerId} limit 1) is null
        or ${notMuted(viewerId, "a")})
    limit 1
  `;
}

/**
 * The newest posts of some followed accounts (`followed`, a query of their `author_id`) below an id, at
 * most `limit`: exact, whoever posts how often. For F accounts it reads 2F rows to find each one's
 * newest post (primary keys of follows and posts), then the accounts of the `limit` newest of those,
 * then posts of these only. The author whose newest post is the r-th cannot have more than
 * limit + 1 - r among the first `limit`: no more of theirs are read.
 *
 * Every step is a materialized CTE or a lateral look-up with a limit, which PostgreSQL can only
 * run as an index probe a row: a wrong estimate of a table just loaded cannot make it scan.
 */
function newestOf(followed: Sql, { viewerId, below, limit }: HomePage): Sql {
  return sql`
      with newest as materialized (
        select f.author_id, post.id
        from (${followed}) f
        cross join lateral (
          select p.id from posts p
          where p.author_id = f.author_id and p.id < ${below}
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
        where p.author_id = authors.author_id and p.id < ${below}
        order by p.id desc
        limit ${limit}::bigint + 1 - authors.rank
      ) post
      order by post.id desc
      limit ${limit}
    `;
}

/** Everybody the viewer follows; primary key of follows. */
const allFollowed = (viewerId: string, where: Sql = sql`true`) => sql`
  select followee_id as author_id from follows where follower_id = ${viewerId} and ${where}
`;

/**
 * What the viewer's list has for this page (docs/decisions/0184), as CTEs: `listed` from the list
 * itself, newest first, `waiting` those that are in no list yet, `unlisted` whose posts it lacks.
 * `usable` has no row where there is no list to read, or too much waits for it, and then neither have
 * the others. A post stands here if its author is followed, is there and not muted, and it is not
 * deleted: what changes takes no entry away. Primary keys, and follows_unlisted.
 */
function listParts({ viewerId, below, limit }: HomePage, above: Sql) {
  const stands = (entry: string) => {
    const author = sql.ref(`${entry}.author_id`);
    return sql`
      cross join lateral (
        select 1 from follows f
        where f.follower_id = ${viewerId} and ${probe("f.followee_id", author)}
      ) followed
      cross join lateral (${shownAuthor(viewerId, author)}) shown
      cross join lateral (
        select 1 from posts p
        where p.author_id = ${author} and ${probe("p.id", sql.ref(`${entry}.post_id`))}
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
      ${stands("e")}
      order by e.post_id desc
      limit ${limit}
    ),
    waiting as materialized (
      select e.author_id, e.post_id as id
      from (
        select author_id, post_id from pending
        where post_id < ${below} and post_id > ${above}
      ) e
      ${stands("e")}
    ),
    unlisted as materialized (
      ${allFollowed(viewerId, sql`not listed and (select true from usable)`)}
    )
  `;
}

/**
 * The newest posts of home below an id, at most `limit`, and in every row whether the list is `due` to
 * be looked after; one row without a post where there is none. From the viewer's list, and the posts of
 * those it lacks; what the list does not reach down to is read from everybody followed instead: the
 * same posts, always.
 */
function homeKeys(page: HomePage): Sql {
  const { viewerId, limit } = page;
  const floor = sql`(select floor_id from usable)`;
  return sql`
      with ${listParts(page, floor)},
      near as materialized (
        select author_id, id from listed
        union select author_id, id from waiting
        union select author_id, id from (
          ${newestOf(sql`select author_id from unlisted`, page)}
        ) pulled
        order by id desc
        limit ${limit}
      ),
      reach as materialized (
        select ${floor} = ${lowestId} or
          (select count(*) from near where id > ${floor}) >= ${limit} as enough
      ),
      found as materialized (
        select author_id, id from near where (select enough from reach)
        union all
        select author_id, id from (
          ${newestOf(allFollowed(viewerId, sql`(select enough from reach) is not true`), page)}
        ) pulled
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

type HomeRow = { authorId: string | null; id: string | null; due: boolean };

const readKeys = (rows: HomeRow[]): HomeKeys => ({
  keys: rows.flatMap(({ authorId, id }) => (authorId && id ? { authorId, id } : [])),
  due: rows.some(({ due }) => due),
});

export async function homePostKeys(db: Database, page: HomePage): Promise<HomeKeys> {
  return readKeys(await db.prepared("feed.home-keys", homeKeys(page)));
}

/**
 * The same with the viewer's own posts among them, as timelines of apps have them: `limit` rows of theirs more,
 * by the primary key of posts.
 */
export async function homeAndOwnKeys(db: Database, page: HomePage): Promise<HomeKeys> {
  const { viewerId, below, limit } = page;
  const rows = await db.prepared<HomeRow>(
    "feed.home-and-own-keys",
    sql`
      with home as materialized (${homeKeys(page)}),
      own as materialized (
        select p.author_id, p.id from posts p
        where p.author_id = ${viewerId} and p.id < ${below}
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
    `,
  );
  return readKeys(rows);
}

/** The same without any list: what a page has to be. */
export async function pulledPostKeys(db: Database, page: HomePage): Promise<PostKey[]> {
  const keys = newestOf(allFollowed(page.viewerId), page);
  const named = sql`select author_id as "authorId", id from (${keys}) keys order by id desc`;
  return db.prepared<PostKey>("feed.pulled-keys", named);
}

/**
 * The same in two steps, each of one owner's rows or of rows by their owners' ids: whom the viewer
 * follows and may see, then the newest posts of these. For tables that lie on several machines, where
 * one statement cannot look something up for each row of another owner. Primary keys.
 */
export async function keysInTwoSteps(
  db: Database,
  { viewerId, below, limit }: HomePage,
): Promise<PostKey[]> {
  const authors = await db.prepared<{ id: string }>(
    "feed.shown-authors",
    sql`
      select f.followee_id as id
      from follows f
      cross join lateral (${shownAuthor(viewerId, sql`f.followee_id`)}) shown
      where f.follower_id = ${viewerId}
    `,
  );
  return db.prepared<PostKey>(
    "feed.keys-of-authors",
    sql`
      select author_id as "authorId", id from posts
      where author_id = any(${authors.map(({ id }) => id)}::uuid[]) and id < ${below}
      order by id desc
      limit ${limit}
    `,
  );
}

/**
 * The posts of home and the viewer's own right above an id, oldest first: of everybody followed the first `limit`
 * there, by the primary key of posts, and of these the nearest. For F accounts F probes, and no more rows than
 * were posted since.
 */
export async function homeAndOwnKeysAbove(
  db: Database,
  { viewerId, below, above, limit }: HomePage & { above: string },
): Promise<PostKey[]> {
  return db.prepared<PostKey>(
    "feed.home-and-own-keys-above",
    sql`
      select post.author_id as "authorId", post.id
      from (${allFollowed(viewerId)} union all select ${viewerId}::uuid) f
      cross join lateral (${shownAuthor(viewerId, sql`f.author_id`)}) shown
      cross join lateral (
        select p.author_id, p.id from posts p
        where p.author_id = f.author_id and p.id > ${above} and p.id < ${below}
        order by p.id
        limit ${limit}
      ) post
      order by post.id
      limit ${limit}
    `,
  );
}

type Visit = {
  now: string;
  /** what was seen before this, was seen in an earlier visit */
  began: string;
};

/**
 * The newest posts of home as somebody opens it, in the statement that notes the visit: where the
 * last one ended stands in every row, and in one without a post where there is none. Of feed_visits it
 * reads and writes one row, by its primary key.
 */
export async function visitedPostKeys(
  db: Database,
  page: Omit<HomePage, "below">,
  { now, began }: Visit,
): Promise<HomeKeys & { caughtUpTo: string | null }> {
  const { viewerId, limit } = page;
  const line = sql`case when v.reached and v.seen_id < ${began} then v.seen_id else v.line_id end`;
  const rows = await db.prepared<HomeRow & { line: string | null }>(
    "feed.visit",
    sql`
      with shown as materialized (${homeKeys({ ...page, below: highestId })}),
      -- how far down the page goes: to the end of all, where no post is left for another
      place as (
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
            or coalesce(${line} >= (select oldest from place), true),
          seen_id = excluded.seen_id
        returning v.line_id
      )
      select shown."authorId", shown.id, shown.due, visit.line_id as line
      from visit cross join shown
      order by shown.id desc
    `,
  );
  return { ...readKeys(rows), caughtUpTo: rows[0]?.line ?? null };
}

/** The member came down to where their last visit ended. Primary key. */
export async function reachLine(db: Database, viewerId: string): Promise<void> {
  await db.query(sql`
    update feed_visits set reached = true where account_id = ${viewerId} and not reached
  `);
}

/**
 * How many posts of followed accounts are newer than an id, counted to `atMost`. From the viewer's list
 * where it reaches down to the id, with those it lacks; else for F followed accounts it reads the F
 * follows, and of their posts only those that it counts: both by primary key.
 */
export async function newerPostCount(
  db: Database,
  { viewerId, above, atMost }: { viewerId: string; above: string; atMost: number },
): Promise<number> {
  const newerOf = (followed: Sql) => sql`
    select newer.author_id, newer.id
    from (${followed}) f
    cross join lateral (
      select p.author_id, p.id from posts p
      where p.author_id = f.author_id and p.id > ${above}
      order by p.id
      limit ${atMost}
    ) newer
    cross join lateral (${shownAuthor(viewerId, sql`newer.author_id`)}) shown
    limit ${atMost}
  `;
  const reaches = sql`(select floor_id <= ${above} from usable)`;
  const page = { viewerId, below: highestId, limit: atMost };
  const rows = await db.prepared<{ count: number }>(
    "feed.newer-count",
    sql`
      with ${listParts(page, sql`(select ${above}::uuid from usable where floor_id <= ${above})`)},
      near as materialized (
        select author_id, id from listed
        union select author_id, id from waiting
        union (${newerOf(sql`select author_id from unlisted where ${reaches}`)})
      )
      select least(${atMost}::int, (select count(*) from near) + (select count(*) from (
        ${newerOf(allFollowed(viewerId, sql`${reaches} is not true`))}
      ) pulled))::int as count
    `,
  );
  return rows[0]?.count ?? 0;
}
