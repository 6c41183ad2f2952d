import { sql } from "kysely";
import type { Database } from "#server/db/database.ts";

/** A counter that does not say what the rows say; `id` is of the account or the post. */
export type Difference = { counter: string; id: string; stored: number; counted: number };

/**
 * Compares every counter with the rows it counts and the two halves of what is written twice.
 * It reads whole tables, in one snapshot, and changes nothing: for tests and for operators.
 */
export async function reconcileCounters(db: Database): Promise<Difference[]> {
  const { rows } = await sql<Difference>`
    with compared (counter, id, stored, counted) as (
      select 'account_counters.posts', c.account_id, c.posts, count(p.id)
      from account_counters c left join posts p on p.author_id = c.account_id
      group by c.account_id
      union all
      select 'account_counters.photos', c.account_id, c.photos,
        count(p.id) filter (where p.picture_count > 0)
      from account_counters c left join posts p on p.author_id = c.account_id
      group by c.account_id
      union all
      -- numbers are never given out twice: the last one is never below a post's
      select 'account_counters.last_post_number', c.account_id, c.last_post_number,
        greatest(c.last_post_number, max(p.number))
      from account_counters c left join posts p on p.author_id = c.account_id
      group by c.account_id
      union all
      select 'account_counters.followers', c.account_id, c.followers, count(f.id)
      from account_counters c left join followers f on f.followee_id = c.account_id
      group by c.account_id
      union all
      select 'account_counters.following', c.account_id, c.following, count(f.id)
      from account_counters c left join follows f on f.follower_id = c.account_id
      group by c.account_id
      union all
      select 'posts.like_count', p.id, p.like_count, count(l.id)
      from posts p left join likes l on l.author_id = p.author_id and l.post_id = p.id
      group by p.author_id, p.id
      union all
      select 'posts.comment_count', p.id, p.comment_count, count(c.id)
      from posts p left join comments c on c.author_id = p.author_id and c.post_id = p.id
      group by p.author_id, p.id
      union all
      select 'comments.reply_count', c.id, c.reply_count, count(r.id)
      from comments c left join comments r
        on r.author_id = c.author_id and r.post_id = c.post_id and r.root_id = c.id
      group by c.author_id, c.post_id, c.id
      union all
      select 'comments.like_count', c.id, c.like_count, count(l.id)
      from comments c left join comment_likes l
        on l.author_id = c.author_id and l.post_id = c.post_id and l.comment_id = c.id
      group by c.author_id, c.post_id, c.id
      union all
      select 'posts.picture_count', p.id, p.picture_count, count(pp.image_id)
      from posts p left join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
      group by p.author_id, p.id
      union all
      select 'account_storage.bytes', a.id, coalesce(s.bytes, 0),
        (select coalesce(sum(bytes), 0) from images where account_id = a.id)
          + (select coalesce(sum(bytes), 0) from message_pictures where account_id = a.id)
          + (select coalesce(sum(bytes), 0) from imported_pictures where account_id = a.id)
      from accounts a left join account_storage s on s.account_id = a.id
      union all
      -- an account without counters
      select 'account_counters', a.id, count(c.account_id), 1
      from accounts a left join account_counters c on c.account_id = a.id
      group by a.id
      union all
      -- every follow stands with its follower and, as a mirror, with its followee
      select 'follows', coalesce(f.follower_id, m.follower_id), count(f.id), count(m.id)
      from follows f
      full join followers m
        on m.followee_id = f.followee_id and m.follower_id = f.follower_id and m.id = f.id
      group by 2
      union all
      -- bookmarks of posts that are gone
      select 'bookmarks', b.post_id, count(*), count(p.id)
      from bookmarks b left join posts p on p.author_id = b.author_id and p.id = b.post_id
      group by b.post_id
    )
    select counter, id, stored::float8, counted::float8 from compared
    where stored <> counted
    order by counter, id
  `.execute(db.kysely);
  return rows;
}
