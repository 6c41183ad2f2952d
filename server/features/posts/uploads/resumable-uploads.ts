import { setTimeout as after } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#server/db/database.ts";
import { isId, type NewId } from "#server/db/ids.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import { isStill, pictureView, type Images } from "#server/features/posts/images/images.ts";
import { createParts, type UploadKey } from "#server/features/posts/uploads/parts.ts";
import * as queries from "#server/features/posts/uploads/resumable-uploads.queries.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { PictureView, Viewer } from "#shared/views.ts";

/** Where an upload stands. */
export type UploadView = {
  state: "arriving" | "preparing" | "ready" | "refused";
  /** of the whole file */
  bytes: number;
  /** bytes that arrived */
  offset: number;
  /** bytes that came in all, those that were sent twice among them */
  received: number;
  imageId?: string;
  picture?: PictureView;
  /** it was sent animated, and is too long or too heavy to move */
  still?: boolean;
  error?: { code: string; message: string };
};

type Deps = {
  db: Database;
  images: Pick<Images, "upload" | "makeWay" | "drop" | "removeFiles">;
  writes: Pick<WriteRates, "count">;
  storage: Pick<Storage, "check">;
  log: Pick<Logger, "warn">;
  newId: NewId;
  /** what arrived lies here */
  folder: string;
};

const hourMs = 60 * 60 * 1000;
/** How long somebody who asks waits for a picture that is being made. */
const patienceMs = 2000;
/** How long a stop waits for pictures that are being made. */
const stopMs = 1000;
/** What is wrong with the file itself: another try would end alike. */
const final: ReadonlySet<string> = new Set<RefusalCode>([
  "picture-type",
  "picture-unreadable",
  "picture-too-large",
]);

/**
 * Pictures that arrive in parts, over as many requests as it takes: what arrived stays, so that a
 * line that breaks, a page that is left or a server that restarts costs nothing (decision 0145).
 * Everything is found by its account and its id: nobody reaches another member's upload.
 */
export function createResumableUploads(deps: Deps) {
  const { db, images, writes, storage, log, newId, folder } = deps;
  const parts = createParts(folder);
  /** Pictures being made, and those that could not be until somebody was told. */
  const making = new Map<string, { work: Promise<void>; ended: boolean }>();

  /**
   * Begins an upload of so many bytes. Refuses what could not be kept in the end before a byte of it
   * comes: picture-too-heavy, storage-full, too-many-uploads, too-many-writes, and uploads-running
   * where too many, or too heavy ones, are unfinished.
   */
  async function begin(viewer: Viewer, bytes: number): Promise<string> {
    if (!Number.isSafeInteger(bytes) || bytes < 1) {
      throw refuse("input-invalid", {
        message: "Upload-Length must say how many bytes will come.",
      });
    }
    if (bytes > limits.imageBytes) throw refuse("picture-too-heavy");
    await storage.check(viewer.id, bytes);
    const id = newId();
    const { keys, idle } = await db.transaction(async () => {
      const idle = await refuseTooMany(viewer.id, bytes);
      const keys = await images.makeWay(viewer);
      await writes.count(viewer, "uploads");
      await queries.insertUpload(db, { accountId: viewer.id, id, bytes });
      return { keys, idle };
    });
    await images.removeFiles(keys);
    await removeParts(idle.map((each) => ({ accountId: viewer.id, id: each })));
    return id;
  }

  /** What nothing came to for an hour gives way to what begins: the ids of these. */
  async function refuseTooMany(accountId: string, bytes: number): Promise<string[]> {
    const { ofOne, bytes: most } = limits.uploads.unfinished;
    const unfinished = await queries.lockUnfinished(db, accountId);
    const fits = (idle = { count: 0, bytes: 0 }) =>
      unfinished.count - idle.count < ofOne && unfinished.bytes - idle.bytes + bytes <= most;
    if (fits()) return [];
    const idle = await queries.deleteIdle(db, accountId, new Date(Date.now() - hourMs));
    if (fits(idle)) return idle.ids;
    throw refuse("uploads-running", { retryAfter: 60 });
  }

  /** Refuses with not-found what is not the viewer's, is over, or never was. */
  async function find(viewer: Viewer, id: string) {
    const key = { accountId: viewer.id, id };
    const found = isId(id) ? await queries.findUpload(db, key) : null;
    if (!found || (found.imageId !== null && !found.picture)) throw refuse("not-found");
    const over = found.picture !== null || found.refused !== null;
    const offset = over ? found.bytes : Math.min(found.bytes, await parts.size(key));
    const expiresAt = found.touched.getTime() + limits.uploads.unfinishedHours * hourMs;
    if (!over && expiresAt < Date.now()) throw refuse("not-found");
    return { ...found, key, over, offset };
  }

  /**
   * Adds what comes to what arrived, from where that ends: see there first, and let nobody else write
   * meanwhile. Answers how much has arrived, also when the sender went away in the middle.
   */
  async function append(
    viewer: Viewer,
    id: string,
    chunks: AsyncIterable<Buffer>,
  ): Promise<number> {
    const { key, over, bytes } = await find(viewer, id);
    if (over) return bytes;
    await parts.append(key, chunks);
    return parts.size(key);
  }

  /** Counts bytes that came, whether they were kept or not: an upload lives a day from the last of them. */
  async function count(viewer: Viewer, id: string, bytes: number): Promise<void> {
    await queries.countReceived(db, { accountId: viewer.id, id }, bytes);
  }

  /** Begins to make the picture of an upload that arrived whole, unless that is being done. */
  function prepare(viewer: Viewer, key: UploadKey): { work: Promise<void>; ended: boolean } {
    const begun = making.get(key.id);
    if (begun) return begun;
    const one = { work: make(viewer, key), ended: false };
    making.set(key.id, one);
    one.work.then(
      () => making.delete(key.id),
      () => (one.ended = true),
    );
    return one;
  }

  async function make(viewer: Viewer, key: UploadKey): Promise<void> {
    const until = new Date(Date.now() + limits.uploads.draftDays * 24 * hourMs);
    const onRecord = async (imageId: string) => {
      if (!(await queries.markFinished(db, key, imageId))) throw refuse("not-found");
    };
    try {
      await images.upload(viewer, { path: parts.pathOf(key) }, { until, onRecord });
    } catch (error) {
      if (!isRefusal(error) || !final.has(error.code)) throw error;
      await queries.markRefused(db, key, error.code);
    }
    await parts.remove(key);
  }

  /**
   * Where an upload stands. One that arrived whole is made a picture of: asked again, the same one.
   * Waits a little where that is being done, and refuses as images.upload does where it could not be
   * this time; the next who asks tries again.
   */
  async function see(viewer: Viewer, id: string): Promise<UploadView> {
    let found = await find(viewer, id);
    if (!found.over && found.offset === found.bytes) {
      const { work } = prepare(viewer, found.key);
      await Promise.race([work, after(patienceMs, null, { ref: false })]).catch(
        (error: unknown) => {
          making.delete(id);
          throw error;
        },
      );
      found = await find(viewer, id);
    }
    const { bytes, offset, received, refused, imageId, picture } = found;
    const view = { bytes, offset, received };
    if (picture && imageId) {
      await keep(found);
      const { media_type: _type, bytes: _bytes, frames, ...row } = picture;
      const still = isStill({ frames, ...row });
      const ready = { ...view, state: "ready", imageId, picture: pictureView(row) } as const;
      return still ? { ...ready, still } : ready;
    }
    if (refused) {
      const { code, message } = refuse(refused as RefusalCode);
      return { ...view, state: "refused", error: { code, message } };
    }
    return { ...view, state: offset < bytes ? "arriving" : "preparing" };
  }

  /** A draft that somebody opens stays for as long again; written down once a day. */
  async function keep({ key, touched }: { key: UploadKey; touched: Date }): Promise<void> {
    if (Date.now() - touched.getTime() < 24 * hourMs) return;
    const until = new Date(Date.now() + limits.uploads.draftDays * 24 * hourMs);
    await queries.keepDraft(db, key, until);
  }

  /** Begins to make its picture where all of it arrived: whoever sent it will ask for it. */
  async function arrived(viewer: Viewer, id: string): Promise<void> {
    const { key, over, offset, bytes } = await find(viewer, id);
    if (over || offset < bytes) return;
    prepare(viewer, key).work.catch((error: unknown) => {
      if (!isRefusal(error)) log.warn({ err: error }, "no picture could be made of an upload yet");
    });
  }

  /** Removes what arrived, and the picture made of it unless it is in use. */
  async function remove(viewer: Viewer, id: string): Promise<void> {
    const { key } = await find(viewer, id);
    const removed = await queries.deleteUpload(db, key);
    // Whoever reads it would call it unreadable.
    const reading = making.get(id)?.work.catch(() => undefined);
    // what is left of it then is the sweep's
    if (reading) void reading.then(() => parts.remove(key)).catch(() => undefined);
    else await parts.remove(key);
    if (removed?.imageId) await images.drop(viewer.id, removed.imageId);
  }

  async function removeParts(keys: readonly UploadKey[]): Promise<void> {
    for (const key of keys) await parts.remove(key);
  }

  /** The files of an account that is deleted; its rows go with it. */
  async function removeFilesOf(accountId: string): Promise<void> {
    await removeParts((await parts.list()).filter((key) => key.accountId === accountId));
  }

  /** Removes uploads that nobody goes on with, and files of which nothing is to come. */
  async function sweep(now = new Date()): Promise<void> {
    const ago = (hours: number) => new Date(now.getTime() - hours * hourMs);
    const { unfinishedHours, draftDays } = limits.uploads;
    const before = { unfinished: ago(unfinishedHours), finished: ago(draftDays * 24) };
    await removeParts(await queries.deleteExpired(db, before));
    const keys = (await parts.list()).filter(({ accountId, id }) => isId(accountId) && isId(id));
    const awaited = await queries.findAwaited(db, keys);
    await removeParts(keys.filter(({ id }) => !awaited.has(id)));
    for (const [id, { ended }] of making) if (ended) making.delete(id);
  }

  /**
   * Resolves when no picture is being made, or soon: a stop must not wait for the decoder. What is not
   * done then is done when somebody asks for it again.
   */
  async function settled(): Promise<void> {
    const all = Promise.allSettled([...making.values()].map(({ work }) => work));
    await Promise.race([all, after(stopMs, null, { ref: false })]);
  }

  return { begin, find, append, count, arrived, see, remove, removeFilesOf, sweep, settled };
}

export type ResumableUploads = ReturnType<typeof createResumableUploads>;
