import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import type { ArchivedImage } from "#server/features/archive/archive.queries.ts";
import { imagePath } from "#server/features/archive/format.ts";
import type { ZipWriter } from "#server/features/archive/zip-writer.ts";

/** What the parts of an archive share: how lists are read and written, and how images are added. */
export const json = (value: unknown) => `${JSON.stringify(value, null, 1)}\n`;

/** All rows of a list, a page at a time; `read` returns the rows after a given one, none at the end. */
export async function* pagesOf<Row>(
  read: (after: Row | null) => Promise<Row[]>,
): AsyncGenerator<Row[], undefined> {
  for (let page = await read(null); page.length > 0; page = await read(page.at(-1) ?? null)) {
    yield page;
  }
}

/** The next file of a list; its name is added to `names`. */
export async function addPage(
  zip: ZipWriter,
  { list, names, at }: { list: string; names: string[]; at: Date },
  items: object[],
): Promise<void> {
  const name = `${list}/${String(names.length + 1).padStart(4, "0")}.json`;
  await zip.addText(name, json({ [list]: items }), at);
  names.push(name);
}

type Into = { store: Pick<ImageStore, "openOriginal">; zip: ZipWriter };
type Original = Pick<ArchivedImage, "key" | "mediaType" | "width" | "height">;

/**
 * The original as it was uploaded. Null when it disappeared meanwhile because what it belongs to was
 * deleted.
 */
export async function addImage({ store, zip }: Into, name: string, image: Original) {
  const { key, mediaType, width, height } = image;
  const original = await store.openOriginal(key);
  if (!original) return null;
  const file = imagePath(name, mediaType);
  const written = await zip.add(file, original.read(), { compress: false, mtime: new Date() });
  return { file, mediaType, width, height, ...written };
}
