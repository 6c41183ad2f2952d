import type { Logger } from "pino";
import type { PrivateFiles } from "#server/adapters/private-files/private-files.ts";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId, type NewId } from "#server/platform/db/ids.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import { isStill, imageView, type Images } from "#server/features/posts/images/images.ts";
import { admitUpload, type UploadFor } from "#server/features/posts/uploads/admit-upload.ts";
import { createProcessing } from "#server/features/posts/uploads/processing.ts";
import { openParts } from "#server/features/posts/uploads/open-parts.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";
import * as queries from "#server/features/posts/uploads/resumable-uploads.queries.ts";
import { refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { ImageView, Viewer } from "#shared/views.ts";

/** The state of an upload. */
type UploadView = {
  state: "arriving" | "preparing" | "ready" | "refused";
  /** of the whole file */
  bytes: number;
  /** bytes that arrived */
  offset: number;
  /** all bytes received, including those sent twice */
  received: number;
  imageId?: string;
  picture?: ImageView;
  /** it was uploaded animated, and is too long or too heavy to move */
  still?: boolean;
  error?: { code: string; message: string };
};

type Deps = {
  db: Database;
  images: Pick<Images, "upload" | "evictOldDrafts" | "drop" | "removeFiles">;
  writes: Pick<WriteRates, "count">;
  storage: Pick<Storage, "check">;
  narrow?: boolean;
  log: Pick<Logger, "warn">;
  newId: NewId;
  /** where arriving bytes are stored */
  files: PrivateFiles;
  /** where this machine's working files are */
  tmp: string;
};

const hourMs = 60 * 60 * 1000;

type Parts = ReturnType<typeof openParts>;

type Uploading = Deps & { parts: Parts; processing: ReturnType<typeof createProcessing> };

/**
 * Images that arrive in parts, over as many requests as it takes: what arrived stays, so that a lost
 * connection, a closed page or a server restart costs nothing (decision 0145). Everything is found by its
 * account and its id: nobody reaches another member's upload.
 */
export function createResumableUploads(given: Deps) {
  const { db, images, log } = given;
  const parts = openParts(given);
  const processing = createProcessing({ db, images, log, parts });
  const deps = { ...given, parts, processing };
  return {
    ...bind(deps, { begin, find, append, arrived, see, remove }),

    /**
     * Counts received bytes, whether they were stored or not: an upload lives for a day after the last of
     * them.
     */
    count: (viewer: Viewer, id: string, bytes: number): Promise<void> =>
      queries.countReceived(db, { accountId: viewer.id, id }, bytes),

    /** The files of an account that is being deleted; its rows are deleted with it. */
    removeFilesOf: async (accountId: string): Promise<void> =>
      removeParts(parts, await parts.list(accountId)),

    sweep: (now?: Date) => sweep(deps, now),
    settled: processing.settled,
  };
}

/**
 * Begins an upload of this many bytes. Refuses before the first byte what could not be stored in the end:
 * picture-too-heavy, storage-full, too-many-uploads, too-many-writes, and uploads-running where too many, or
 * too heavy ones, are unfinished. One for an album or an import as admitUpload does.
 */
async function begin(deps: Uploading, viewer: Viewer, bytes: number, wanted: UploadFor = null) {
  const { db, images, storage, newId, parts } = deps;
  if (!Number.isSafeInteger(bytes) || bytes < 1) {
    throw refuse("input-invalid", {
      message: "Upload-Length must say how many bytes will come.",
    });
  }
  if (bytes > limits.imageBytes) throw refuse("picture-too-heavy");
  await storage.check(viewer.id, bytes);
  const id = newId();
  const { keys, idle } = await db.transaction(async () => {
    const idle = await refuseTooMany(db, viewer.id, bytes);
    const keys = await images.evictOldDrafts(viewer);
    const reservedFor = await admitUpload(deps, viewer, wanted);
    await queries.insertUpload(db, { accountId: viewer.id, id, bytes, ...reservedFor });
    return { keys, idle };
  });
  await images.removeFiles(keys);
  await removeParts(
    parts,
    idle.map((each) => ({ accountId: viewer.id, id: each })),
  );
  return id;
}

/** Uploads without activity for an hour give way to a new one: their ids. */
async function refuseTooMany(db: Database, accountId: string, bytes: number): Promise<string[]> {
  const { ofOne, bytes: most } = limits.uploads.unfinished;
  const unfinished = await queries.lockUnfinished(db, accountId);
  const fits = (idle = { count: 0, bytes: 0 }) =>
    unfinished.count - idle.count < ofOne && unfinished.bytes - idle.bytes + bytes <= most;
  if (fits()) return [];
  const idle = await queries.deleteIdle(db, accountId, new Date(Date.now() - hourMs));
  if (fits(idle)) return idle.ids;
  throw refuse("uploads-running", { retryAfter: 60 });
}

/** Refuses with not-found an upload that is not the viewer's, is over, or never existed. */
async function findRow(db: Database, viewer: Viewer, id: string) {
  const key = { accountId: viewer.id, id };
  const found = isId(id) ? await queries.findUpload(db, key) : null;
  if (!found || (found.imageId !== null && !found.picture)) throw refuse("not-found");
  const over = found.picture !== null || found.refused !== null;
  const expiresAt = found.touched.getTime() + limits.uploads.unfinishedHours * hourMs;
  if (!over && expiresAt < Date.now()) throw refuse("not-found");
  return { ...found, key, over };
}

/** The same with how much has arrived. */
async function find({ db, parts }: Uploading, viewer: Viewer, id: string) {
  const found = await findRow(db, viewer, id);
  const { key, over, bytes } = found;
  return { ...found, offset: over ? bytes : Math.min(bytes, await parts.size(key)) };
}

/**
 * Adds what arrives after `from`, which must be where the upload ends so far. Returns how much has arrived
 * then. If the sender disconnects halfway, what arrived is stored.
 */
async function append(
  { db, parts }: Uploading,
  viewer: Viewer,
  id: string,
  from: number,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const { key, over, bytes } = await findRow(db, viewer, id);
  return over ? bytes : parts.append(key, from, chunks);
}

/**
 * The state of an upload. A complete one is made into an image, the same one however often it is requested.
 * Waits a little while that is in progress, and refuses as images.upload does where it failed this time; the
 * next request tries again.
 */
async function see(deps: Uploading, viewer: Viewer, id: string): Promise<UploadView> {
  let found = await find(deps, viewer, id);
  if (!found.over && found.offset === found.bytes) {
    await deps.processing.soon(viewer, found);
    found = await find(deps, viewer, id);
  }
  const { bytes, offset, received, refused, imageId, picture } = found;
  const view = { bytes, offset, received };
  if (picture && imageId) {
    await extendDraft(deps.db, found);
    const { media_type: _type, bytes: _bytes, frames, ...row } = picture;
    const still = isStill({ frames, ...row });
    const ready = { ...view, state: "ready", imageId, picture: imageView(row) } as const;
    return still ? { ...ready, still } : ready;
  }
  if (refused) {
    const { code, message } = refuse(refused as RefusalCode);
    return { ...view, state: "refused", error: { code, message } };
  }
  return { ...view, state: offset < bytes ? "arriving" : "preparing" };
}

/** Opening a draft extends its life by the full time; written once a day. */
async function extendDraft(
  db: Database,
  { key, touched }: { key: UploadKey; touched: Date },
): Promise<void> {
  if (Date.now() - touched.getTime() < 24 * hourMs) return;
  const until = new Date(Date.now() + limits.uploads.draftDays * 24 * hourMs);
  await queries.extendDraft(db, key, until);
}

/** Starts making its image once all of it has arrived: its sender will ask for it. */
async function arrived({ db, processing }: Uploading, viewer: Viewer, id: string, offset: number) {
  const found = await findRow(db, viewer, id);
  if (found.over || offset < found.bytes) return;
  processing.begin(viewer, found);
}

/** Removes what arrived, and the image made from it unless it is in use. */
async function remove({ db, images, parts }: Uploading, viewer: Viewer, id: string): Promise<void> {
  const { key } = await findRow(db, viewer, id);
  const removed = await queries.deleteUpload(db, key);
  await parts.remove(key);
  if (removed?.imageId) await images.drop(viewer.id, removed.imageId);
}

/** Removes abandoned uploads, and files that are no longer needed. */
async function sweep({ db, parts, processing }: Uploading, now = new Date()): Promise<void> {
  const ago = (hours: number) => new Date(now.getTime() - hours * hourMs);
  const { unfinishedHours, draftDays } = limits.uploads;
  const before = { unfinished: ago(unfinishedHours), finished: ago(draftDays * 24) };
  await removeParts(parts, await queries.deleteExpired(db, before));
  const keys = (await parts.list()).filter(({ accountId, id }) => isId(accountId) && isId(id));
  const awaited = await queries.findAwaited(db, keys);
  await removeParts(
    parts,
    keys.filter(({ id }) => !awaited.has(id)),
  );
  processing.forgetEnded();
}

async function removeParts(parts: Parts, keys: readonly UploadKey[]): Promise<void> {
  for (const key of keys) await parts.remove(key);
}
