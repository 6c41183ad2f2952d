import { createHash, randomUUIDv7 } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { isImageKey, type ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/db/database.ts";
import type { Counted, Storage, WriteRates } from "#server/features/limits/index.ts";
import type { AfterBatch } from "#server/features/in-batches.ts";
import { inDecodeQueue, type Turn } from "#server/features/posts/images/decode-queue.ts";
import { renderInDecoder } from "#server/features/posts/images/decoder.ts";
import {
  claimImage,
  countUnclaimed,
  deleteOldestDrafts,
  deletePictures,
  deleteUnclaimed,
  deleteUnused,
  findServed,
  insertImage,
  isModerator,
  keysInUse,
  pictureKeys,
} from "#server/features/posts/images/images.queries.ts";
import type { PhotoDetails } from "#server/features/posts/images/exif.ts";
import { findOrphans } from "#server/features/posts/images/orphans.ts";
import type { RenderedPicture } from "#server/features/posts/images/render.ts";
import { logStorageFault, storageRefusal } from "#server/storage-faults.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { largeSize } from "#shared/large-pictures.ts";
import type { PictureView, Viewer } from "#shared/views.ts";

/** A picture whose files are stored durably and which no row names yet. */
export type ReceivedImage = {
  id: string;
  key: string;
  /** upright, pixels */
  width: number;
  height: number;
  /** widths of the stored variants, ascending */
  widths: number[];
  thumbhash: Buffer;
  /** of what a square cuts from its long side, percent at the beginning */
  focus: number;
  /** of the original */
  bytes: number;
  mediaType: string;
  /** of an animated one */
  frames: number | null;
  /** the width in which it moves, pixels */
  movingWidth: number | null;
  details: PhotoDetails;
};

/** Pictures of one step of a deletion. */
const picturesAtOnce = 50;

/** How long a picture may lie unused before the sweep takes it, milliseconds. */
export const unclaimedForMs = 60 * 60 * 1000;

/** A picture that belongs to a draft, which a browser keeps: it may lie unused until then. */
type ForDraft = {
  until: Date;
  /** Runs in the transaction of the picture's row; what it throws takes the picture back. */
  onRecord: (imageId: string) => Promise<void>;
};

/** What is told from the first bytes: no work was done for it, and it counts against nobody. */
export const cheapRefusals: ReadonlySet<string> = new Set<RefusalCode>([
  "picture-type",
  "picture-too-heavy",
  "picture-too-large",
]);

type Log = Pick<Logger, "info" | "warn" | "error">;

type Deps = {
  db: Database;
  store: ImageStore;
  log: Log;
  /** Counts one try of a member to have a picture decoded; refuses with too-many-attempts. */
  countFailure?: (accountId: string) => Promise<Counted>;
  /** how many pictures a member may send */
  writes?: Pick<WriteRates, "count">;
  /** how much room they may take */
  storage?: Pick<Storage, "check">;
  /** Says that a picture is in use, in the transaction in which it came into use. */
  onClaim?: () => Promise<void>;
};

/**
 * Pictures, from the file somebody sent to the row that a post or a profile names.
 *
 * The order is what makes it safe to die at any moment: files first, durable before their row
 * commits; rows go before their files. What is left between the two is the sweep's.
 */
export function createImages({ db, store, log, countFailure, writes, storage, onClaim }: Deps) {
  /**
   * Decodes a file, renders its variants and stores both it and them. `sender` is who shares the
   * decoder with the others: an account's id, or a visitor's network.
   * Throws the refusals of the decoder, refuse("picture-too-heavy") over 25 MB, and
   * refuse("disk-full") or refuse("disk-read-only") when nothing more can be kept.
   */
  async function receive(
    file: { path: string },
    sender: string,
    render: Render = renderStill,
  ): Promise<ReceivedImage> {
    const { size: bytes } = await stat(file.path);
    if (bytes > limits.imageBytes) throw refuse("picture-too-heavy");
    const id = randomUUIDv7();
    const { variants, moving, ...picture } = await inDecodeQueue(sender, (turn) =>
      render(file.path, turn),
    );
    const key = await contentAddress(id, file.path);
    await keep(key, { variants, moving, original: file.path }).catch((error: unknown) => {
      const fault = storageRefusal(error);
      if (fault) logStorageFault(log, fault);
      throw fault ?? error;
    });
    const widths = variants.map(({ width }) => width);
    const { frames = null, file: moves } = moving ?? {};
    return { id, key, bytes, widths, ...picture, frames, movingWidth: moves?.width ?? null };
  }

  /** All of its files, or none: what moves comes last. */
  async function keep(
    key: string,
    { moving, ...still }: Pick<RenderedPicture, "variants" | "moving"> & { original: string },
  ): Promise<void> {
    await store.put(key, still);
    if (!moving?.file) return;
    try {
      await store.add(key, { ...moving.file, type: "moving" });
    } catch (error) {
      await store.remove([key]);
      throw error;
    }
  }

  /** The same, and an animated picture moves. */
  function receiveMoving(file: { path: string }, sender: string): Promise<ReceivedImage> {
    return receive(file, sender, renderMoving);
  }

  /** The same for a member who sends it themselves: so many that cannot be read, and no more. */
  function receiveFrom(
    accountId: string,
    file: { path: string },
    render: Render = renderStill,
  ): Promise<ReceivedImage> {
    return receive(file, accountId, async (path, turn) => {
      // Counted while it has its turn: a member has one, so that no failure comes between.
      const tried = await countFailure?.(accountId);
      try {
        const rendered = await render(path, turn);
        await tried?.refund();
        return rendered;
      } catch (error) {
        if (isRefusal(error) && cheapRefusals.has(error.code)) await tried?.refund();
        throw error;
      }
    });
  }

  /**
   * Writes the row of a received picture, unclaimed, in the caller's transaction. Refuses with
   * storage-full.
   */
  async function record(
    accountId: string,
    received: ReceivedImage,
    draftUntil: Date | null = null,
  ): Promise<string> {
    const { mediaType, frames, movingWidth, details, ...image } = received;
    const { camera, place } = details;
    await insertImage(db, {
      ...image,
      account_id: accountId,
      media_type: mediaType,
      draft_until: draftUntil,
      frames,
      moving_width: movingWidth,
      // No background work: it would stand still.
      avif_widths: movingWidth === null ? null : [],
      camera,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    });
    await storage?.check(accountId);
    return received.id;
  }

  /** Takes back a received picture that did not come into use. */
  const discard = (received: ReceivedImage) => removeFiles([received.key]);

  /**
   * Refuses a member who has as many unused pictures as there may be, in the caller's transaction.
   * Drafts from more than an hour ago give way, the oldest first: who lost theirs, with the browser
   * that kept them, is not kept from posting. Answers the keys whose files are to go after the commit.
   */
  async function makeWay(viewer: Viewer): Promise<string[]> {
    const tooMany = (await countUnclaimed(db, viewer.id)) + 1 - limits.unclaimedPictures;
    if (tooMany <= 0) return [];
    const before = new Date(Date.now() - unclaimedForMs);
    const keys = await deleteOldestDrafts(db, viewer.id, { before, most: tooMany });
    if (keys.length === tooMany) return keys;
    throw refuse("too-many-uploads", { retryAfter: unclaimedForMs / 1000 });
  }

  /** Looked at before the work of decoding, and again when the row is written. */
  async function refuseTooMany(viewer: Viewer, work: () => Promise<unknown>): Promise<void> {
    const keys = await db.transaction(async () => {
      const given = await makeWay(viewer);
      await work();
      return given;
    });
    await removeFiles(keys);
  }

  /**
   * Receives a member's picture for a post or profile to come; unused, it lives for an hour. One for a
   * draft lives longer, and was counted before.
   */
  async function upload(viewer: Viewer, file: { path: string }, draft?: ForDraft) {
    await storage?.check(viewer.id, (await stat(file.path)).size);
    await refuseTooMany(viewer, async () => {
      if (!draft) await writes?.count(viewer, "uploads");
    });
    const received = await receiveFrom(viewer.id, file, renderMoving);
    try {
      await refuseTooMany(viewer, async () => {
        await record(viewer.id, received, draft?.until);
        await draft?.onRecord(received.id);
      });
    } catch (error) {
      if (isRefusal(error)) await discard(received);
      // The row may be there all the same when the answer was lost: then the sweep decides.
      else log.warn({ err: error, key: received.key }, "a picture was stored but not recorded");
      throw error;
    }
    return { imageId: received.id, picture: pictureView(received), still: isStill(received) };
  }

  /** Removes a picture that nothing uses, for the member whose it is. */
  async function drop(accountId: string, imageId: string): Promise<void> {
    const key = await deleteUnused(db, accountId, imageId);
    if (key !== null) await removeFiles([key]);
  }

  /**
   * Marks a picture as used, in the caller's transaction; what its camera wrote is forgotten unless
   * it is to be kept.
   * Throws refuse("picture-unknown") when it is not the account's, gone, or used already.
   */
  async function claim(
    accountId: string,
    imageId: string,
    keep: KeptDetails = { camera: false, place: false },
  ): Promise<void> {
    const claimed = isUuid(imageId) && (await claimImage(db, accountId, imageId, keep));
    if (!claimed) throw refuse("picture-unknown");
    await onClaim?.();
  }

  /**
   * Whether a variant is served: to everybody, or, while its account is suspended or leaving, to
   * moderators only; and whether it is there as AVIF, too. One prepared query. `large` is all of the
   * original's pixels (large-pictures.ts), or the largest variant where that has them; `moving`, all
   * frames of an animated one.
   */
  async function find(key: string, wanted: number | "large" | "moving") {
    const served = isImageKey(key) ? await findServed(db, key) : null;
    if (!served) return null;
    const { widths, avifWidths, movingWidth, withdrawn } = served;
    if (wanted === "moving") {
      return movingWidth === null ? null : { width: movingWidth, withdrawn, avif: false };
    }
    if (wanted === "large") {
      const width = largeSize(served)?.width ?? widths.at(-1);
      return width === undefined ? null : { width, withdrawn, avif: false };
    }
    if (!widths.includes(wanted)) return null;
    return { width: wanted, withdrawn, avif: avifWidths?.includes(wanted) ?? false };
  }

  const mayModerate = (viewer: Viewer): Promise<boolean> => isModerator(db, viewer.id);

  /** Removes the files of rows that are gone. Call it after the commit. */
  async function removeFiles(keys: readonly string[]): Promise<void> {
    await store.remove(keys);
  }

  /** Every picture of an account that is deleted, once no post needs it; the files go before the row. */
  async function removeAllOf(accountId: string, afterBatch: AfterBatch): Promise<void> {
    const batch = { accountId, limit: picturesAtOnce };
    for (;;) {
      const keys = await pictureKeys(db, batch);
      if (keys.length === 0) return;
      await removeFiles(keys);
      await deletePictures(db, accountId, keys);
      afterBatch();
    }
  }

  /**
   * Removes what nobody uses: uploads never claimed, files without a row (left by a process that
   * died between the two) and half-written files, each once it is an hour old.
   */
  async function sweep(now = new Date()): Promise<{ unclaimed: number; orphans: number }> {
    const before = new Date(now.getTime() - unclaimedForMs);
    const unclaimed = await deleteUnclaimed(db, before, now);
    await store.remove(unclaimed);
    const named = (keys: readonly string[]) => keysInUse(db, keys);
    const orphans = await findOrphans({ store, named, log }, before);
    await store.remove(orphans);
    await store.clean(before);
    const removed = { unclaimed: unclaimed.length, orphans: orphans.length };
    if (removed.unclaimed + removed.orphans > 0) log.info(removed, "unused pictures were removed");
    return removed;
  }

  return {
    receive,
    receiveFrom,
    receiveMoving,
    record,
    discard,
    makeWay,
    upload,
    drop,
    claim,
    find,
    mayModerate,
    removeFiles,
    removeAllOf,
    sweep,
  };
}

export type Images = ReturnType<typeof createImages>;

/** What is kept of what a camera wrote. */
export type KeptDetails = { camera: boolean; place: boolean };

type Render = (path: string, turn: Turn) => Promise<RenderedPicture>;

const renderStill: Render = (path, turn) =>
  renderInDecoder("renderPicture", path, turn, { moving: false });
const renderMoving: Render = (path, turn) =>
  renderInDecoder("renderPicture", path, turn, { moving: true });

/** It was sent animated, and is too long or too heavy to move. */
export const isStill = ({
  frames,
  movingWidth,
}: Pick<ReceivedImage, "frames" | "movingWidth">): boolean =>
  frames !== null && movingWidth === null;

type PictureRow = Pick<
  ReceivedImage,
  "key" | "width" | "height" | "widths" | "thumbhash" | "movingWidth"
>;

/** A picture as screens and programs get it, from its row or fresh from the renderer. */
export function pictureView(row: PictureRow, alt = ""): PictureView {
  const { key, width, height, widths, thumbhash, movingWidth } = row;
  const moving = movingWidth !== null;
  return { key, width, height, widths, thumbhash: thumbhash.toString("base64"), moving, alt };
}

/**
 * The first 128 bits of sha256(id ‖ original). The id makes it unguessable and gives every row
 * files of its own, so that deleting one never touches another's (decision 0015).
 */
async function contentAddress(id: string, path: string): Promise<string> {
  const hash = createHash("sha256").update(id);
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex").slice(0, 32);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
