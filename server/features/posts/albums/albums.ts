import type { z } from "zod";
import { bind } from "#server/platform/bind.ts";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { Publish } from "#server/features/change-hint.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import {
  createAlbumPhotos,
  type AlbumPhotoDeps,
} from "#server/features/posts/albums/album-photos.ts";
import * as queries from "#server/features/posts/albums/albums.queries.ts";
import { ownAlbum } from "#server/features/posts/albums/open-album.ts";
import type { AlbumRef } from "#server/features/types.ts";
import type { PostRemoval } from "#server/features/posts/post-removal.ts";
import { lockCounters } from "#server/features/posts/post-writes.queries.ts";
import { albumAudiences, type albumPhotoFates, type AlbumAudience } from "#shared/albums.ts";
import { albumEditInput, newAlbumInput } from "#shared/albums.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { AlbumTile, AlbumView, Page, Viewer } from "#shared/views.ts";

type Deps = AlbumPhotoDeps & {
  db: Database;
  publish: Publish;
  removal: Pick<PostRemoval, "removeThese">;
  newId?: NewId;
};

type Reader = Pick<Viewer, "id"> | null;

/** Of an album whose words were removed; it needs one. */
const clearedTitle = "Album";
/** Posts of one transaction of a deletion. */
const postsAtOnce = 50;

/** Albums: photos of several people under a title, for their members and whom their owner lets see them. */
export const createAlbums = (deps: Deps) => ({
  // `takeDown`: what moderators do about one that was reported; where it is gone, nothing
  ...bind(deps, { get, of, mine, edit, setCover, takeDown: end, create, remove, clearWords }),
  ...createAlbumPhotos(deps),
});

/** Refuses with not-found. */
const get = async ({ db }: Deps, viewer: Reader, id: string): Promise<AlbumView> =>
  found(isId(id) ? await queries.findAlbum(db, viewer?.id ?? null, id.toLowerCase()) : null);

async function of(
  { db }: Deps,
  viewer: Reader,
  ownerId: string,
  cursor: string | null,
): Promise<Page<AlbumTile>> {
  const size = limits.albums.page;
  if (!isId(ownerId)) return { items: [], nextCursor: null };
  const page = { ownerId, below: idBelow(cursor), limit: size + 1 };
  return toPage(await queries.albumsOf(db, viewer?.id ?? null, page), size);
}

/** The viewer's own and those they are a member of. */
async function mine({ db }: Deps, viewer: Viewer, cursor: string | null): Promise<Page<AlbumTile>> {
  const size = limits.albums.page;
  const page = { below: idBelow(cursor), limit: size + 1 };
  return toPage(await queries.albumsWith(db, viewer.id, page), size);
}

/** What is left out stays. Who may not see it any more does not see its photos from then on, open ones too. */
async function edit(
  deps: Deps,
  viewer: Viewer,
  id: string,
  input: z.input<typeof albumEditInput>,
): Promise<AlbumView> {
  const { db, publish } = deps;
  const { order: sorted, ...changes } = parseInput(albumEditInput, input);
  await db.transaction(async () => {
    db.seenAtOnce();
    const album = await ownAlbum(db, viewer, id);
    const written = { ...changes, sorted };
    if (Object.values(written).some((value) => value !== undefined)) {
      const was = await queries.updateAlbum(db, album, written);
      if (was && isNarrower(changes.audience, was))
        publish({ kind: "narrowed", ownerId: album.ownerId, albumId: album.albumId, was });
    }
  });
  return get(deps, viewer, id);
}

/** `item`: a photo in it by its post's id; null: the first. */
async function setCover(
  { db }: Deps,
  viewer: Viewer,
  id: string,
  item: string | null,
): Promise<void> {
  const album = await ownAlbum(db, viewer, id);
  if (!(await queries.writeCover(db, album, item))) throw refuse("not-found");
}

const clearWords = ({ db }: Deps, album: AlbumRef) =>
  queries.updateAlbum(db, album, { title: clearedTitle, description: "" });

const isNarrower = (audience: AlbumAudience | undefined, was: AlbumAudience): boolean =>
  audience !== undefined && albumAudiences.indexOf(audience) < albumAudiences.indexOf(was);

/** Sent again with the same clientKey, it answers the album that there is. */
async function create(
  { db, newId = freshId }: Deps,
  viewer: Viewer,
  input: z.input<typeof newAlbumInput>,
): Promise<AlbumView> {
  const { order: sorted, ...given } = parseInput(newAlbumInput, input);
  const id = await db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, viewer.id);
    const { clientKey } = given;
    const earlier = clientKey && (await queries.findByClientKey(db, viewer.id, clientKey));
    if (earlier) return earlier.id;
    const albumId = newId();
    const row = { ...given, sorted, ownerId: viewer.id, albumId };
    if (!(await queries.insertAlbum(db, row))) throw refuse("albums-full");
    return albumId;
  });
  return found(await queries.findAlbum(db, viewer.id, id));
}

/**
 * `delete` deletes the photos that its owner uploaded into it, too, some at a time: interrupted, the rest is still
 * there with the album. Other posts stay what they are, and others' photos become posts for only them.
 */
async function remove(
  deps: Deps,
  viewer: Viewer,
  id: string,
  photos: (typeof albumPhotoFates)[number],
): Promise<void> {
  const { db, removal } = deps;
  const album = await ownAlbum(db, viewer, id);
  const own = () => queries.postsFor(db, album, viewer.id, postsAtOnce);
  let some = photos === "delete" ? await own() : [];
  while (some.length > 0) {
    await removal.removeThese(some);
    some = await own();
  }
  await end(deps, album);
}

/** Its photos become posts for only their authors. */
async function end({ db, notifications }: Deps, album: AlbumRef): Promise<void> {
  await db.transaction(async () => {
    db.seenAtOnce();
    await queries.deleteAlbum(db, album);
    await notifications?.retract.album(album);
  });
}

export type Albums = ReturnType<typeof createAlbums>;
