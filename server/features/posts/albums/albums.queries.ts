import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import { idTime } from "#server/platform/db/times.ts";
import {
  accountSummary,
  albumOpenTo,
  inOwnAudience,
  type Asker,
  accountSeen,
} from "#server/features/people/index.ts";
import { coverOf } from "#server/features/posts/albums/album-items.queries.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { AlbumAudience, AlbumOrder, AlbumRole } from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumTile, AlbumView } from "#shared/views.ts";

/** Of the viewer in an album; null: they are in it because of whom it is for. */
type OwnRole = "owner" | AlbumRole | null;

/** The viewer's role in a row `al` of albums. Primary key of album_members. */
const roleOf = (viewer: Asker): Sql => sql`case
  when al.owner_id = ${viewer}::uuid then 'owner'
  else (
    select role from album_members m
    where m.owner_id = al.owner_id and m.album_id = al.id and ${probe("m.account_id", sql`${viewer}::uuid`)}
  )
end`;

/** The parts `c` of album_counts of a row `al` that are for the viewer. Its primary key. */
const countsFor = (viewer: Asker): Sql => sql`
  from (
    select * from album_counts where owner_id = al.owner_id and album_id = al.id and items > 0
  ) c
  cross join lateral ${accountSeen(viewer, "c.author_id")} author
  where (c.audience = 'album' or ${inOwnAudience(viewer, "c", "author")})
`;

const tileFields = (viewer: Asker): Sql => sql`
  'id', al.id,
  'owner', ${accountSummary("owner")},
  'title', al.title,
  'audience', al.audience,
  'private', owner.private_at is not null,
  'order', al.sorted,
  'cover', ${coverOf(viewer)},
  'photoCount', (select coalesce(sum(c.items), 0)::integer ${countsFor(viewer)}),
  'createdAt', ${idTime("al.id")},
  'role', ${roleOf(viewer)}
`;

/** The row of a list's albums `al`, each with its owner's row. */
const withOwner = (rows: Sql) => sql`
  from (${rows}) al
  cross join lateral (select * from accounts a where a.id = al.owner_id limit 1) owner
`;

/** Null where the viewer may not see it. Index albums_by_id. */
export async function findAlbum(db: Database, viewerId: string | null, id: string) {
  const isMember = sql`(${roleOf(viewerId)}) is not null`;
  return db.value<AlbumView>(sql.named("albums.get")`
    select json_build_object(
      ${tileFields(viewerId)},
      'description', al.description,
      'contributors', coalesce((
        select json_agg(${accountSummary("author")} order by author.since)
        from (
          select distinct on (author.id) author.*, c.author_id as since
          ${countsFor(viewerId)}
          and c.author_id <> al.owner_id
          limit ${sql.lit(limits.albums.faces)}
        ) author
      ), '[]'::json),
      'memberCount', case when ${isMember} then (
        select count(*)::integer from album_members m
        where m.owner_id = al.owner_id and m.album_id = al.id
      ) end
    ) as item
    ${withOwner(sql`select * from albums al where al.id = ${id} and ${albumOpenTo(viewerId)}`)}
  `);
}

type List = { below: string; limit: number };

const selectTiles = (viewerId: string | null) => sql`
  select json_build_array(al.id) as key, json_build_object(${tileFields(viewerId)}) as item
`;

/** Newest first, as far as the viewer may see them; nobody has more than limits.albums.ofOne. Primary key. */
export const albumsOf = (
  db: Database,
  viewerId: string | null,
  { ownerId, below, limit }: List & { ownerId: string },
) =>
  db.query<KeyedRow<AlbumTile>>(sql.named("albums.of")`
    ${selectTiles(viewerId)}
    ${withOwner(sql`
      select * from albums al
      where al.owner_id = ${ownerId} and al.id < ${below} and ${albumOpenTo(viewerId)}
      order by al.id desc
      limit ${limit}
    `)}
    order by al.id desc
  `);

/**
 * The viewer's own and those they are a member of, newest first. Primary key, and album_members_by_account, which
 * leads to albums_by_id.
 */
export const albumsWith = (db: Database, viewerId: string, { below, limit }: List) =>
  db.query<KeyedRow<AlbumTile>>(sql.named("albums.with")`
    ${selectTiles(viewerId)}
    ${withOwner(sql`
      select * from (
        (
          select * from albums own
          where own.owner_id = ${viewerId} and own.id < ${below}
          order by own.id desc
          limit ${limit}
        )
        union all
        (
          select joined.*
          from (
            select album_id from album_members
            where account_id = ${viewerId} and album_id < ${below}
            order by album_id desc
          ) m
          cross join lateral (
            select * from albums al where ${albumOpenTo(viewerId)} and ${probe("al.id", sql`m.album_id`)}
          ) joined
          order by joined.id desc
          limit ${limit}
        )
      ) al
      order by al.id desc
      limit ${limit}
    `)}
    order by al.id desc
  `);

export type Opened = AlbumRef & { role: OwnRole; order: AlbumOrder };

const opened = (viewerId: string | null, id: string) => sql`
  select al.owner_id as "ownerId", al.id as "albumId", al.sorted as "order",
    ${roleOf(viewerId)} as role
  from albums al where al.id = ${id} and ${albumOpenTo(viewerId)}
`;

/** Null where the viewer may not see it. Index albums_by_id. */
export const openAlbum = (db: Database, viewerId: string | null, id: string) =>
  db.first<Opened>(opened(viewerId, id));

/**
 * The same, locked until the transaction ends: what adds to it or moves in it goes one after the other, and it is
 * not deleted meanwhile.
 */
export const lockAlbum = (db: Database, viewerId: string, id: string) =>
  db.first<Opened>(sql`${opened(viewerId, id)} for no key update of al`);

type Content = Pick<AlbumView, "title" | "description" | "audience"> & { sorted: AlbumOrder };

/** The album of an earlier call with the same key. Index albums_client_key. */
export const findByClientKey = (db: Database, ownerId: string, clientKey: string) =>
  db.first<{ id: string }>(sql`
    select id from albums where owner_id = ${ownerId} and client_key = ${clientKey}
  `);

/** False: the account has as many as it may. Its counters are locked already. */
export const insertAlbum = (
  db: Database,
  { ownerId, albumId, clientKey, ...content }: AlbumRef & Content & { clientKey: string | null },
) =>
  db.any(sql`
    insert into albums (owner_id, id, client_key, title, description, audience, sorted)
    select ${ownerId}::uuid, ${albumId}::uuid, ${clientKey}::text, ${content.title}::text,
      ${content.description}::text, ${content.audience}::text, ${content.sorted}::text
    where (select count(*) from albums where owner_id = ${ownerId}) < ${limits.albums.ofOne}
    returning id
  `);

/** @returns whom it was for before; null where it is gone */
export const updateAlbum = (
  db: Database,
  { ownerId, albumId }: AlbumRef,
  changes: Partial<Content>,
) =>
  db.value<AlbumAudience>(sql`
    update albums set ${sql.set(changes)}
    from (
      select audience as was from albums where owner_id = ${ownerId} and id = ${albumId} for update
    ) before
    where owner_id = ${ownerId} and id = ${albumId}
    returning before.was
  `);

/** `item`: its post; null: the first one. False where that is not in the album. */
export const writeCover = (db: Database, { ownerId, albumId }: AlbumRef, item: string | null) =>
  db.any(sql`
    update albums set (cover_author_id, cover_post_id) = (
      select author_id, post_id from album_items
      where owner_id = ${ownerId} and album_id = ${albumId} and post_id = ${item}::uuid
    )
    where owner_id = ${ownerId} and id = ${albumId} and (${item}::uuid is null or exists (
      select from album_items
      where owner_id = ${ownerId} and album_id = ${albumId} and post_id = ${item}::uuid
    ))
    returning id
  `);

/**
 * Deletes an album with its members and items; its posts become posts for only their authors (posts_album). The
 * counters of all contributors are locked first, in one order.
 */
export async function deleteAlbum(db: Database, { ownerId, albumId }: AlbumRef): Promise<void> {
  await db.run(sql`
    select account_id from account_counters
    where account_id = ${ownerId} or account_id in (
      select account_id from album_members where owner_id = ${ownerId} and album_id = ${albumId}
    )
    order by account_id
    for no key update
  `);
  await db.run(sql`delete from albums where owner_id = ${ownerId} and id = ${albumId}`);
}

/** Some posts of one author that are for an album. Index posts_of_album. */
export const postsFor = (
  db: Database,
  { ownerId, albumId }: AlbumRef,
  authorId: string,
  limit: number,
) =>
  db.query<{ authorId: string; postId: string }>(sql`
    select author_id as "authorId", id as "postId" from posts
    where album_owner_id = ${ownerId} and album_id = ${albumId} and author_id = ${authorId}
    limit ${limit}
  `);

/** True once a day: whoever calls it first. Its row is locked already. */
export const markAnnounced = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.any(sql`
    update albums set announced_at = now()
    where owner_id = ${ownerId} and id = ${albumId}
      and (announced_at is null or announced_at < now() - interval '1 day')
    returning id
  `);
