import { albumsDatabase, isBrowserDataCleared } from "#app/lib/browser-data.ts";
import { browserDatabase, finished } from "#app/lib/indexed-db.ts";

/** A photo on its way into an album, as its browser stores it. */
export type AlbumUpload = {
  /** also the idempotency key of its post */
  id: string;
  accountId: string;
  albumId: string;
  title: string;
  /** all that one page sends */
  batch: string;
  /** the order in which they were chosen */
  position: number;
  name: string;
  /** where its upload can be resumed */
  url: string | null;
};

// Files apart: a file is written once, its photo again with the address of its upload.
const inBoth = browserDatabase(albumsDatabase, { photos: { keyPath: "id" }, files: {} });

/** Photos on their way, in this browser's own database: an upload goes on after a reload. */
export const storedPhotos = {
  /** @returns whether the browser keeps it */
  keep: (photo: AlbumUpload, file: Blob): Promise<boolean> =>
    isBrowserDataCleared()
      ? Promise.resolve(false)
      : inBoth(async ({ photos, files }) => {
          photos.put(photo);
          files.put(file, photo.id);
          return true;
        }).catch(() => false),

  /** If it is kept. */
  setUrl: (id: string, url: string): Promise<void> =>
    inBoth(async ({ photos }) => {
      const photo = await finished<AlbumUpload | undefined>(photos.get(id));
      if (photo) photos.put({ ...photo, url });
    }).catch(() => undefined),

  drop: (id: string): Promise<void> =>
    inBoth(async ({ photos, files }) => {
      photos.delete(id);
      files.delete(id);
    }).catch(() => undefined),

  /** In the order in which they were chosen. */
  all: (accountId: string): Promise<(AlbumUpload & { file: Blob })[]> =>
    inBoth(async ({ photos, files }) => {
      const all = await finished<AlbumUpload[]>(photos.getAll());
      const found: (AlbumUpload & { file: Blob })[] = [];
      for (const photo of all.filter((one) => one.accountId === accountId)) {
        const file: unknown = await finished(files.get(photo.id));
        if (file instanceof Blob) found.push({ ...photo, file });
      }
      return found.toSorted((one, other) => one.position - other.position);
    }).catch(() => []),
};
