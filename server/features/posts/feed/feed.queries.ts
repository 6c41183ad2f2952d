import { sql, type RawBuilder } from "kysely";
import { highestId, lowestId } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { notMuted, visibleTo } from "#server/features/people/index.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";

type HomePage = { viewerId: string; below: string; limit: number };

/**
 * The newest posts of followed accounts below an id, at most `limit`: exact, whoever posts how
 * often. For F followed accounts it reads 2F rows to find each one's newest post (primary keys of
 * follows and posts), then the accounts of the `limit` newest of those, then posts of these only.
 * The author whose newest post is the r-th cannot have more than limit + 1 - r among the first
 * `limit`: no more of theirs are read.
 *
 * Every step is a materialized CTE or a lateral look-up with a limit, which PostgreSQL can only
 * run as an index probe a row: a wrong estimate of a table just loaded cannot make it scan.
 */
function homeKeys({ viewerId, below, limit }: HomePage): RawBuilder<PostKey> {
  return sql`
      with newest as materialized (
        select f.followee_id as author_id, post.id
        from follows f
        cross join lateral (
          select p.id from posts p
          where p.author_id = f.followee_id and p.id < ${below}
          order by p.id desc
          limit 1
        ) post
        where f.follower_id = ${viewerId}
      ),
      authors as materialized (
        select ranked.author_id, row_number() over (order by ranked.id desc) as rank
        from (
          select n.author_id, n.id
          from (select * from newest order by id desc) n
          cross join lateral (
            select 1 from accounts a
            where a.id = n.author_id and ${visibleTo(viewerId, "a")} and ${notMuted(viewerId, "a")}
            limit 1
          ) visible
          order by n.id desc
          limit ${limit}
        ) ranked
      )
      select post.author_id as "authorId", post.id
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

export async function homePostKeys(db: Database, page: HomePage): Promise<PostKey[]> {
  return db.prepared<PostKey>("feed.home-keys", homeKeys(page).compile(db.kysely));
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
): Promise<{ keys: PostKey[]; caughtUpTo: string | null }> {
  const { viewerId, limit } = page;
  const line = sql`case when v.reached and v.seen_id < ${began} then v.seen_id else v.line_id end`;
  const rows = await db.prepared<{
    authorId: string | null;
    id: string | null;
    line: string | null;
  }>(
    "feed.visit",
    sql`
      with shown as materialized (${homeKeys({ ...page, below: highestId })}),
      -- how far down the page goes: to the end of all, where no post is left for another
      place as (
        select case when count(*) < ${limit}::bigint then ${lowestId}::uuid
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
      select shown."authorId", shown.id, visit.line_id as line
      from visit left join shown on true
      order by shown.id desc
    `.compile(db.kysely),
  );
  return {
    keys: rows.flatMap(({ authorId, id }) => (authorId && id ? { authorId, id } : [])),
    caughtUpTo: rows[0]?.line ?? null,
  };
}

/** The member came down to where their last visit ended. Primary key. */
export async function reachLine(db: Database, viewerId: string): Promise<void> {
  await db.kysely
    .updateTable("feed_visits")
    .set({ reached: true })
    .where("account_id", "=", viewerId)
    .where("reached", "=", false)
    .execute();
}

/**
 * How many posts of followed accounts are newer than an id, counted to `atMost`. For F followed
 * accounts it reads the F follows, and of their posts only those that it counts: both by primary key.
 */
export async function newerPostCount(
  db: Database,
  { viewerId, above, atMost }: { viewerId: string; above: string; atMost: number },
): Promise<number> {
  const rows = await db.prepared<{ count: number }>(
    "feed.newer-count",
    sql`
      select count(*)::int as count
      from (
        select 1
        from follows f
        cross join lateral (
          select p.author_id from posts p
          where p.author_id = f.followee_id and p.id > ${above}
          order by p.id
          limit ${atMost}
        ) newer
        cross join lateral (
          select 1 from accounts a
          where a.id = newer.author_id and ${visibleTo(viewerId, "a")} and ${notMuted(viewerId, "a")}
          limit 1
        ) visible
        where f.follower_id = ${viewerId}
        limit ${atMost}
      ) counted
    `.compile(db.kysely),
  );
  return rows[0]?.count ?? 0;
}
