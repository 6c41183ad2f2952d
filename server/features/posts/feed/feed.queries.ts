import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";
import { notMuted, visibleTo } from "#server/features/people/index.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";

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
export async function homePostKeys(
  db: Database,
  { viewerId, below, limit }: { viewerId: string; below: string; limit: number },
): Promise<PostKey[]> {
  return db.prepared<PostKey>(
    "feed.home-keys",
    sql`
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
    `.compile(db.kysely),
  );
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
