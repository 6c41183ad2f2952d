import type { Database } from "#server/db/database.ts";
import { ownImage } from "#server/features/documents/pictures.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/**
 * The upload behind an address that this server gave to this caller. Any other is refused with
 * picture-unknown: nothing is fetched, and no stranger's server learns who looks.
 */
export function createPictureAddresses({ db, publicUrl }: { db: Database; publicUrl: string }) {
  return async (viewer: Viewer, address: string): Promise<string> => {
    const path = address.startsWith(`${publicUrl}/`) ? address.slice(publicUrl.length) : address;
    const [, key] = /^\/images\/([0-9a-f]{32})\/\d{1,5}\.webp$/.exec(path) ?? [];
    const imageId = key && (await ownImage(db, viewer.id, key));
    if (!imageId) throw refuse("picture-unknown");
    return imageId;
  };
}
