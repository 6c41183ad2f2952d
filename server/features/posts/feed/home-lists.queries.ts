import { sql } from "#server/platform/db/sql.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { toFollowers } from "#server/features/posts/feed/home-page.queries.ts";

/*
 * Writes the lists that the home feed is read from (docs/decisions/0184). What readers rely on, in the
 * snapshot of any statement: where home_lists has a floor, each post for followers above it of a listed
 * follow is in home_entries or in home_pending. A post whose audience grows to followers is pending again.
 *
 * One statement removes a post from home_pending and puts it into the lists, if it is for followers; its row
 * there is locked before that statement begins, so that the audience it sees is the last one. A statement that
 * does not see a follower as listed began before that was committed, and the post was published by then: so
 * listing a follow first marks it in `followers`, commits, waits for those statements to end, and then reads
 * the earlier posts; those that are still in home_pending are added later anyway. So every post is entered
 * once. Only then does `follows`, which readers check, say that it is listed.
 */

export type ListSizes = {
  /** entries that remain when a list is trimmed */
  maxEntries: number;
  /** posts that a list, or a newly listed follow, begins with */
  first: number;
  /** accounts with more followers are not listed: their posts are read directly */
  mostFollowers: number;
  /** follows listed in one go */
  followsAtOnce: number;
  /** one in this many lists that get a post is checked for excess entries */
  cutEvery: number;
};

/**
 * Shared by statements that put posts into lists, exclusive for those that delete lists or outdated entries,
 * or wait for the former.
 */
export const lock = sql`hashtextextended('home-lists', 0)`;

/**
 * Puts the posts that have waited longest into the lists they belong to, at most `posts` of them. How many
 * there were. followers_listed, posts_to_followers, then primary keys.
 */
export async function listPending(
  db: Database,
  posts: number,
  { cutEvery, maxEntries }: ListSizes,
): Promise<number> {
  return db.transaction(async () => {
    // Lists of a small town are few pages, but not so few that each of a post's should read them all.
    await db.run(sql`
      select pg_advisory_xact_lock_shared(${lock}), set_config('enable_seqscan', 'off', true)
    `);
    // Held first: what a second statement sees of their audiences cannot have changed without them.
    const held = await db.query<{ post_id: string }>(sql.named("home-lists.hold-pending")`
      select post_id from home_pending order by post_id limit ${posts} for update skip locked
    `);
    if (held.length === 0) return 0;
    const [row] = await db.query<{ posts: number; lists: string[] }>(sql.named(
      "home-lists.list-pending",
    )`
      with taken as (
        delete from home_pending where post_id = any(${held.map((one) => one.post_id)}::uuid[])
        returning author_id, post_id
      ),
      -- others are in no list
      for_followers as materialized (
        select taken.author_id, taken.post_id
        from taken
        cross join lateral (
          select 1 from posts p
          where p.author_id = taken.author_id and ${toFollowers("p")}
            and ${probe("p.id", sql`taken.post_id`)}
        ) post
      ),
      entered as (
        insert into home_entries (account_id, post_id, author_id)
        select f.follower_id, post.post_id, post.author_id
        from for_followers post
        cross join lateral (
          select follower_id from followers
          where followee_id = post.author_id and listed
          order by follower_id
        ) f
        cross join lateral (
          select floor_id from home_lists l where ${probe("l.account_id", sql`f.follower_id`)}
        ) list
        where coalesce(list.floor_id, ${lowestId}) < post.post_id
        -- it is there already where its audience grew again
        on conflict do nothing
        returning account_id
      )
      select (select count(*) from taken)::int as posts, array(
        select distinct account_id from entered where random() * ${cutEvery}::int < 1
      ) as lists
    `);
    if (row && row.lists.length > 0) await cut(db, row.lists, maxEntries);
    return row?.posts ?? 0;
  });
}

/**
 * Removes the entries after the first `maxEntries` of these lists and raises their floors. Lists that are locked
 * are left for another time. Primary keys.
 */
const cut = (db: Database, accountIds: string[], maxEntries: number) =>
  db.run(sql.named("home-lists.cut")`
    with held as materialized (
      select account_id from home_lists
      where account_id = any(${accountIds}::uuid[]) and floor_id is not null
      for no key update skip locked
    ),
    low as materialized (
      select held.account_id, entries.floor
      from held
      cross join lateral (
        select (array_agg(post_id order by post_id desc))[${maxEntries}::int + 1] as floor
        from (
          select post_id from home_entries where account_id = held.account_id
          order by post_id desc
          limit ${maxEntries}::bigint + 1
        ) newest
      ) entries
      where entries.floor is not null
    ),
    floored as (
      update home_lists l set floor_id = greatest(l.floor_id, low.floor)
      from low where l.account_id = low.account_id
    )
    delete from home_entries where ctid = any(array(
      select e.ctid from low
      cross join lateral (
        select ctid from home_entries
        where account_id = low.account_id and post_id <= low.floor
        order by post_id
      ) e
    ))
  `);

/**
 * Marks for those whom the account follows, and who have few enough followers, that its list gets their
 * posts from now on, and records that it is read. To be committed before `fillList`. follows_unlisted, then
 * primary keys.
 */
export const announce = (
  db: Database,
  accountId: string,
  { mostFollowers, followsAtOnce }: ListSizes,
) =>
  db.run(sql.named("home-lists.announce")`
    with list as (
      insert into home_lists (account_id)
      select id from accounts where id = ${accountId} and ${visibleAccount()}
      on conflict (account_id) do update set read_at = now()
    ),
    wanted as materialized (
      select f.followee_id
      from (
        select followee_id from follows where follower_id = ${accountId} and not listed
        order by followee_id
      ) f
      cross join lateral (
        select 1 from account_counters c
        where c.account_id = f.followee_id and c.followers <= ${mostFollowers}
        limit 1
      ) small
      limit ${followsAtOnce}
    )
    update followers set listed = true where ctid = any(array(
      select m.ctid from wanted
      cross join lateral (
        select ctid from followers
        where followee_id = wanted.followee_id and not listed and ${probe("follower_id", accountId)}
      ) m
    ))
  `);

/**
 * Puts the newest posts of the announced follows into the list: of all of them where it has no floor yet.
 * Where there are more, the floor is the last one. In one snapshot, of a transaction that began after
 * `announce` was committed. Does nothing where the list was deleted meanwhile. Primary keys.
 */
export async function fillList(db: Database, accountId: string, sizes: ListSizes): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(${lock})`);
  await db.transaction(async () => {
    const rows = await db.query(sql`
      select 1 from home_lists where account_id = ${accountId} for no key update
    `);
    if (rows.length === 0) return;
    await db.run(sql.named("home-lists.take-in")`${fillStatement(accountId, sizes.first)}`);
    await cut(db, [accountId], sizes.maxEntries);
  });
}

/**
 * As the page of a feed is found (home-page.queries.ts), whether the authors are visible at the moment or
 * not.
 */
function fillStatement(accountId: string, first: number) {
  const floor = sql`coalesce((select floor_id from list), ${lowestId})`;
  return sql`
    with list as materialized (select floor_id from home_lists where account_id = ${accountId}),
    announced as materialized (
      select f.ctid as row, f.followee_id as author_id, f.listed
      from (
        select ctid, followee_id, listed from follows
        where follower_id = ${accountId} and (not listed or (select floor_id from list) is null)
        order by followee_id
      ) f
      cross join lateral (
        select 1 from followers m
        where m.followee_id = f.followee_id and m.listed and ${probe("m.follower_id", accountId)}
      ) mirrored
    ),
    newest as materialized (
      select a.author_id, post.id
      from announced a
      cross join lateral (
        select p.id from posts p
        where p.author_id = a.author_id and p.id > ${floor} and ${toFollowers("p")}
        order by p.id desc
        limit 1
      ) post
    ),
    authors as materialized (
      select author_id, row_number() over (order by id desc) as rank
      from (select * from newest order by id desc limit ${first}) ranked
    ),
    found as materialized (
      select post.author_id, post.id
      from authors
      cross join lateral (
        select p.author_id, p.id from posts p
        where p.author_id = authors.author_id and p.id > ${floor} and ${toFollowers("p")}
        order by p.id desc
        limit ${first}::bigint + 1 - authors.rank
      ) post
      order by post.id desc
      limit ${first}
    ),
    entered as (
      insert into home_entries (account_id, post_id, author_id)
      select ${accountId}::uuid, id, author_id from found
      where (select true from home_pending p where p.post_id = found.id limit 1) is null
      on conflict do nothing
    ),
    marked as (
      update follows set listed = true
      where ctid = any(array(select row from announced where not listed))
    )
    update home_lists set
      floor_id = greatest(
        ${floor},
        (select (array_agg(id order by id desc))[${first}::int] from found)
      ),
      left_out = (select count(*) from follows where follower_id = ${accountId} and not listed)
        - (select count(*) from announced where not listed)
    where account_id = ${accountId}
  `;
}
