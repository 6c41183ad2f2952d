import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import { endLease, takeLease } from "#server/features/posts/albums/album-batches.queries.ts";
import { hasRoom } from "#server/features/posts/albums/album-items.queries.ts";
import { albumToAdd } from "#server/features/posts/albums/open-album.ts";
import { refuseNarrow } from "#server/features/posts/narrow-posts.ts";
import { albumUploadInput } from "#shared/albums.inputs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** The album that an upload is begun for, and what is sent in the same go. */
export type ForAlbum = z.input<typeof albumUploadInput>;

type Deps = { db: Database; narrow?: boolean; writes?: Pick<WriteRates, "count"> };

/**
 * Counts an upload that begins for an album, in the caller's transaction. Refuses with not-found, not-contributor,
 * audience-not-offered, album-full, album-batch-running and too-many-writes. Returns the album's id.
 */
export async function admitUpload(deps: Deps, viewer: Viewer, forAlbum: ForAlbum): Promise<string> {
  const { db, writes } = deps;
  const { album: id, batch } = parseInput(albumUploadInput, forAlbum);
  const album = await albumToAdd(db, viewer, id);
  await refuseNarrow(deps, viewer.id, "only-me");
  if (!(await hasRoom(db, album))) throw refuse("album-full");
  await holdLease(db, viewer, batch);
  await writes?.count(viewer, "albumUploads");
  return album.albumId;
}

/**
 * One batch at a time: refuses with album-batch-running while another of the viewer's runs. Without one, the call is
 * a batch by itself.
 */
export async function holdLease(
  db: Database,
  viewer: Viewer,
  batch: string | undefined,
  last = false,
): Promise<void> {
  const { batchSeconds, batchRetrySeconds } = limits.albums;
  const lease = { accountId: viewer.id, batch: batch ?? newId(), seconds: batchSeconds };
  if (!(await takeLease(db, lease))) {
    throw refuse("album-batch-running", { retryAfter: batchRetrySeconds });
  }
  if (last || batch === undefined) await endLease(db, viewer.id);
}
