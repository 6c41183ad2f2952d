import { probe } from "#server/platform/db/probes.ts";
import { sql, type Sql } from "#server/platform/db/sql.ts";
import { albumAudiences } from "#shared/albums.ts";
import { audiences } from "#shared/posts.ts";

/** Who asks: a member's id, as a value or as an expression of the query; null: a visitor. */
export type Asker = string | null | Sql;

/**
 * The active accounts: neither suspended nor deleted. Enough for what concerns an account itself
 * (sessions, own settings); whatever shows it to others uses `visibleTo`. `accounts` is the table's
 * name in the query, for example `author`.
 */
export function visibleAccount(accounts = "accounts"): Sql {
  const column = (name: string) => sql.ref(`${accounts}.${name}`);
  return sql`(${column("suspended_at")} is null and ${column("deleted_at")} is null)`;
}

/**
 * The accounts that this viewer may see anything of: active, and no block between the two in either
 * direction. Every read of an account for somebody else, and of what it owns, has this among its
 * conditions; a visitor (null) has no blocks. One probe of the primary key of blocks a row.
 */
export function visibleTo(viewer: Asker, accounts = "accounts"): Sql {
  const id = sql.ref(`${accounts}.id`);
  return sql`(${visibleAccount(accounts)} and ${noBlock(sql`${viewer}::uuid`, id)})`;
}

/**
 * One row `a` of accounts by its key, as far as this viewer may see it, and `also` where more is asked: `cross join
 * lateral ${…} writer`. Primary key.
 */
export const accountSeen = (viewer: Asker, id: string, also?: Sql): Sql => sql`(
  select * from accounts a
  where a.id = ${sql.ref(id)} and ${visibleTo(viewer, "a")} ${also ? sql`and ${also}` : sql``}
  limit 1
)`;

/**
 * No block between the accounts of two expressions, in either direction. A scalar subquery can only
 * be run as a probe (docs/decisions/0223).
 */
export function noBlock(one: Sql, other: Sql): Sql {
  return sql`(
    select true from blocks where blocks.account_id = ${one} and blocks.other_id = ${other} limit 1
  ) is null`;
}

/**
 * Whether a row `posts` is for this viewer: as its author decided (`inOwnAudience`), or because it was uploaded
 * into an album that the viewer may see. Beside `visibleTo` under every read of a post and of what is attached to
 * one. `posts` needs `author_id`, `audience`, `album_owner_id` and `album_id`.
 */
export function inAudience(viewer: Asker, posts = "p", accounts = "author"): Sql {
  const column = (name: string) => sql.ref(`${posts}.${name}`);
  return audienceCase(viewer, {
    posts,
    accounts,
    album: sql`${column("album_id")} is not null and (
      select true from albums
      where albums.owner_id = ${column("album_owner_id")}
        and ${albumOpenTo(viewer, "albums")} and ${probe("albums.id", column("album_id"))}
    ) is not null`,
  });
}

/**
 * Whether a row `posts` is for this viewer, as its author decided: the narrower of the post's audience and
 * that of a private account, which is its followers. Enough where no post of an album is, as in all lists of an
 * author's posts. `posts` needs `author_id` and `audience` only, `accounts` is its author's row. A
 * post for everyone costs no probe, any other one of a primary key; one for the close friends of a private
 * account, who must also follow it, two. `follows`: whether the viewer follows the author, where the statement
 * changes that.
 */
export const inOwnAudience = (
  viewer: Asker,
  posts = "p",
  accounts = "author",
  follows = isFollowing(viewer, sql.ref(`${posts}.author_id`)),
): Sql => audienceCase(viewer, { posts, accounts, follows, album: sql`false` });

type Of = { posts: string; accounts: string; follows?: Sql; album: Sql };

/** `album`: what opens a post that is stored as one for only its author */
function audienceCase(viewer: Asker, { posts, accounts, album, ...of }: Of): Sql {
  const follows = of.follows ?? isFollowing(viewer, sql.ref(`${posts}.author_id`));
  const asker = sql`${viewer}::uuid`;
  const author = sql.ref(`${posts}.author_id`);
  const audience = sql.ref(`${posts}.audience`);
  const isPublic = sql`${sql.ref(`${accounts}.private_at`)} is null`;
  const isClose = sql`(
    select true from close_friends where account_id = ${author} and ${probe("friend_id", asker)}
  ) is not null`;
  return sql`(
    (${audience} = 'everyone' and ${isPublic})
    or coalesce(${author} = ${asker}, false)
    or case ${audience}
      when 'only-me' then ${album}
      when 'close-friends' then ${isClose} and (${isPublic} or ${follows})
      else ${audience} in ('everyone', 'followers') and ${follows}
    end
  )`;
}

/**
 * Whether the viewer may see a row `albums`: its owner is visible, and it is for them by its audience, or they are
 * a member of it. `everyone` of a private account is its followers. Primary keys of accounts, follows and
 * album_members. `ownerShown`: whether the row `album_owner` is there for the viewer.
 */
export function albumOpenTo(
  viewer: Asker,
  albums = "al",
  ownerShown = visibleTo(viewer, "album_owner"),
): Sql {
  const column = (name: string) => sql.ref(`${albums}.${name}`);
  const asker = sql`${viewer}::uuid`;
  return sql`coalesce((
    select ${column("owner_id")} = ${asker}
      or (${column("audience")} = 'everyone' and album_owner.private_at is null)
      or (${column("audience")} <> 'members' and ${isFollowing(viewer, column("owner_id"))})
      or (
        select true from album_members
        where album_members.owner_id = ${column("owner_id")}
          and album_members.album_id = ${column("id")}
          and ${probe("album_members.account_id", asker)}
      ) is not null
    from accounts album_owner
    where album_owner.id = ${column("owner_id")} and ${ownerShown}
    limit 1
  ), false)`;
}

/**
 * Whether any album of the row `accounts` is open to the viewer, who may see the account: `albumOpenTo`, asked once
 * for all of them. Primary keys of albums and follows, album_members_of_owner.
 */
export function anyAlbumOpenTo(viewer: Asker, accounts = "a"): Sql {
  const id = sql.ref(`${accounts}.id`);
  const asker = sql`${viewer}::uuid`;
  const has = (which: Sql) =>
    sql`(select true from albums where albums.owner_id = ${id} and ${which} limit 1) is not null`;
  return sql`(
    ${has(sql`(
      ${id} = ${asker}
        or (albums.audience = 'everyone' and ${sql.ref(`${accounts}.private_at`)} is null)
    )`)}
    or (${isFollowing(viewer, id)} and ${has(sql`albums.audience <> 'members'`)})
    or (
      select true from album_members
      where album_members.owner_id = ${id} and ${probe("album_members.account_id", asker)}
    ) is not null
  )`;
}

/**
 * Whether a row `posts` is for an audience as narrow as `least`, or for a wider one: what somebody without an account
 * sees by a link whose maker confirmed that audience. No audience that is not in the list passes.
 */
export function atLeastFor(least: Sql, posts = "p", accounts = "author"): Sql {
  return sql`coalesce(
    ${widthOf(sql.ref(`${posts}.audience`))} <= ${widthOf(least)}
      and (${sql.ref(`${accounts}.private_at`)} is null or ${least} <> 'everyone'),
    false
  )`;
}

/** The same for a row `albums`, whose audience is beside its members; `accounts` is its owner's row. */
export function albumAtLeastFor(least: Sql, albums = "al", accounts = "owner"): Sql {
  const widestFirst = albumAudiences.toReversed();
  return sql`coalesce(
    ${widthOf(sql.ref(`${albums}.audience`), widestFirst)} <= ${widthOf(least, widestFirst)}
      and (${sql.ref(`${accounts}.private_at`)} is null or ${least} <> 'everyone'),
    false
  )`;
}

/** The place of an audience among all, the widest first. */
const widthOf = (audience: Sql, all: readonly string[] = audiences) =>
  sql`array_position(array[${sql.join(all.map(sql.lit))}], ${audience})`;

/** Whether the viewer follows the account of this expression. Primary key of follows. */
export function isFollowing(viewer: Asker, accountId: Sql): Sql {
  return sql`coalesce((
    select true from follows
    where follower_id = ${viewer}::uuid and ${probe("followee_id", accountId)}
  ), false)`;
}

/** Whether a row `posts` is for everyone, as Explore, hashtags and visitors need it. */
export function forEveryone(posts = "p", accounts = "author"): Sql {
  return sql`(${sql.ref(`${posts}.audience`)} = 'everyone'
    and ${sql.ref(`${accounts}.private_at`)} is null)`;
}

/**
 * Whether the viewer may read who follows the row `accounts` and whom it follows: of a private account its
 * followers, and itself. The numbers are everybody's.
 */
export function listsOpenTo(viewer: Asker, accounts = "a"): Sql {
  const id = sql.ref(`${accounts}.id`);
  return sql`(
    ${sql.ref(`${accounts}.private_at`)} is null or coalesce(${id} = ${viewer}::uuid, false)
      or ${isFollowing(viewer, id)}
  )`;
}

/**
 * How many posts of the row `accounts` the viewer may see, those with photos too: `posts` and `photos` of
 * its row `counters` of account_counters, without those that are not for them or in albums. Primary key of
 * narrow_posts. `follows` as in inOwnAudience.
 */
export function visiblePostCounts(viewer: Asker, accounts = "a", counters = "c", follows?: Sql) {
  const id = sql.ref(`${accounts}.id`);
  const all = (column: string) => sql.ref(`${counters}.${column}`);
  return sql`
    select coalesce(sum(kind.posts), 0)::integer as posts,
      coalesce(sum(kind.photos), 0)::integer as photos
    from (
      select author_id, audience, posts - album_posts as posts, photos - album_photos as photos
      from narrow_posts where author_id = ${id}
      union all
      select ${id}, 'everyone', ${all("posts")} - coalesce(sum(posts), 0),
        ${all("photos")} - coalesce(sum(photos), 0)
      from narrow_posts where author_id = ${id}
    ) kind
    where ${inOwnAudience(viewer, "kind", accounts, follows)}
  `;
}
