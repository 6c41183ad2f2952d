import { createCounters, type Counted } from "#server/platform/db/counters.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";

const bytesOf = (table: string) =>
  `(select coalesce(sum(bytes), 0) from ${table} where account_id = c.account_id)`;

/** A row of each account. */
const ofAccounts = (table: string, ids: Sql) => sql`
  insert into ${sql.table(table)} (account_id) select id from accounts where id = ${ids}
  on conflict do nothing
`;

/** Every counter, once: what is compared is what is set. */
const counters: Counted["counters"] = {
  account_counters: {
    key: ["account_id"],
    make: (ids) => ofAccounts("account_counters", ids),
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
    make: (ids) => ofAccounts("account_storage", ids),
    columns: {
      bytes: `select ${["images", "message_pictures", "imported_pictures"].map(bytesOf).join(" + ")}`,
    },
  },
  posts: {
    key: ["author_id", "id"],
    // Of a post that lost pictures only somebody who knows it can say what it should show.
    unsettable: ["picture_count"],
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

const others: Counted["others"] = [
  // an account without counters
  sql`select 'account_counters', a.id, count(c.account_id), 1
    from accounts a left join account_counters c on c.account_id = a.id
    group by a.id`,
  // pictures of an account that has no row for their bytes
  sql`select 'account_storage', c.account_id, 0, sum(c.bytes)
    from (
      select account_id, bytes from images
      union all select account_id, bytes from message_pictures
      union all select account_id, bytes from imported_pictures
    ) c
    where not exists (select from account_storage s where s.account_id = c.account_id)
    group by c.account_id`,
  // every follow stands with its follower and, as a mirror, with its followee
  sql`select 'follows', coalesce(f.follower_id, m.follower_id), count(f.id), count(m.id)
    from follows f
    full join followers m
      on m.followee_id = f.followee_id and m.follower_id = f.follower_id and m.id = f.id
    group by 2`,
  // posts that are not for everyone, those of them with photos, and of both those that are for albums
  ...["posts", "photos", "album_posts", "album_photos"].map(
    (column) => sql`select ${sql.lit(`narrow_posts.${column}`)}, coalesce(n.author_id, p.author_id),
        coalesce(sum(n.${sql.ref(column)}), 0), coalesce(sum(p.${sql.ref(column)}), 0)
      from narrow_posts n
      full join (
        select author_id, audience, count(*) as posts,
          count(*) filter (where picture_count > 0) as photos,
          count(album_id) as album_posts,
          count(album_id) filter (where picture_count > 0) as album_photos
        from posts where audience <> 'everyone'
        group by author_id, audience
      ) p on p.author_id = n.author_id and p.audience = n.audience
      group by 2, coalesce(n.audience, p.audience)`,
  ),
  // items of albums, by album
  sql`select 'album_counts', coalesce(c.album_id, i.album_id), coalesce(sum(c.items), 0),
      coalesce(sum(i.items), 0)
    from album_counts c
    full join (
      select owner_id, album_id, author_id, audience, count(*) as items from album_items
      group by owner_id, album_id, author_id, audience
    ) i using (owner_id, album_id, author_id, audience)
    group by 2, coalesce(c.author_id, i.author_id), coalesce(c.audience, i.audience)`,
  // bookmarks of posts that are gone
  sql`select 'bookmarks', b.post_id, count(*), count(p.id)
    from bookmarks b left join posts p on p.author_id = b.author_id and p.id = b.post_id
    group by b.post_id`,
];

/** By the primary keys, which begin with the owner. */
const ofAlbums = (ids: Sql) => sql`(owner_id, album_id) in (
  select owner_id, id from albums where id = ${ids}
)`;

const repairs: Counted["repairs"] = {
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
  narrow_posts: (ids) => [
    sql`select from account_counters where account_id = ${ids} order by account_id for update`,
    sql`delete from narrow_posts where author_id = ${ids}`,
    sql`insert into narrow_posts
        (author_id, audience, posts, photos, album_posts, album_photos)
      select author_id, audience, count(*), count(*) filter (where picture_count > 0),
        count(album_id), count(album_id) filter (where picture_count > 0)
      from posts where author_id = ${ids} and audience <> 'everyone'
      group by author_id, audience`,
  ],
  // Whatever adds to an album locks its row, whatever else changes what is in it a row of its counters.
  album_counts: (ids) => [
    sql`select from account_counters where account_id in (
        select author_id from album_items where ${ofAlbums(ids)}
        union select author_id from album_counts where ${ofAlbums(ids)}
      )
      order by account_id for update`,
    sql`select from albums where id = ${ids} order by id for update`,
    sql`select from album_counts where ${ofAlbums(ids)}
      order by owner_id, album_id, author_id, audience for update`,
    sql`update album_counts c set items = (
        select count(*) from album_items i
        where i.owner_id = c.owner_id and i.album_id = c.album_id
          and i.author_id = c.author_id and i.audience = c.audience
      )
      where ${ofAlbums(ids)}`,
    sql`insert into album_counts (owner_id, album_id, author_id, audience, items)
      select owner_id, album_id, author_id, audience, count(*) from album_items
      where ${ofAlbums(ids)}
      group by owner_id, album_id, author_id, audience
      on conflict do nothing`,
  ],
  bookmarks: (ids) => [
    sql`delete from bookmarks b where b.post_id = ${ids} and not exists (
      select from posts p where p.author_id = b.author_id and p.id = b.post_id
    )`,
  ],
};

export const { reconcileCounters, repairCounters } = createCounters({ counters, others, repairs });
