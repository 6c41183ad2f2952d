import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { lockAlbum, openAlbum, type Opened } from "#server/features/posts/albums/albums.queries.ts";
import { found, refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** The album of this id with the viewer's role; one that they may not see is refused as one that never was. */
export async function albumFor(
  db: Database,
  viewer: Pick<Viewer, "id"> | null,
  id: string,
): Promise<Opened> {
  return found(isId(id) ? await openAlbum(db, viewer?.id ?? null, id.toLowerCase()) : null);
}

/** The same for its owner alone. Refuses others with not-yours. */
export async function ownAlbum(db: Database, viewer: Viewer, id: string): Promise<Opened> {
  const album = await albumFor(db, viewer, id);
  if (album.role !== "owner") throw refuse("not-yours");
  return album;
}

/** The same for who may add to it. Refuses others with not-contributor. */
export const albumToAdd = async (db: Database, viewer: Viewer, id: string): Promise<Opened> =>
  mayAdd(await albumFor(db, viewer, id));

/** The same, with its row locked. */
export const lockToAdd = async (db: Database, viewer: Viewer, id: string): Promise<Opened> =>
  mayAdd(found(isId(id) ? await lockAlbum(db, viewer.id, id.toLowerCase()) : null));

function mayAdd(album: Opened): Opened {
  if (album.role !== "owner" && album.role !== "contributor") throw refuse("not-contributor");
  return album;
}
