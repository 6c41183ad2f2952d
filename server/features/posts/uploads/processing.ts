import { setTimeout as after } from "node:timers/promises";
import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import type { ReservedFor } from "#server/features/posts/images/images.queries.ts";
import type { openParts } from "#server/features/posts/uploads/open-parts.ts";
import type { UploadKey } from "#server/features/posts/uploads/parts.ts";
import * as queries from "#server/features/posts/uploads/resumable-uploads.queries.ts";
import { isRefusal, refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  images: Pick<Images, "upload">;
  log: Pick<Logger, "warn">;
  parts: Pick<ReturnType<typeof openParts>, "withFile" | "remove">;
};

const dayMs = 24 * 60 * 60 * 1000;

/** A complete one. */
type Upload = { key: UploadKey; bytes: number; reservedFor: ReservedFor };

type Processing = { work: Promise<void>; ended: boolean };

/** How long a request waits for an image that is being processed. */
const patienceMs = 2000;
/** How often it checks meanwhile whether another process has finished. */
const lookMs = 200;
/** How often a process says that it is still working on one. */
const heartbeatMs = 3000;
/** How long a shutdown waits for images that are being processed. */
const stopMs = 1000;
/** Errors in the file itself: another try would end the same way. */
const final: ReadonlySet<string> = new Set<RefusalCode>([
  "picture-type",
  "picture-unreadable",
  "picture-too-large",
  "picture-too-complex",
]);

/** Images made from complete uploads: one process works on each, whichever was asked first. */
export function createProcessing(deps: Deps) {
  /** Those in progress here, and failures that were not reported yet. */
  const processing = new Map<string, Processing>();

  /** Starts processing a complete upload, unless that is already in progress. */
  function prepare(viewer: Viewer, upload: Upload): Processing {
    const { id } = upload.key;
    const begun = processing.get(id);
    if (begun) return begun;
    const one = { work: processOrWait(deps, viewer, upload), ended: false };
    processing.set(id, one);
    one.work.then(
      () => processing.delete(id),
      () => (one.ended = true),
    );
    return one;
  }

  /** Starts it: its sender will ask for the result. */
  function begin(viewer: Viewer, upload: Upload): void {
    prepare(viewer, upload).work.catch((error: unknown) => {
      if (!isRefusal(error))
        deps.log.warn({ err: error }, "an upload could not be made into an image yet");
    });
  }

  /** The same, and waits a little for the result. Throws a failure once. */
  async function soon(viewer: Viewer, upload: Upload): Promise<void> {
    const { work } = prepare(viewer, upload);
    const patience = after(patienceMs, null, { ref: false });
    await Promise.race([work, patience]).catch((error: unknown) => {
      processing.delete(upload.key.id);
      throw error;
    });
  }

  function forgetEnded(): void {
    for (const [id, { ended }] of processing) if (ended) processing.delete(id);
  }

  /**
   * Resolves when no image is being processed, or after a short while: a shutdown must not wait for the
   * decoder. What is not done then is done when somebody asks for it again.
   */
  async function settled(): Promise<void> {
    const all = Promise.allSettled([...processing.values()].map(({ work }) => work));
    await Promise.race([all, after(stopMs, null, { ref: false })]);
  }

  return { begin, soon, forgetEnded, settled };
}

/** One of all processes makes it, and says so while it does; the others check for the result for a while. */
async function processOrWait(deps: Deps, viewer: Viewer, upload: Upload): Promise<void> {
  const { db } = deps;
  const { key } = upload;
  if (!(await queries.beginProcessing(db, key))) return untilProcessed(db, key);
  const heartbeat = setInterval(() => {
    queries.extendProcessing(db, key).catch(() => undefined);
  }, heartbeatMs).unref();
  try {
    await processImage(deps, viewer, upload);
  } catch (error) {
    await queries.endProcessing(db, key).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(heartbeat);
  }
}

async function untilProcessed(db: Database, key: UploadKey): Promise<void> {
  const patience = performance.now() + patienceMs;
  while (performance.now() < patience && (await queries.isProcessing(db, key))) {
    await after(lookMs, null, { ref: false });
  }
}

/** An upload is counted when it begins. */
const countedBefore = async () => undefined;

async function processImage(
  { db, images, log, parts }: Deps,
  viewer: Viewer,
  { key, bytes, reservedFor }: Upload,
): Promise<void> {
  const until = new Date(Date.now() + limits.uploads.draftDays * dayMs);
  const onRecord = async (imageId: string) => {
    if (!(await queries.markFinished(db, key, imageId))) throw refuse("not-found");
  };
  const purpose = { until, reservedFor, onRecord, count: countedBefore };
  try {
    await parts.withFile(key, bytes, (path) => images.upload(viewer, { path }, purpose));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Another process, which assumed that this one had died, was first: this one's result is removed again.
    if (error.code === "not-found" && (await queries.findUpload(db, key))?.picture) return;
    if (!final.has(error.code)) throw error;
    await queries.markRefused(db, key, error.code);
  }
  // Anything left of it then is for the sweep.
  await parts.remove(key).catch((error: unknown) => {
    log.warn({ err: error }, "the parts of an upload could not be removed yet");
  });
}
