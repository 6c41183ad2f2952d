import pLimit from "p-limit";
import { join, readBytes, withLocal } from "#server/platform/backup/files.ts";
import { whyDamaged, type Check } from "#server/platform/backup/damaged.ts";
import type { Backup, Manifest } from "#server/platform/backup/manifest.ts";
import {
  allOrNothing,
  bytesOfImage,
  imagesListedIn,
  originalName,
  pathOfImage,
  storeOf,
  variantOf,
  type ImageTables,
  type ListedImage,
  type ImageFile,
  type Stores,
} from "#server/platform/backup/images.ts";
import { imageListName } from "#server/platform/backup/names.ts";

const verifiedAtOnce = 4;
const restoredAtOnce = 4;

export type ImageFault = { path: string; name: string; why: string };

/** A backup of either kind. */
type Imaged = Pick<Backup, "directory" | "folder"> & { manifest: Pick<Manifest, "pictures"> };

/** Reads every file of every image in a backup, and yields a sentence for each that differs from the list. */
export async function* imageFaults(
  { directory, folder, manifest }: Imaged,
  tables: ImageTables,
  check: Check,
): AsyncGenerator<ImageFault> {
  const found = { count: 0, files: 0, bytes: 0 };
  const onImage = (image: ListedImage) => {
    found.count += 1;
    found.files += image.files.length;
    found.bytes += bytesOfImage(image);
  };
  yield* faultsOf(directory, imagesListedIn(folder, tables), { ...check, onImage });
  const { count, files, bytes } = manifest.pictures;
  if (found.count === count && found.files === files && found.bytes === bytes) return;
  const why = "does not list what the manifest counts";
  yield { path: join(folder, imageListName), name: imageListName, why };
}

/** The same for images of any list; `isIn`: of which images, by their keys. */
export async function* faultsOf(
  directory: string,
  listed: AsyncIterable<ListedImage>,
  {
    onImage,
    onFile,
    signal,
    isIn = () => true,
  }: Check & { onImage?: (image: ListedImage) => void },
): AsyncGenerator<ImageFault> {
  const limit = pLimit(verifiedAtOnce);
  for await (const image of listed) {
    signal?.throwIfAborted();
    const files = isIn(image.key) ? image.files : [];
    const faults = await Promise.all(
      files.map(([name, bytes, sha256]) =>
        limit(async () => {
          const path = join("pictures", pathOfImage(image, name));
          const why = await whyDamaged(directory, { name: path, bytes, sha256 }, signal);
          onFile?.(bytes);
          return why === null ? null : { path: join(directory, path), name: path, why };
        }),
      ),
    );
    onImage?.(image);
    yield* faults.filter((fault) => fault !== null);
  }
}

/** Throws one sentence for the first fault. */
export async function refuseFaults(folder: string, faults: AsyncIterable<ImageFault>) {
  for await (const { name, why } of faults) {
    throw new Error(`The backup ${folder} is damaged: ${name} ${why}.`);
  }
}

type Restoring = {
  onImage?: (done: number) => void;
  signal?: AbortSignal | undefined;
  most?: number;
};

/**
 * Puts images into stores, except those that are there already. Returns the keys of images without an
 * original, which no store takes.
 */
export async function putImages(
  directory: string,
  listed: AsyncIterable<ListedImage>,
  stores: Stores,
  { onImage, signal, most = Infinity }: Restoring,
): Promise<string[]> {
  const skipped: string[] = [];
  const limit = pLimit(restoredAtOnce);
  let done = 0;
  const page: Promise<void>[] = [];
  const restoreOne = async (image: ListedImage) => {
    if (!(await putImage(join(directory, "pictures"), stores, image))) skipped.push(image.key);
    done += 1;
    onImage?.(done);
  };
  const settle = () => allOrNothing(page.splice(0));
  let taken = 0;
  for await (const image of listed) {
    if (taken++ >= most) break;
    signal?.throwIfAborted();
    page.push(limit(restoreOne, image));
    if (page.length >= 100) await settle();
  }
  await settle();
  return skipped;
}

/** False if there is no original to put. */
async function putImage(pool: string, stores: Stores, image: ListedImage): Promise<boolean> {
  const { key, files } = image;
  const store = storeOf(stores, image);
  const pathOf = (name: string) => join(pool, pathOfImage(image, name));
  const original = files.find(([name]) => name === originalName);
  if (!original) return false;
  const variants = files
    .filter(([name]) => name !== originalName)
    .map((file) => ({ file, ...variantOf(file[0]) }));
  const isThere = async ([name, bytes]: ImageFile) => {
    const { width, type } = variantOf(name);
    const found = await (name === originalName
      ? store.openOriginal(key)
      : store.open(key, width, type).catch(() => null));
    await found?.close();
    return found?.bytes === bytes;
  };
  const first = variants.filter(({ type }) => type === "webp");
  const there = await Promise.all([original, ...first.map(({ file }) => file)].map(isThere));
  if (there.includes(false)) {
    if (there.includes(true)) await store.remove([key]);
    const webp = await Promise.all(
      first.map(async ({ width, file }) => ({ width, bytes: await readBytes(pathOf(file[0])) })),
    );
    await withLocal(pathOf(originalName), (local) =>
      store.put(key, { variants: webp, original: local }),
    );
  }
  for (const { width, type, file } of variants) {
    if (type === "webp" || (await isThere(file))) continue;
    await store.add(key, { width, type, bytes: await readBytes(pathOf(file[0])) });
  }
  return true;
}
