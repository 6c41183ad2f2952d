import type { AlbumPhoto } from "#shared/views.ts";
import type { AlbumUpload } from "#app/features/albums/stored-photos.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { untilAnswered } from "#app/lib/forms/until-answered.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

type Options = {
  /** nothing follows in its batch */
  last: boolean;
  signal: AbortSignal;
  onWaiting?: ((waiting: Waiting | null) => void) | undefined;
};

const isBusy = ({ code }: { code?: string }) => code === "album-batch-running";

/**
 * Puts an uploaded photo into its album; tries again while the line is broken, or other photos of the same
 * member are being added. Ends silently when `signal` aborts. @throws CallError
 */
export async function addToAlbum(
  { id, albumId, batch }: Pick<AlbumUpload, "id" | "albumId" | "batch">,
  imageId: string,
  { last, ...options }: Options,
): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const photo = { imageId, timeZone, clientKey: id, batch, ...(last && { last }) };
  const add = () => sendJson<AlbumPhoto>("POST", `/api/albums/${albumId}/photos`, photo);
  await untilAnswered(add, { ...options, isBusy });
}
