import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { albumOpenTo, visibleTo } from "#server/features/people/index.ts";
import type { Watching } from "#server/features/talk/live/live.queries.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import { limits } from "#shared/limits.ts";

/** An album, and whom it was for before. */
export type Narrowed = AlbumRef & { was: AlbumAudience };

/** The posts that are for whoever an album is for: as many as are in one. Index posts_of_album. */
export const postsOfAlbum = (db: Database, { ownerId, albumId }: AlbumRef) =>
  db.column<string>(sql`
    select author_id || '.' || id as post from posts
    where album_owner_id = ${ownerId} and album_id = ${albumId}
    limit ${limits.albums.items}
  `);

/** Those who saw posts of an album that are for whoever it is for. Primary keys, as in albumOpenTo. */
export async function sawInAlbum(
  db: Database,
  { ownerId, albumId, was }: Narrowed,
  watching: readonly Watching[],
): Promise<Watching[]> {
  const viewer = sql`w.account_id`;
  return db.query<Watching>(sql`
    select w.post, w.account_id as "accountId"
    from unnest(
      ${watching.map(({ post }) => post)}::text[],
      ${watching.map(({ post }) => post.split(".")[0] ?? "")}::uuid[],
      ${watching.map(({ accountId }) => accountId)}::uuid[]
    ) w (post, author_id, account_id)
    join accounts author on author.id = w.author_id and ${visibleTo(viewer, "author")}
    cross join (
      select owner_id, id, ${was}::text as audience from albums
      where owner_id = ${ownerId} and id = ${albumId}
    ) al
    where ${albumOpenTo(viewer)}
  `);
}
