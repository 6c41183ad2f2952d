import type { AlbumPhoto } from "#shared/views.ts";
import type { AlbumUpload } from "#app/features/albums/stored-photos.ts";
import { callErrorOf, isUnreachable, sendJson } from "#app/lib/api-client.ts";
import { createWaiting, delayAfter, type Waiting } from "#app/lib/forms/upload-waiting.ts";

/** The waits before further tries, milliseconds; then as long as the last. */
const delays = [500, 1000, 2000, 4000, 8000, 15_000];

type Options = {
  /** nothing follows in its batch */
  last: boolean;
  signal: AbortSignal;
  onWaiting?: ((waiting: Waiting | null) => void) | undefined;
};

/**
 * Puts an uploaded photo into its album; tries again while the line is broken, or other photos of the same
 * member are being added. Ends silently when `signal` aborts. @throws CallError
 */
export async function addToAlbum(
  { id, albumId, batch }: Pick<AlbumUpload, "id" | "albumId" | "batch">,
  imageId: string,
  { last, signal, onWaiting }: Options,
): Promise<void> {
  const waiting = createWaiting(onWaiting);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const photo = { imageId, timeZone, clientKey: id, batch, ...(last && { last }) };
  try {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await sendJson<AlbumPhoto>("POST", `/api/albums/${albumId}/photos`, photo);
        return;
      } catch (error) {
        const { code = "", status } = callErrorOf(error);
        const busy =
          code === "album-batch-running" || (status === 429 && code !== "too-many-writes");
        if (!busy && !isUnreachable(error)) throw error;
        waiting.failed(error);
        const delay = delays[Math.min(failures, delays.length - 1)] ?? 0;
        await sleepOrOnline(delayAfter(error, delay), signal);
      }
    }
  } finally {
    waiting.over();
    waiting.end();
  }
}

/** So many milliseconds, or until the network is back. */
function sleepOrOnline(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
  });
}
