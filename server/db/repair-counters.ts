import { sql, type RawBuilder } from "kysely";
import type { Database } from "#server/db/database.ts";
import { reconcileCounters, type Difference } from "#server/db/reconcile-counters.ts";

/** Rows that are locked at once: whoever likes or follows there waits. */
const batch = 500;
/** A follow whose other half was missing changes counters that were right until then. */
const mostRounds = 3;

/**
 * Sets counters to what their rows say, beside a running server: each row is locked, then counted, then
 * written, so that what members do meanwhile is counted once. Answers what was found at first, and what
 * is left: of a post that lost pictures only somebody who knows the post can say what it should show.
 */
export async function repairCounters(
  db: Database,
): Promise<{ found: Difference[]; left: Difference[] }> {
  const found = await reconcileCounters(db);
  let left = found;
  for (let round = 0; round < mostRounds && left.length > 0; round += 1) {
    for (const [kind, repair] of Object.entries(repairs)) {
      const ids = left.filter(({ counter }) => counter.split(".")[0] === kind).map(({ id }) => id);
      for (let start = 0; start < ids.length; start += batch) {
        const some = sql`any(${ids.slice(start, start + batch)}::uuid[])`;
        await db.transaction(async () => {
          for (const statement of repair(some)) await statement.execute(db.kysely);
        });
      }
    }
    left = await reconcileCounters(db);
  }
  return { found, left };
}

/** By the first word of a counter's name. A lock comes before the count, whose snapshot must be younger. */
const repairs: Record<string, (ids: RawBuilder<unknown>) => RawBuilder<unknown>[]> = {
  // What a member follows stands in follows: its mirror goes by it.
  follows: (ids) => [
    sql`select from account_counters where account_id = ${ids} order by account_id for update`,
    sql`delete from followers m where m.follower_id = ${ids} and not exists (
      select from follows f
      where f.follower_id = m.follower_id and f.followee_id = m.followee_id and f.id = m.id
    )`,
    // A post made while the mirror was missing is in no list (docs/decisions/0184): it is read where it is.
    sql`update follows f set listed = false where f.follower_id = ${ids} and f.listed and not exists (
      select from followers m
      where m.followee_id = f.followee_id and m.follower_id = f.follower_id and m.listed
    )`,
    sql`insert into followers (followee_id, follower_id, id)
      select followee_id, follower_id, id from follows where follower_id = ${ids}
      on conflict do nothing`,
  ],
  bookmarks: (ids) => [
    sql`delete from bookmarks b where b.post_id = ${ids} and not exists (
      select from posts p where p.author_id = b.author_id and p.id = b.post_id
    )`,
  ],
  account_counters: (ids) => [
    sql`insert into account_counters (account_id) select id from accounts where id = ${ids}
      on conflict do nothing`,
    sql`select from account_counters where account_id = ${ids} order by account_id for update`,
    sql`update account_counters c set
        posts = counted.posts,
        photos = counted.photos,
        last_post_number = greatest(c.last_post_number, counted.last),
        followers = (select count(*) from followers where followee_id = c.account_id),
        following = (select count(*) from follows where follower_id = c.account_id)
      from accounts a, lateral (
        select count(*) as posts, count(*) filter (where picture_count > 0) as photos,
          coalesce(max(number), 0) as last
        from posts where author_id = a.id
      ) counted
      where a.id = c.account_id and c.account_id = ${ids}`,
  ],
  account_storage: (ids) => [
    sql`insert into account_storage (account_id) select id from accounts where id = ${ids}
      on conflict do nothing`,
    sql`select from account_storage where account_id = ${ids} order by account_id for update`,
    sql`update account_storage s set bytes =
        (select coalesce(sum(bytes), 0) from images where account_id = s.account_id)
        + (select coalesce(sum(bytes), 0) from message_pictures where account_id = s.account_id)
        + (select coalesce(sum(bytes), 0) from imported_pictures where account_id = s.account_id)
      where s.account_id = ${ids}`,
  ],
  posts: (ids) => [
    sql`select from posts where id = ${ids} order by author_id, id for update`,
    sql`update posts p set
        like_count = (select count(*) from likes l where l.author_id = p.author_id and l.post_id = p.id),
        comment_count =
          (select count(*) from comments c where c.author_id = p.author_id and c.post_id = p.id)
      where p.id = ${ids}`,
  ],
  comments: (ids) => [
    sql`select from comments where id = ${ids} order by author_id, post_id, id for update`,
    sql`update comments c set
        reply_count = (select count(*) from comments r
          where r.author_id = c.author_id and r.post_id = c.post_id and r.root_id = c.id),
        like_count = (select count(*) from comment_likes l
          where l.author_id = c.author_id and l.post_id = c.post_id and l.comment_id = c.id)
      where c.id = ${ids}`,
  ],
};
