import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { idTime, ms } from "#server/platform/db/times.ts";
import { forEveryone } from "#server/features/people/index.ts";
import { postPhotos } from "#server/features/posts/index.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import type { Audience } from "#shared/posts.ts";
import type { LinkKind } from "#shared/link-kinds.ts";
import type { AlbumForGuests, AudienceCounts, SharedLink } from "#shared/shared-links.ts";

export type NewLink = {
  account_id: string;
  id: string;
  token_hash: Buffer;
  kind: LinkKind;
  post_id: string | null;
  album_id: string | null;
  album_audience: AlbumAudience | null;
  audience: Audience;
  password_hash: string | null;
  downloads: boolean;
  previews: boolean;
  expires_at: Date | null;
};

/** One's own post, which stays as it is until the transaction ends. posts_number. */
export const lockOwnPost = (db: Database, accountId: string, number: number) =>
  db.first<{ id: string; audience: Audience; isPrivate: boolean }>(sql`
    select p.id, p.audience, author.private_at is not null as "isPrivate"
    from posts p
    join accounts author on author.id = p.author_id
    where p.author_id = ${accountId} and p.number = ${number}
    for share of p
  `);

/** One's own album, which stays as it is until the transaction ends. Primary key. */
export const lockOwnAlbum = (db: Database, accountId: string, albumId: string) =>
  db.first<{ id: string; audience: AlbumAudience; isPrivate: boolean }>(sql`
    select al.id, al.audience, owner.private_at is not null as "isPrivate"
    from albums al
    join accounts owner on owner.id = al.owner_id
    where al.owner_id = ${accountId} and al.id = ${albumId}
    for share of al
  `);

/**
 * How many links of an account open; other transactions for it wait here until this one ends. Primary key.
 */
export async function countLiving(db: Database, accountId: string): Promise<number> {
  await db.run(sql`select pg_advisory_xact_lock(hashtextextended(${`links:${accountId}`}, 0))`);
  return db.scalar<number>(sql`
    select count(*)::integer as count from shared_links
    where account_id = ${accountId} and (expires_at is null or expires_at > now())
  `);
}

export const insertLink = (db: Database, link: NewLink) =>
  db.run(sql`insert into shared_links ${sql.row(link)}`);

/** Those that open, newest first, or one of them. Primary keys. */
export const linksOf = (db: Database, accountId: string, id?: string) =>
  db.column<SharedLink>(sql`
    select json_build_object(
      'id', l.id, 'kind', l.kind, 'number', p.number, 'picture', ${postPhotos("p", "author")} -> 0,
      'album', case when al.id is not null then json_build_object('id', al.id, 'title', al.title) end,
      'albumAudience', l.album_audience, 'audience', l.audience, 'expiresAt', ${ms("l.expires_at")},
      'password', l.password_hash is not null, 'downloads', l.downloads, 'previews', l.previews,
      'opened', l.opened_count, 'lastOpenedAt', ${ms("l.last_opened_at")},
      'createdAt', ${idTime("l.id")}
    ) as item
    from shared_links l
    join accounts author on author.id = l.account_id
    left join posts p on p.author_id = l.account_id and p.id = l.post_id
    left join albums al on al.owner_id = l.account_id and al.id = l.album_id
    where l.account_id = ${accountId} and (l.expires_at is null or l.expires_at > now())
      and (${id ?? null}::uuid is null or l.id = ${id ?? null}::uuid)
    order by l.id desc
  `);

/** Primary key. */
export const deleteLink = (db: Database, accountId: string, id: string) =>
  db.any(sql`
    delete from shared_links where account_id = ${accountId} and id = ${id} returning id
  `);

/** What ended by itself. Index shared_links_expiry. */
export const deleteExpired = (db: Database) =>
  db.run(sql`delete from shared_links where expires_at < now()`);

/** How many posts of the account each audience has, and whether it is private. Primary keys. */
export const countsOf = (db: Database, accountId: string) =>
  db.first<{ isPrivate: boolean; counts: AudienceCounts }>(sql`
    with narrow as (
      select audience, posts from narrow_posts where author_id = ${accountId} and posts > 0
    )
    select a.private_at is not null as "isPrivate", (
      select json_agg(json_build_object('audience', audience, 'posts', posts))
      from (
        select * from narrow
        union all
        select 'everyone', c.posts - coalesce(sum(posts), 0)::integer
        from narrow
      ) kind
    ) as counts
    from accounts a
    join account_counters c on c.account_id = a.id
    where a.id = ${accountId}
  `);

/** What is in one's own album, as a link to it would show it. Primary keys of album_counts and album_members. */
export const findAlbumToShare = (db: Database, accountId: string, albumId: string) =>
  db.first<AlbumForGuests>(sql`
    select al.title, al.audience, owner.private_at is not null as "isPrivate",
      coalesce(
        json_agg(json_build_object('audience', c.audience, 'posts', c.items))
          filter (where c.author_id = al.owner_id),
        '[]'::json
      ) as own,
      json_build_object(
        'shown', coalesce(sum(c.items) filter (where c.shown), 0)::integer,
        'hidden', coalesce(sum(c.items) filter (where not c.shown), 0)::integer
      ) as others
    from albums al
    join accounts owner on owner.id = al.owner_id
    left join lateral (
      select counted.*, case when counted.author_id <> al.owner_id then (
        select m.shown_to_guests from album_members m
        where m.owner_id = al.owner_id and m.album_id = al.id and m.account_id = counted.author_id
      ) and (counted.audience = 'album' or ${forEveryone("counted", "author")}) end as shown
      from album_counts counted
      join accounts author on author.id = counted.author_id
      where counted.owner_id = al.owner_id and counted.album_id = al.id and counted.items > 0
    ) c on true
    where al.owner_id = ${accountId} and al.id = ${albumId}
    group by al.owner_id, al.id, al.title, al.audience, owner.private_at
  `);
