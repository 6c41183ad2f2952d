import { sql, type Sql } from "#server/platform/db/sql.ts";
import { orderOf, type IdRange, type KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idTime } from "#server/platform/db/times.ts";
import { forEveryone, notMuted, visibleAccount, visibleTo } from "#server/features/people/index.ts";
import { postTile } from "#server/features/posts/post-view.queries.ts";
import type { PostKey } from "#server/features/posts/posts.queries.ts";
import { limits } from "#shared/limits.ts";
import type { PostTile } from "#shared/views.ts";

type ExplorePage = Pick<IdRange, "upward" | "limit"> & {
  from: string;
  /** null for a visitor */
  viewerId: string | null;
  /** accounts from this id on may be too young; ids contain their time */
  joinedBefore: string;
};

/**
 * Photos of everybody from an id on, in one direction. Index recent_photos_newest from there on, and for
 * each entry the account, until there are enough. Where many in a row must not be shown (their owners want
 * that, are suspended or blocked), the page ends after `lookedAt` of them: it costs no more, however many
 * there are.
 */
export async function recentPhotos(
  db: Database,
  { viewerId, from, upward, joinedBefore, limit }: ExplorePage,
): Promise<KeyedRow<PostTile>[]> {
  const order = orderOf(upward);
  // A bound on one side only: given both, PostgreSQL expects few rows, and reads all of them to sort them.
  const beyond = upward ? sql`post_id > ${from}` : sql`post_id < ${from}`;
  return db.query<KeyedRow<PostTile>>(sql.named(upward ? "explore.recent-above" : "explore.recent")`
    select json_build_array(p.id) as key, ${postTile("p", "author")} as item
    from (
      select recent.author_id, recent.post_id, visible.username, visible.private_at
      from (
        select author_id, post_id from recent_photos
        where ${beyond} and ${mayBeFound("author_id", joinedBefore)}
        order by post_id ${order}
        limit ${limits.explore.lookedAt}
      ) recent
      cross join lateral (
        select a.username, a.private_at from accounts a
        where a.id = recent.author_id and a.show_in_explore and a.private_at is null
          and ${visibleTo(viewerId, "a")} and ${notMuted(viewerId, "a")}
        limit 1
      ) visible
      order by recent.post_id ${order}
      limit ${limit}
    ) author
    cross join lateral (
      select * from posts
      where author_id = author.author_id and id = author.post_id and audience = 'everyone'
      limit 1
    ) p
    order by p.id ${order}
  `);
}

/**
 * Whether an account is old enough: it is from before `joinedBefore`, or from the first `accountHours` that
 * there were any accounts. Nobody else was there then, and a place without a photo looks as if it did not
 * work. The oldest account is read once, if at all: primary key.
 */
function mayBeFound(id: string, joinedBefore: string): Sql {
  const oldest = sql`(select a.id from accounts a order by a.id limit 1)`;
  return sql`(
    ${sql.ref(id)} < ${joinedBefore}
    or ${idTime(id)} < ${idTime(oldest)} + ${sql.lit(limits.explore.accountHours * 3_600_000)}
  )`;
}

/**
 * Those of these posts that are among the recent photos, of owners whose accounts are old enough and who
 * want that. Blocks and mutes are checked by the caller. Primary keys of recent_photos and accounts.
 */
export const recentAmong = (db: Database, keys: readonly PostKey[], joinedBefore: string) =>
  db.column<string>(sql.named("explore.among")`
    select r.post_id as id
    from unnest(
      ${keys.map(({ authorId }) => authorId)}::uuid[],
      ${keys.map(({ id }) => id)}::uuid[]
    ) wanted (author_id, post_id)
    join recent_photos r on r.author_id = wanted.author_id and r.post_id = wanted.post_id
    join accounts a on a.id = r.author_id
    join posts p on p.author_id = r.author_id and p.id = r.post_id
    where ${mayBeFound("r.author_id", joinedBefore)} and a.show_in_explore and ${visibleAccount("a")}
      and ${forEveryone("p", "a")}
  `);

/**
 * Sets an account's entries to its newest photo posts for everyone again, after one was added, deleted or
 * hidden, or its photos or its audience changed. Inside the transaction of that change. Index posts_by_kind.
 */
export const renewRecent = (db: Database, accountId: string) =>
  db.run(sql`
    with newest as materialized (
      select id from posts
      where author_id = ${accountId} and (picture_count > 0) and audience = 'everyone'
        and album_id is null and imported_at is null
        and hidden_from_explore_at is null
      order by id desc
      limit ${limits.explore.perAccount}
    ), gone as (
      delete from recent_photos
      where author_id = ${accountId} and post_id not in (select id from newest)
    )
    insert into recent_photos (author_id, post_id)
    select ${accountId}::uuid, id from newest
    on conflict do nothing
  `);

export const writeHidden = (db: Database, key: PostKey, hidden: boolean) =>
  db.any(sql`
    update posts
    set hidden_from_explore_at = case when ${hidden}::boolean then now() end
    where author_id = ${key.authorId} and id = ${key.id}
    returning id
  `);
