import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import {
  admitUpload as admitToAlbum,
  type ForAlbum,
} from "#server/features/posts/albums/admit-upload.ts";
import type { ReservedFor } from "#server/features/posts/images/images.queries.ts";
import * as queries from "#server/features/posts/uploads/resumable-uploads.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** What an upload is begun for; null: a post, or a profile. */
export type UploadFor = ForAlbum | { import: string } | null;

type Deps = { db: Database; narrow?: boolean; writes: Pick<WriteRates, "count"> };

/**
 * Counts an upload that begins, in the caller's transaction. Refuses with too-many-writes, for an album as
 * admitUpload there, for an import with not-found and import-ended. Returns what alone may use its image.
 */
export async function admitUpload(
  deps: Deps,
  viewer: Viewer,
  wanted: UploadFor,
): Promise<ReservedFor> {
  if (!wanted) await deps.writes.count(viewer, "uploads");
  else if ("album" in wanted) return { albumId: await admitToAlbum(deps, viewer, wanted) };
  else return { importId: await admitToImport(deps, viewer, wanted.import) };
  return {};
}

/** Devices send at the same time: posts are told apart by their keys, and only one import is open. */
async function admitToImport({ db, writes }: Deps, viewer: Viewer, id: string): Promise<string> {
  const open = isId(id) ? await queries.isImportOpen(db, { accountId: viewer.id, id }) : null;
  if (open === null) throw refuse("not-found");
  if (!open) throw refuse("import-ended");
  await writes.count(viewer, "importUploads");
  return id;
}
