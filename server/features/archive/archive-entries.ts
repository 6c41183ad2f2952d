import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { StoredPicture } from "#server/features/archive/archive.queries.ts";
import { pictureFile } from "#server/features/archive/format.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";

/** What the parts of an archive have in common: how texts look, are called, and pictures are added. */
export const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

export const numbered = (list: string, nth: number) =>
  `${list}/${String(nth).padStart(4, "0")}.json`;

type Into = { store: Pick<ImageStore, "openOriginal">; zip: ZipWriter };
type Original = Pick<StoredPicture, "key" | "mediaType" | "width" | "height">;

/** The original as it was sent. Null when it went away meanwhile: what it belongs to was deleted. */
export async function addPicture({ store, zip }: Into, name: string, picture: Original) {
  const { key, mediaType, width, height } = picture;
  const original = await store.openOriginal(key);
  if (!original) return null;
  const file = pictureFile(name, mediaType);
  const mtime = new Date();
  const written = await zip.add(file, original.read(), { compress: false, mtime });
  return { file, mediaType, width, height, ...written };
}
