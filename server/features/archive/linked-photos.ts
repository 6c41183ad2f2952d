import { join } from "node:path";
import {
  createPhotoFetcher,
  type FetchProblem,
  type PhotoFetcher,
} from "#server/adapters/photo-fetcher/photo-fetcher.ts";
import { isTransient } from "#server/features/archive/receive-image.ts";
import { reasonOf } from "#shared/exports/skipped.ts";
import type { Storage, WriteRates } from "#server/features/limits/index.ts";
import type { Images, ReceivedImage } from "#server/features/posts/index.ts";
import { storageRefusal } from "#server/platform/storage-faults.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  images: Pick<Images, "receiveAnimated" | "discard">;
  storage: Pick<Storage, "check">;
  writes?: Pick<WriteRates, "count">;
  photoFetcher?: PhotoFetcher;
  config: { dataDir: string; publicUrl: string };
};

/** Posts whose photos this process fetches at the same time, one of each member. */
const postsAtOnce = 4;
/** For all photos of one post: whoever asked for it waits. */
const postMs = 60_000;
const megabyte = 1_000_000;

const reasons: Record<FetchProblem, string> = {
  address: "we only fetch photos from public https addresses",
  answer: "it didn't answer with the photo",
  type: "what is there isn't a photo",
  size: "the photo there is larger than 25 MB",
};

/** Photos that an export only has the addresses of. */
export function createLinkedPhotos(deps: Deps) {
  const { images, config } = deps;
  const fetcher = deps.photoFetcher ?? createPhotoFetcher({ ...config, most: limits.imageBytes });
  const fetching = new Set<string>();

  async function one(viewer: Viewer, url: string, signal: AbortSignal): Promise<ReceivedImage> {
    await deps.writes?.count(viewer, "importUploads");
    try {
      return await withTemporaryFile(join(config.dataDir, "tmp"), "fetched", async (path) => {
        const { bytes, problem } = await fetcher.fetch(url, path, signal);
        await deps.writes?.count(viewer, "fetchedMegabytes", Math.ceil(bytes / megabyte));
        if (problem)
          throw refuse("not-importable", { message: `${hostOf(url)}: ${reasons[problem]}` });
        await deps.storage.check(viewer.id, bytes);
        return images.receiveAnimated({ path }, viewer.id);
      });
    } catch (error) {
      if (!isRefusal(error)) throw storageRefusal(error) ?? error;
      if (isTransient(error) || !unreadable(error.code)) throw error;
      throw refuse("not-importable", { message: `${hostOf(url)}: ${reasonOf(error)}` });
    }
  }

  /**
   * Fetches the photos of one post; what was received is discarded when one fails. Refuses with not-importable, whose
   * message says which and why, storage-full, newcomers-full, too-many-writes, and busy: it works a little later.
   */
  async function fetchAll(viewer: Viewer, urls: readonly string[]): Promise<ReceivedImage[]> {
    if (urls.length === 0) return [];
    if (fetching.has(viewer.id) || fetching.size >= postsAtOnce) {
      throw refuse("busy", { retryAfter: 5 });
    }
    fetching.add(viewer.id);
    const signal = AbortSignal.timeout(postMs);
    const received: ReceivedImage[] = [];
    try {
      for (const url of urls) received.push(await one(viewer, url, signal));
      return received;
    } catch (error) {
      for (const each of received) await images.discard(each).catch(() => undefined);
      throw error;
    } finally {
      fetching.delete(viewer.id);
    }
  }

  return { fetchAll };
}

/** The file itself is no photo that we can use. */
const unreadable = (code: string) => code.startsWith("picture-");

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "An address");
