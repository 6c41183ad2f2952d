import { z } from "zod";
import { bind } from "#server/platform/bind.ts";
import { readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import * as items from "#server/features/posts/albums/album-items.queries.ts";
import {
  admitUpload,
  holdLease,
  type ForAlbum,
} from "#server/features/posts/albums/admit-upload.ts";
import { othersIn } from "#server/features/posts/albums/album-members.queries.ts";
import { markAnnounced, type Opened } from "#server/features/posts/albums/albums.queries.ts";
import { albumFor, lockToAdd } from "#server/features/posts/albums/open-album.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import { refuseNarrow } from "#server/features/posts/narrow-posts.ts";
import {
  insertPhotos,
  insertPost,
  lockCounters,
} from "#server/features/posts/post-writes.queries.ts";
import type { Notifier, PostRef } from "#server/features/types.ts";
import { albumMoveInput, albumPhotoInput } from "#shared/albums.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { writtenIn } from "#shared/languages.ts";
import { limits } from "#shared/limits.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { defaultChoices } from "#shared/posts.ts";
import { isBlank } from "#shared/text.ts";
import type { AlbumPhoto, Page, Viewer } from "#shared/views.ts";

export type AlbumPhotoDeps = {
  db: Database;
  images: Pick<Images, "claim" | "upload">;
  /** resolves an address and a number to a post; refuses with not-found */
  refAt: (viewer: Viewer, address: string, number: number) => Promise<PostRef>;
  /** whether posts may be for fewer than everyone; true by default */
  narrow?: boolean;
  notifications?: Notifier;
  writes?: Pick<WriteRates, "count">;
  newId?: NewId;
};

type PostAddress = { address: string; number: number };

const byDate = z.tuple([z.string().refine(isId)]);
const byHand = z.tuple([z.string().regex(/^-?\d{1,20}(?:\.\d{1,300})?$/), z.string().refine(isId)]);

/** More digits than moving back and forth needs; from then on all items are numbered anew. */
const mostDigits = 100;

/** What is in an album, and in which order. */
export function createAlbumPhotos(deps: AlbumPhotoDeps) {
  const { db } = deps;

  /** In the album's order, as far as the viewer may see them. */
  async function photos(
    viewer: Pick<Viewer, "id"> | null,
    id: string,
    cursor: string | null,
  ): Promise<Page<AlbumPhoto>> {
    const album = await albumFor(db, viewer, id);
    const size = limits.albums.photosPage;
    const page = { after: afterIn(album, cursor), limit: size + 1 };
    return toPage(await items.photosIn(db, viewer?.id ?? null, album, page), size);
  }

  return {
    photos,
    ...bind(deps, { upload, addPhoto, putPost, takeOut, move }),
  };
}

/** Where a cursor of an album stands. Refuses what is none with input-invalid. */
export function afterIn({ order }: Pick<Opened, "order">, cursor: string | null): items.After {
  if (order === "date") {
    const key = readCursor(cursor, byDate);
    return key && { postId: key[0] };
  }
  const key = readCursor(cursor, byHand);
  return key && { position: key[0], postId: key[1] };
}

/** Receives an image whole that this album alone may use; unused, it lives for an hour. */
const upload = (deps: AlbumPhotoDeps, viewer: Viewer, forAlbum: ForAlbum, file: { path: string }) =>
  deps.images.upload(viewer, file, {
    reservedFor: { albumId: forAlbum.album },
    count: async () => void (await admitUpload(deps, viewer, forAlbum)),
  });

/**
 * Publishes an uploaded image for whoever the album is for. Sent again with the same clientKey, it answers the first
 * post and changes nothing.
 */
async function addPhoto(
  deps: AlbumPhotoDeps,
  viewer: Viewer,
  id: string,
  input: z.input<typeof albumPhotoInput>,
): Promise<AlbumPhoto> {
  const { db, images, newId = freshId, notifications, writes } = deps;
  const { imageId, alt, batch, last, ...wanted } = parseInput(albumPhotoInput, input);
  const caption = isBlank(wanted.caption) ? "" : wanted.caption;
  return db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, viewer.id);
    await refuseNarrow(deps, viewer.id, "only-me");
    const album = await lockToAdd(db, viewer, id);
    await holdLease(db, viewer, batch, last);
    const post = {
      ...defaultChoices,
      ...wanted,
      caption,
      id: newId(),
      authorId: viewer.id,
      pictureCount: 1,
      language: writtenIn(viewer),
      audience: "only-me" as const,
      album,
    };
    const written = await insertPost(db, post);
    const ref = { authorId: viewer.id, postId: written.id };
    if (written.id === post.id) {
      await images.claim(viewer.id, [imageId], album);
      await insertPhotos(db, ref, [{ imageId, alt }]);
      await addItem(deps, album, ref);
      await writes?.count(viewer, "mentions", mentionedIn(caption).length);
      await notifications?.notify.posted(ref, caption);
    }
    return found(await items.findPhoto(db, viewer.id, { ...album, ...ref }));
  });
}

/** The others in the album are notified once a day of what is added to it. */
async function addItem(
  { db, notifications, newId = freshId }: AlbumPhotoDeps,
  album: Opened,
  post: PostRef,
): Promise<void> {
  if (!(await items.insertItem(db, { ...album, ...post }))) throw refuse("album-full");
  if (!notifications || !(await markAnnounced(db, album))) return;
  const others = await othersIn(db, { ...album, accountId: post.authorId });
  await notifications.notify.addedToAlbum(post.authorId, album, others, newId());
}

/** One of the viewer's posts with photos, which stays for whom it is. There already, it changes nothing. */
async function putPost(
  deps: AlbumPhotoDeps,
  viewer: Viewer,
  id: string,
  { address, number }: PostAddress,
): Promise<void> {
  const { db, refAt } = deps;
  await db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, viewer.id);
    const album = await lockToAdd(db, viewer, id);
    const post = await refAt(viewer, address, number);
    if (post.authorId !== viewer.id) throw refuse("not-yours");
    const { albumId, photos } = found(await items.holdPost(db, post));
    if (albumId === album.albumId || (await items.isIn(db, { ...album, ...post }))) return;
    if (albumId) throw refuse("album-photo-elsewhere");
    if (photos === 0) throw refuse("album-photos-only");
    await addItem(deps, album, post);
  });
}

/** By its author, or by the album's owner; what was uploaded into it becomes a post for only its author. */
async function takeOut(
  { db, refAt }: AlbumPhotoDeps,
  viewer: Viewer,
  id: string,
  { address, number }: PostAddress,
): Promise<void> {
  const { role, ...album } = await albumFor(db, viewer, id);
  const post = await refAt(viewer, address, number);
  if (role !== "owner" && post.authorId !== viewer.id) throw refuse("not-yours");
  await db.transaction(async () => {
    db.seenAtOnce();
    await lockCounters(db, post.authorId);
    await items.deleteItem(db, { ...album, ...post });
  });
}

/** Puts an item right behind another one, as far as its mover sees them; null: to the beginning. */
async function move(
  { db }: AlbumPhotoDeps,
  viewer: Viewer,
  id: string,
  input: z.input<typeof albumMoveInput>,
): Promise<void> {
  const { item, after } = parseInput(albumMoveInput, input);
  await db.transaction(async () => {
    db.seenAtOnce();
    const album = await lockToAdd(db, viewer, id);
    const moved = found(await items.findItem(db, album, item));
    const before = after === null ? null : found(await items.findItem(db, album, after));
    if (item === after) return;
    const ref = { ...album, authorId: moved.authorId, postId: item };
    const digits = await items.moveItem(db, ref, before?.position ?? null);
    if (digits > mostDigits) await items.renumber(db, album);
  });
}
