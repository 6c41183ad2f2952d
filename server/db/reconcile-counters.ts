import { sql } from "#server/db/sql.ts";
import type { Database } from "#server/db/database.ts";

/** A counter that does not say what the rows say; `id` is of the account or the post. */
export type Difference = { counter: string; id: string; stored: number; counted: number };

type Counter = {
  /** the last column is what it is known by */
  key: readonly string[];
  /** a row of each account */
  ofAccounts?: true;
  /** what each column counts, for a row `c` */
  columns: Record<string, string>;
};

const bytesOf = (table: string) =>
  `(select coalesce(sum(bytes), 0) from ${table} where account_id = c.account_id)`;

/** Every counter, once: what is compared here is what repair-counters.ts sets. */
export const counters: Record<string, Counter> = {
  account_counters: {
    key: ["account_id"],
    ofAccounts: true,
    columns: {
      posts: "select count(*) from posts where author_id = c.account_id",
      photos: "select count(*) from posts where author_id = c.account_id and picture_count > 0",
      // numbers are never given out twice: the last one is never below a post's
      last_post_number:
        "select greatest(c.last_post_number, max(number)) from posts where author_id = c.account_id",
      followers: "select count(*) from followers where followee_id = c.account_id",
      following: "select count(*) from follows where follower_id = c.account_id",
    },
  },
  account_storage: {
    key: ["account_id"],
    ofAccounts: true,
    columns: {
      bytes: `select ${["images", "message_pictures", "imported_pictures"].map(bytesOf).join(" + ")}`,
    },
  },
  posts: {
    key: ["author_id", "id"],
    columns: {
      like_count: "select count(*) from likes where author_id = c.author_id and post_id = c.id",
      comment_count:
        "select count(*) from comments where author_id = c.author_id and post_id = c.id",
      picture_count:
        "select count(*) from post_pictures where author_id = c.author_id and post_id = c.id",
    },
  },
  comments: {
    key: ["author_id", "post_id", "id"],
    columns: {
      reply_count: `select count(*) from comments r
        where r.author_id = c.author_id and r.post_id = c.post_id and r.root_id = c.id`,
      like_count: `select count(*) from comment_likes l
        where l.author_id = c.author_id and l.post_id = c.post_id and l.comment_id = c.id`,
    },
  },
};

const compared = Object.entries(counters).flatMap(([table, { key, columns }]) =>
  Object.entries(columns).map(
    ([column, count]) =>
      `select '${table}.${column}', c.${key.at(-1)}, c.${column}, (${count}) from ${table} c`,
  ),
);

/**
 * Compares every counter with the rows it counts and the two halves of what is written twice.
 * It reads whole tables, in one snapshot, and changes nothing: for tests and for operators.
 */
export async function reconcileCounters(db: Database): Promise<Difference[]> {
  const rows = await db.query<Difference>(sql`
    with compared (counter, id, stored, counted) as (
      ${sql.raw(compared.join(" union all "))}
      union all
      -- an account without counters
      select 'account_counters', a.id, count(c.account_id), 1
      from accounts a left join account_counters c on c.account_id = a.id
      group by a.id
      union all
      -- pictures of an account that has no row for their bytes
      select 'account_storage', c.account_id, 0, sum(c.bytes)
      from (
        select account_id, bytes from images
        union all select account_id, bytes from message_pictures
        union all select account_id, bytes from imported_pictures
      ) c
      where not exists (select from account_storage s where s.account_id = c.account_id)
      group by c.account_id
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
  `);
  return rows;
}
