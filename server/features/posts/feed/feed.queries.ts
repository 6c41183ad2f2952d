import { sql } from "kysely";
import { probe } from "#server/db/probes.ts";
import type { Database } from "#server/db/database.ts";
import { accountSummary, notMuted, visibleTo } from "#server/features/people/index.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";
import type { AccountSummary } from "#shared/views.ts";

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

/**
 * People to follow who have posted something and are not followed yet: whom the followed follow,
 * who follows the viewer, and who joined last. Whatever the number of accounts, it looks at
 * 20 × 20 of the first and 50 of each other kind (of the latter it passes over 5,000 silent ones
 * at most), all by index (follows_newest, followers_newest, primary keys).
 */
export async function suggestedAccounts(
  db: Database,
  { viewerId, limit }: { viewerId: string; limit: number },
): Promise<AccountSummary[]> {
  const rows = await db.prepared<{ item: AccountSummary }>(
    "feed.suggestions",
    sql`
      with friends_of_followed as materialized (
        select theirs.followee_id as account_id
        from (
          select followee_id from follows
          where follower_id = ${viewerId} order by id desc limit 20
        ) mine
        cross join lateral (
          select followee_id from follows
          where follower_id = mine.followee_id order by id desc limit 20
        ) theirs
      ),
      own_followers as materialized (
        select follower_id as account_id from followers
        where followee_id = ${viewerId} order by id desc limit 50
      ),
      newcomers as materialized (
        select newest.id as account_id
        from (select id from accounts order by id desc limit 5000) newest
        cross join lateral (
          select 1 from account_counters c where c.account_id = newest.id and c.posts > 0 limit 1
        ) posting
        limit 50
      ),
      candidates as materialized (
        select account_id, count(*) filter (where near) as ties
        from (
          select account_id, true as near from friends_of_followed
          union all select account_id, true from own_followers
          union all select account_id, false from newcomers
        ) found
        where account_id <> ${viewerId}
        group by account_id
      ),
      suggested as materialized (
        select candidates.account_id, candidates.ties, counters.followers
        from candidates
        cross join lateral (
          select followers from account_counters c
          where c.account_id = candidates.account_id and c.posts > 0 limit 1
        ) counters
        cross join lateral (
          select 1 from accounts a
          where a.id = candidates.account_id and ${visibleTo(viewerId, "a")}
            and ${notMuted(viewerId, "a")}
          limit 1
        ) visible
        where (
          select true from follows
          where follower_id = ${viewerId} and ${probe("followee_id", sql`candidates.account_id`)}
        ) is null
        order by candidates.ties desc, counters.followers desc, candidates.account_id desc
        limit ${limit}
      )
      select ${accountSummary("a")} as item
      from suggested
      cross join lateral (select * from accounts where id = suggested.account_id limit 1) a
      order by suggested.ties desc, suggested.followers desc, suggested.account_id desc
    `.compile(db.kysely),
  );
  return rows.map(({ item }) => item);
}
