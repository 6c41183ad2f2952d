import { sql, type Sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { probe } from "#server/platform/db/probes.ts";
import {
  accountSummary,
  inOwnAudience,
  visibleTo,
  type Asker,
} from "#server/features/people/index.ts";
import { postPhotos, postTile } from "#server/features/posts/post-view.queries.ts";
import type { AlbumRef, PostRef } from "#server/features/types.ts";
import type { AlbumOrder } from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumPhoto } from "#shared/views.ts";

export type ItemRef = AlbumRef & PostRef;

/**
 * The posts `p` of some items `i`, each with its author's row `author`, as far as `isFor` says of the two. Primary
 * keys of posts and accounts.
 */
export const itemsFor = (isFor: Sql, items: Sql): Sql => sql`
  from (${items}) i
  cross join lateral (
    select * from posts
    where author_id = i.author_id and picture_count > 0 and ${probe("posts.id", sql`i.post_id`)}
  ) p
  cross join lateral (
    select * from accounts author where author.id = p.author_id and ${isFor} limit 1
  ) author
`;

/** The same, as far as the viewer, who may see the album, may see them. */
const shownOf = (viewer: Asker, items: Sql): Sql =>
  itemsFor(
    sql`${visibleTo(viewer, "author")}
      and (p.album_id = i.album_id or ${inOwnAudience(viewer, "p", "author")})`,
    items,
  );

/** Of a row `al` of albums. */
const itemsWhere = (rest: Sql) => sql`
  select * from album_items where owner_id = al.owner_id and album_id = al.id ${rest}
`;

/**
 * The photo that stands for a row `al` of albums: the chosen one, or the first that may be seen and is not veiled.
 * Primary key of album_items, or album_items_by_hand or album_items_by_date from their beginning.
 */
export function coverOf(viewer: Asker): Sql {
  const first = (items: Sql, order: Sql) => sql`(
    select ${postPhotos("p", "author")} -> 0 ${shownOf(viewer, items)}
    where not p.sensitive ${order} limit 1
  )`;
  const chosen = sql`and author_id = al.cover_author_id and post_id = al.cover_post_id`;
  return sql`coalesce(
    ${first(itemsWhere(chosen), sql``)},
    case al.sorted
      when 'manual' then ${first(itemsWhere(sql`order by position, post_id`), sql`order by i.position, i.post_id`)}
      else ${first(itemsWhere(sql`order by post_id`), sql`order by i.post_id`)}
    end
  )`;
}

const photo = (viewer: Asker): Sql => sql`${postTile("p", "author")}::jsonb || jsonb_build_object(
  'author', ${accountSummary("author")}, 'mine', coalesce(p.author_id = ${viewer}::uuid, false)
)`;

/** A place in the order by hand, or by date; `included`: what is there comes first. */
export type After = { position?: string; postId: string; included?: true } | null;

/**
 * The items `i` of an album, which `of` names, in its order and after one of them; what they are ordered by, and the
 * key of a cursor. Indexes album_items_by_hand and album_items_by_date.
 */
export function itemsAfter(of: Sql, order: AlbumOrder, after: After) {
  const byHand = order === "manual";
  const beyond = sql.raw(after?.included ? ">=" : ">");
  const from = byHand
    ? sql`(i.position, i.post_id) ${beyond} (${after?.position ?? null}::numeric, ${after?.postId ?? null}::uuid)`
    : sql`i.post_id ${beyond} ${after?.postId ?? null}::uuid`;
  const ordered = byHand ? sql`i.position, i.post_id` : sql`i.post_id`;
  return {
    key: byHand
      ? sql`json_build_array(i.position::text, i.post_id)`
      : sql`json_build_array(i.post_id)`,
    ordered,
    items: sql`select * from album_items i where ${of} ${after ? sql`and ${from}` : sql``} order by ${ordered}`,
  };
}

/** A page in the album's order, after an item. */
export async function photosIn(
  db: Database,
  viewerId: string | null,
  { ownerId, albumId, order }: AlbumRef & { order: AlbumOrder },
  { after, limit }: { after: After; limit: number },
): Promise<KeyedRow<AlbumPhoto>[]> {
  const of = sql`i.owner_id = ${ownerId} and i.album_id = ${albumId}`;
  const { key, ordered, items } = itemsAfter(of, order, after);
  return db.query<KeyedRow<AlbumPhoto>>(sql.named(`albums.photos-${order}${after ? "-after" : ""}`)`
    select ${key} as key, ${photo(viewerId)} as item
    ${shownOf(viewerId, items)}
    order by ${ordered}
    limit ${limit}
  `);
}

/** One item as the viewer, who may see the album, sees it. */
export const findPhoto = (
  db: Database,
  viewerId: string,
  { ownerId, albumId, authorId, postId }: ItemRef,
) =>
  db.value<AlbumPhoto>(sql`
    select ${photo(viewerId)} as item
    ${shownOf(
      viewerId,
      sql`
        select * from album_items
        where owner_id = ${ownerId} and album_id = ${albumId}
          and author_id = ${authorId} and post_id = ${postId}
      `,
    )}
  `);

/** How many items an album has, all of them. Primary key of album_counts. */
const itemsOf = ({ ownerId, albumId }: AlbumRef) => sql`coalesce((
  select sum(items) from album_counts where owner_id = ${ownerId} and album_id = ${albumId}
), 0)`;

export const hasRoom = (db: Database, album: AlbumRef) =>
  db.any(sql`select where ${itemsOf(album)} < ${limits.albums.items}`);

/**
 * Puts a post at a position or at the end, for those who put photos by hand; there already, it stays. False: the
 * album is full. Its row is locked already.
 */
export const insertItem = (
  db: Database,
  { ownerId, albumId, authorId, postId }: ItemRef,
  position: number | null = null,
) =>
  db.scalar<boolean>(sql`
    with there as (
      select from album_items
      where owner_id = ${ownerId} and album_id = ${albumId}
        and author_id = ${authorId} and post_id = ${postId}
    ),
    added as (
      insert into album_items (owner_id, album_id, author_id, post_id, position, audience)
      select ${ownerId}::uuid, ${albumId}::uuid, p.author_id, p.id,
        coalesce(${position}::numeric, (
          select floor(position) from album_items
          where owner_id = ${ownerId} and album_id = ${albumId}
          order by position desc limit 1
        ) + 1, 1),
        case when p.album_id is null then p.audience else 'album' end
      from posts p
      where p.author_id = ${authorId} and p.id = ${postId} and not exists (select from there)
        and ${itemsOf({ ownerId, albumId })} < ${limits.albums.items}
      returning post_id
    )
    select exists (select from there) or exists (select from added) as there
  `);

/**
 * Takes a post out. One that was for the album becomes one for only its author; its author's counters are locked
 * already. The post first: whoever deletes it takes the rows in this order, too.
 */
export async function deleteItem(db: Database, { ownerId, albumId, authorId, postId }: ItemRef) {
  await db.run(sql`
    update posts set album_owner_id = null, album_id = null
    where author_id = ${authorId} and id = ${postId}
      and album_owner_id = ${ownerId} and album_id = ${albumId}
  `);
  await db.run(sql`
    delete from album_items
    where owner_id = ${ownerId} and album_id = ${albumId}
      and author_id = ${authorId} and post_id = ${postId}
  `);
}

/** An item by its post. Index album_items_by_date. */
export const findItem = (db: Database, { ownerId, albumId }: AlbumRef, postId: string) =>
  db.first<{ authorId: string; position: string }>(sql`
    select author_id as "authorId", position::text from album_items
    where owner_id = ${ownerId} and album_id = ${albumId} and post_id = ${postId}
  `);

/**
 * Gives an item the middle between another (null: the beginning) and the one after that: one row, exactly halved.
 * Returns how many digits it has after the point. The album's row is locked already. Index album_items_by_hand.
 */
export async function moveItem(
  db: Database,
  { ownerId, albumId, authorId, postId }: ItemRef,
  after: string | null,
): Promise<number> {
  const others = sql`owner_id = ${ownerId} and album_id = ${albumId} and post_id <> ${postId}`;
  const digits = await db.value<number>(sql`
    with next as (
      select position from album_items
      where ${others} and (${after}::numeric is null or position > ${after}::numeric)
      order by position limit 1
    )
    update album_items set position = coalesce(
      (coalesce(${after}::numeric, (select position from next) - 2) + (select position from next)) * 0.5,
      floor(${after}::numeric) + 1,
      1
    )
    where owner_id = ${ownerId} and album_id = ${albumId}
      and author_id = ${authorId} and post_id = ${postId}
    returning scale(position) as digits
  `);
  return digits ?? 0;
}

/** Gives all items whole numbers again, in their order. */
export const renumber = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.run(sql`
    update album_items i set position = numbered.place
    from (
      select author_id, post_id, row_number() over (order by position, post_id) as place
      from album_items where owner_id = ${ownerId} and album_id = ${albumId}
    ) numbered
    where i.owner_id = ${ownerId} and i.album_id = ${albumId}
      and i.author_id = numbered.author_id and i.post_id = numbered.post_id
  `);

/** A post that stays until the transaction ends: the album it is for, and how many photos it has. Primary key. */
export const holdPost = (db: Database, { authorId, postId }: PostRef) =>
  db.first<{ albumId: string | null; photos: number }>(sql`
    select album_id as "albumId", picture_count as photos from posts
    where author_id = ${authorId} and id = ${postId}
    for no key update
  `);

/** Primary key. */
export const isIn = (db: Database, { ownerId, albumId, authorId, postId }: ItemRef) =>
  db.any(sql`
    select from album_items
    where owner_id = ${ownerId} and album_id = ${albumId}
      and author_id = ${authorId} and post_id = ${postId}
  `);
