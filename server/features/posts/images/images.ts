import { stat } from "node:fs/promises";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import {
  claimImages,
  countUnclaimed,
  deleteOldestDrafts,
  deleteUnused,
  insertImage,
  isModerator,
  type ReservedFor,
} from "#server/features/posts/images/images.queries.ts";
import {
  receive,
  receiveFrom,
  renderAnimated,
  type ReceivedImage,
  type Receiving,
} from "#server/features/posts/images/receive.ts";
import { findImage, visitor, type Wanted } from "#server/features/posts/images/served-images.ts";
import { removeAllOf, sweep, unclaimedForMs } from "#server/features/posts/images/removal.ts";
import type { AskingAccount, Credentials } from "#server/features/types.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { ImageView, Viewer } from "#shared/views.ts";

/** What an image is uploaded for. */
type UploadPurpose = {
  /** it belongs to a draft in a browser: it may stay unused until the draft expires */
  until?: Date;
  reservedFor?: ReservedFor;
  /** Counts it, in a transaction before the work, instead of among the uploads of an hour. */
  count?: () => Promise<void>;
  /** Runs in the transaction of the image's row; if it throws, the image is removed again. */
  onRecord?: (imageId: string) => Promise<void>;
};

type Deps = Receiving & {
  db: Database;
  /** how many images a member may upload */
  writes?: Pick<WriteRates, "count">;
  /** how much storage they may use */
  storage?: Pick<Storage, "check">;
  /** Announces that an image is in use, in the transaction in which it came into use. */
  onClaim?: () => Promise<void>;
  /** Announces, in the transaction of the edit, images of a post that is no longer for everyone: their keys. */
  onNarrowed?: (keys: readonly string[]) => Promise<void>;
  /** how who asks is looked up; without any, everybody is a visitor */
  kinds?: readonly AskingAccount[];
};

/**
 * Images, from an uploaded file to the row that a post or a profile refers to.
 *
 * The order makes it safe to die at any moment: files first, durable before their row commits; rows are
 * deleted before their files. What is left between the two is for the sweep.
 */
export function createImages(deps: Deps) {
  const { db, store } = deps;
  return {
    ...bind(deps, { record, upload, drop, claim, removeAllOf, sweep }),
    find: (key: string, wanted: Wanted, credentials: Credentials = visitor) =>
      findImage(deps, key, wanted, credentials),
    evictOldDrafts: (viewer: Viewer) => evictOldDrafts(db, viewer),
    receive: (file: { path: string }, sender: string) => receive(deps, file, sender),
    /** The same, and an animated image moves. */
    receiveAnimated: (file: { path: string }, sender: string) =>
      receive(deps, file, sender, renderAnimated),
    /** Removes a received image that did not come into use. */
    discard: (received: ReceivedImage) => store.remove([received.key]),
    /** Photos of a post that everybody could see until now, in the transaction that narrows it. */
    narrow: async (keys: readonly string[]): Promise<void> => deps.onNarrowed?.(keys),
    mayModerate: (viewer: Viewer): Promise<boolean> => isModerator(db, viewer.id),
    /** Removes the files of deleted rows. Call it after the commit. */
    removeFiles: (keys: readonly string[]): Promise<void> => store.remove(keys),
  };
}

export type Images = ReturnType<typeof createImages>;

/** What is stored of the camera data; the album or the import that uses an image. */
type Use = { camera?: boolean; location?: boolean } & ReservedFor;

/** Writes the row of a received image, unclaimed, in the caller's transaction. Refuses with storage-full. */
async function record(
  { db, storage }: Deps,
  accountId: string,
  received: ReceivedImage,
  { until, reservedFor = {} }: Pick<UploadPurpose, "until" | "reservedFor"> = {},
): Promise<string> {
  const { mediaType, frames, movingWidth, details, ...image } = received;
  const { camera, location } = details;
  await insertImage(db, {
    ...image,
    account_id: accountId,
    media_type: mediaType,
    draft_until: until ?? null,
    album_id: reservedFor.albumId ?? null,
    import_id: reservedFor.importId ?? null,
    frames,
    moving_width: movingWidth,
    // No background work: it would stand still.
    avif_widths: movingWidth === null ? null : [],
    camera,
    latitude: location?.latitude ?? null,
    longitude: location?.longitude ?? null,
  });
  await storage?.check(accountId);
  return received.id;
}

/**
 * Refuses a member who has too many unused images, in the caller's transaction. Drafts from more than an
 * hour ago give way, oldest first: members who lost their drafts with their browser can still post. Returns
 * the keys whose files are to be deleted after the commit.
 */
async function evictOldDrafts(db: Database, viewer: Viewer): Promise<string[]> {
  const tooMany = (await countUnclaimed(db, viewer.id)) + 1 - limits.unclaimedImages;
  if (tooMany <= 0) return [];
  const before = new Date(Date.now() - unclaimedForMs);
  const keys = await deleteOldestDrafts(db, viewer.id, { before, most: tooMany });
  if (keys.length === tooMany) return keys;
  throw refuse("too-many-uploads", { retryAfter: unclaimedForMs / 1000 });
}

/** Checked before the work of decoding, and again when the row is written. */
async function refuseTooMany({ db, store }: Deps, viewer: Viewer, work: () => Promise<unknown>) {
  const keys = await db.transaction(async () => {
    const given = await evictOldDrafts(db, viewer);
    await work();
    return given;
  });
  await store.remove(keys);
}

/**
 * Receives a member's image for a future post or profile; unused, it lives for an hour. One for a draft
 * lives longer.
 */
async function upload(
  deps: Deps,
  viewer: Viewer,
  file: { path: string },
  purpose: UploadPurpose = {},
) {
  const { store, log, writes, storage } = deps;
  const { count = async () => writes?.count(viewer, "uploads"), onRecord } = purpose;
  await storage?.check(viewer.id, (await stat(file.path)).size);
  await refuseTooMany(deps, viewer, count);
  const received = await receiveFrom(deps, viewer.id, file, renderAnimated);
  try {
    await refuseTooMany(deps, viewer, async () => {
      await record(deps, viewer.id, received, purpose);
      await onRecord?.(received.id);
    });
  } catch (error) {
    if (isRefusal(error)) await store.remove([received.key]);
    // The row may exist after all when the response was lost: then the sweep decides.
    else log.warn({ err: error, key: received.key }, "an image was stored but not recorded");
    throw error;
  }
  return { imageId: received.id, picture: imageView(received), still: isStill(received) };
}

/** Removes an unused image, for the member who owns it. */
async function drop({ db, store }: Deps, accountId: string, imageId: string): Promise<void> {
  const key = await deleteUnused(db, accountId, imageId);
  if (key !== null) await store.remove([key]);
}

/**
 * Marks images as used, in the caller's transaction, and forgets their camera data unless it is to be kept.
 * Throws refuse("picture-unknown") when one is not the account's, gone, used already, or was uploaded for another
 * album or import.
 */
async function claim(
  { db, onClaim }: Deps,
  accountId: string,
  imageIds: readonly string[],
  { camera = false, location = false, albumId = null, importId = null }: Use = {},
): Promise<void> {
  if (imageIds.length === 0) return;
  if (!imageIds.every(isId)) throw refuse("picture-unknown");
  const use = { camera, location, albumId, importId };
  const claimed = await claimImages(db, accountId, imageIds, use);
  if (claimed < imageIds.length) throw refuse("picture-unknown");
  await onClaim?.();
}

/** It was uploaded animated, and is too long or too heavy to move. */
export const isStill = ({ frames, movingWidth }: Pick<ReceivedImage, "frames" | "movingWidth">) =>
  frames !== null && movingWidth === null;

type ImageRow = Pick<
  ReceivedImage,
  "key" | "width" | "height" | "widths" | "thumbhash" | "movingWidth"
>;

/** An image as screens and programs get it, from its row or fresh from the renderer. */
export function imageView(row: ImageRow, alt = ""): ImageView {
  const { key, width, height, widths, thumbhash, movingWidth } = row;
  const moving = movingWidth !== null;
  return { key, width, height, widths, thumbhash: thumbhash.toString("base64"), moving, alt };
}
