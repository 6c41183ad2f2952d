import type { Database } from "#server/platform/db/database.ts";
import { idAt } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/posts/albums/album-imports.queries.ts";
import { holdPost, insertItem } from "#server/features/posts/albums/album-items.queries.ts";
import { insertAlbum, writeCover } from "#server/features/posts/albums/albums.queries.ts";
import { lockCounters } from "#server/features/posts/post-writes.queries.ts";
import type { PostRef } from "#server/features/types.ts";
import type { AlbumAudience, AlbumOrder } from "#shared/albums.ts";

/** Where a post of an archive stands in an album of its author's own. */
export type AlbumPlace = {
  /** the album's id in the archive */
  album: string;
  /** from 1 */
  position: number;
  /** it was for whoever the album is for */
  uploaded: boolean;
  cover: boolean;
};

/** An album as it may be stored; its posts know their places in it. */
export type AlbumFromArchive = {
  /** there */
  id: string;
  time: number;
  title: string;
  description: string;
  audience: AlbumAudience;
  order: AlbumOrder;
};

/**
 * An album with its original time, but never in the future; `known`: it was here before `since`. Imported again, it
 * is made once. `full`: the account has as many as it may.
 */
export async function importAlbum(
  db: Database,
  { ownerId, importId, since }: { ownerId: string; importId: string; since: Date },
  { id, time, order: sorted, ...words }: AlbumFromArchive,
): Promise<"taken" | "known" | "full"> {
  return db.transaction(async () => {
    await lockCounters(db, ownerId);
    const earlier = await queries.lockImported(db, ownerId, id);
    if (earlier) return isSince(earlier, since) ? "taken" : "known";
    const albumId = idAt(Math.min(time, Date.now()));
    const album = { ownerId, albumId, clientKey: queries.importKey(id), sorted, ...words };
    if (!(await insertAlbum(db, album))) return "full";
    await queries.markImported(db, album, importId);
    return "taken";
  });
}

const isSince = ({ importedAt }: queries.ImportedAlbum, since: Date) =>
  importedAt !== null && importedAt >= since;

/**
 * Puts an imported post into its author's albums, as far as they were imported and have room. Joins the caller's
 * transaction, which has locked the author's counters. `since`: null for a post that was made in this transaction,
 * which becomes one for whoever the album is for, where it was; a post that was there before keeps its audience, and
 * goes only into albums that were imported since then. Answers the titles of those that are full.
 */
export async function placeInAlbums(
  db: Database,
  post: PostRef,
  places: readonly AlbumPlace[],
  since: Date | null,
): Promise<string[]> {
  const full: string[] = [];
  for (const { album: id, position, uploaded, cover } of places) {
    const album = await queries.lockImported(db, post.authorId, id);
    if (!album || (since && !isSince(album, since))) continue;
    const held = await holdPost(db, post);
    if (!held || held.photos === 0 || held.albumId) break;
    const item = { ownerId: album.ownerId, albumId: album.albumId, ...post };
    if (!(await insertItem(db, item, position))) {
      full.push(album.title);
      continue;
    }
    if (uploaded && !since) await queries.openToAlbum(db, item);
    if (cover) await writeCover(db, item, post.postId);
  }
  return full;
}
