import { limits } from "#shared/limits.ts";
import { photosUnderWay } from "#app/features/albums/photos-under-way.ts";
import { storedPhotos, type AlbumUpload } from "#app/features/albums/stored-photos.ts";
import {
  append,
  cancelUpload,
  createUploads,
  newPhoto,
  resume,
  type Uploads,
} from "#app/features/posts/composer/photo-uploads.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { startUpload } from "#app/lib/forms/resumable-upload.ts";
import { createStore } from "#app/lib/store.ts";
import type { AlbumPhoto } from "#shared/views.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { untilAnswered } from "#app/lib/forms/until-answered.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

/** The album that photos are sent into, and by whom. */
export type Target = Pick<AlbumUpload, "accountId" | "albumId" | "title">;

/**
 * What this page sends is one batch: others of the same member wait. What an earlier page left goes on in that
 * page's, which holds the lease.
 */
let batch = randomKey();
/** Where each file goes. */
const details = new Map<Blob, AlbumUpload>();
/** Whether all of them would survive a reload. */
const kept = createStore(true);
/** Resolves when the photo before is in its album, or failed: they arrive in their order. */
let before: Promise<unknown> = Promise.resolve();

const uploads = createUploads(start);
const { photos } = uploads;

/** An upload that is done when its photo is in the album. */
function start(file: Blob, options: Parameters<Uploads["start"]>[1]): ReturnType<Uploads["start"]> {
  const into = details.get(file);
  const upload = startUpload(file, {
    ...options,
    ...(into && { metadata: { album: into.albumId, batch } }),
    onUrl: (url) => {
      options.onUrl?.(url);
      const photo = details.get(file);
      if (photo) void storedPhotos.setUrl(photo.id, url);
    },
  });
  const earlier = before;
  const cancelled = new AbortController();
  const done = upload.done.then(async (arrived) => {
    await earlier;
    const photo = details.get(file);
    if (!photo || cancelled.signal.aborted) return arrived;
    await addToAlbum({ ...photo, batch }, arrived.imageId, {
      last: isLast(photo.id),
      signal: cancelled.signal,
      onWaiting: options.onWaiting,
    });
    await storedPhotos.drop(photo.id);
    return arrived;
  });
  before = done.catch(() => undefined).finally(() => queueMicrotask(noteEnd));
  return {
    ...upload,
    done,
    cancel: () => {
      cancelled.abort();
      upload.cancel();
    },
  };
}

/** Whether every other photo is in its album, or failed. */
const isLast = (id: string): boolean =>
  photos.now().every((one) => one.id === id || one.state === "sent" || one.state === "failed");

/** Once nothing is left, no later page asks for it. */
function noteEnd(): void {
  if (photos.now().every(({ state }) => state === "sent")) {
    details.clear();
    photosUnderWay.set(photos.now().length > 0);
  }
}

let latest: Target | null = null;

function begin(those: readonly (readonly [AlbumUpload, Blob])[]): void {
  for (const [photo, file] of those) {
    details.set(file, photo);
    latest = photo;
  }
  photosUnderWay.set(true);
  append(
    uploads,
    those.map(([{ id, name, url }, file]) => ({ ...newPhoto, id, name, url, file })),
  );
}

/** The name of the lock that the tab holds which goes on with what an earlier page left. */
const lock = "postcard-albums";

/** Photos on their way into albums; they go on while their sender looks at something else. */
export const albumUploads = {
  subscribe: photos.subscribe,
  all: photos.now,
  kept,
  /** the album that photos were sent into last */
  target: () => latest,

  /** As many as may be sent at once, the first ones. @returns how many were left out */
  async add(target: Target, files: readonly File[]): Promise<number> {
    const now = Date.now();
    // Of an earlier batch only what failed is still of interest.
    photos.set(photos.now().filter(({ state }) => state !== "sent"));
    const chosen = files.slice(0, limits.albums.atOnce).map((file, index) => {
      const { name } = file;
      const position = now + index / 1000;
      return [{ ...target, id: randomKey(), batch, position, name, url: null }, file] as const;
    });
    begin(chosen);
    for (const [photo, file] of chosen) {
      // It may be there already.
      if (!details.has(file)) continue;
      if (!(await storedPhotos.keep(photo, file))) kept.set(false);
      if (photos.now().some(({ id, state }) => id === photo.id && state === "sent")) {
        await storedPhotos.drop(photo.id);
      }
    }
    return files.length - chosen.length;
  },

  /** Goes on with what an earlier page left, in one tab at a time. */
  async restore(accountId: string): Promise<void> {
    const goOn = async () => {
      const known = new Set(photos.now().map(({ id }) => id));
      const left = (await storedPhotos.all(accountId)).filter(({ id }) => !known.has(id));
      if (known.size === 0 && left[0]) ({ batch } = left[0]);
      if (left.length > 0) begin(left.map(({ file, ...photo }) => [photo, file]));
      else if (known.size === 0) photosUnderWay.set(false);
    };
    // Not there on plain http; each tab then sends the same, which adds nothing twice.
    if (!("locks" in navigator)) return goOn();
    void navigator.locks.request(lock, async () => {
      await goOn();
      // Held until the page is closed.
      await new Promise(() => undefined);
    });
  },

  retry(): void {
    for (const { id, state, hopeless } of photos.now()) {
      if (state === "failed" && !hopeless) resume(uploads, id);
    }
  },

  /** Forgets those that failed. */
  dismiss(): void {
    for (const { id, state } of photos.now()) {
      if (state !== "failed") continue;
      cancelUpload(uploads, id);
      void storedPhotos.drop(id);
    }
    photos.set(photos.now().filter(({ state }) => state !== "failed" && state !== "sent"));
    photosUnderWay.set(photos.now().length > 0);
  },
};

type AddOptions = {
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
async function addToAlbum(
  { id, albumId, batch }: Pick<AlbumUpload, "id" | "albumId" | "batch">,
  imageId: string,
  { last, ...options }: AddOptions,
): Promise<void> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const photo = { imageId, timeZone, clientKey: id, batch, ...(last && { last }) };
  const add = () => sendJson<AlbumPhoto>("POST", `/api/albums/${albumId}/photos`, photo);
  await untilAnswered(add, { ...options, isBusy });
}
