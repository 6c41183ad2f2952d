import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { ItemRef } from "#server/features/posts/albums/album-items.queries.ts";
import type { AlbumRef } from "#server/features/types.ts";

/** The key of an album that comes from an archive, by its id there. */
export const importKey = (id: string) => `import:${id}`;

export type ImportedAlbum = AlbumRef & { title: string; importedAt: Date | null };

/**
 * The album that was imported from an archive where it had this id, or the very one, locked until the transaction
 * ends. Index albums_client_key, primary key.
 */
export const lockImported = (db: Database, ownerId: string, id: string) =>
  db.first<ImportedAlbum>(sql`
    select owner_id as "ownerId", id as "albumId", title, imported_at as "importedAt" from albums
    where owner_id = ${ownerId} and (client_key = ${importKey(id)} or id = ${id})
    limit 1
    for no key update
  `);

export const markImported = (db: Database, { ownerId, albumId }: AlbumRef, importId: string) =>
  db.run(sql`
    update albums set imported_at = clock_timestamp(), import_id = ${importId}
    where owner_id = ${ownerId} and id = ${albumId}
  `);

/** An item's post, which is for its author alone, becomes one for whoever the album is for. */
export const openToAlbum = (db: Database, { ownerId, albumId, authorId, postId }: ItemRef) =>
  db.run(sql`
    update posts set album_owner_id = ${ownerId}, album_id = ${albumId}
    where author_id = ${authorId} and id = ${postId} and audience = 'only-me'
  `);
