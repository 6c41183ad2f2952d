import type { Logger } from "pino";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { Database } from "#server/platform/db/database.ts";
import { inDecodeQueue } from "#server/features/posts/images/decode-queue.ts";
import { renderInDecoder } from "#server/features/posts/images/decoder.ts";
import {
  findWithoutAvif,
  setAvifWidths,
  type WithoutAvif,
} from "#server/features/posts/images/images.queries.ts";
import { withOriginal } from "#server/features/posts/images/with-original.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { isRefusal } from "#shared/errors.ts";

type Deps = {
  db: Database;
  store: Pick<ImageStore, "open" | "openOriginal" | "add">;
  jobs: Jobs;
  dataDir: string;
  log: Pick<Logger, "warn">;
};

const job = "avif";
/** Images made in one run of the job, and the pause before the next one, milliseconds. */
const aRun = 6;
const restMs = 60_000;
/** An image at which the process died this often is left as it is. */
const mostAttempts = 3;

/**
 * Makes the AVIF of images in use, one after the other, newest first, while their WebP is served. A file
 * exists before its row says so, so a kill costs at most the work on one image.
 */
export function createBackgroundAvif({ db, store, jobs, dataDir, log }: Deps) {
  jobs.handle(job, async (_, { signal, attempt }) => {
    for (let made = 0; made < aRun; made += 1) {
      const image = await findWithoutAvif(db);
      if (!image) return;
      if (signal.aborted) throw signal.reason;
      const widths = made === 0 && attempt > mostAttempts ? [] : await make(image);
      await setAvifWidths(db, image, widths);
    }
    // An installation with many old images has other work to do, too.
    await jobs.add(job, {}, { key: job, after: new Date(Date.now() + restMs) });
  });

  /** Schedules the missing files, in the caller's transaction. */
  const begin = () => jobs.add(job, {}, { key: job });

  async function make({ key, widths }: WithoutAvif): Promise<number[]> {
    try {
      const served = await Promise.all(widths.map((width) => webpOf(key, width)));
      // A sender of its own: members who upload now come before images that are only made smaller.
      const variants = await withOriginal({ store, dataDir }, key, (path) =>
        inDecodeQueue("background", (turn) => renderInDecoder("renderAvif", path, turn, served)),
      );
      if (!variants) return [];
      for (const { width, bytes } of variants) await store.add(key, { width, type: "avif", bytes });
      return variants.map(({ width }) => width);
    } catch (error) {
      // What cannot be read now, or not in time, is served as it was. Anything else is retried.
      if (!isRefusal(error) || error.retryAfter !== undefined) throw error;
      log.warn({ err: error, key }, "no AVIF was made of an image");
      return [];
    }
  }

  async function webpOf(key: string, width: number) {
    const found = await store.open(key, width);
    await found?.close();
    return { width, bytes: found?.bytes ?? null };
  }

  return { begin };
}
