import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import { uploadedImageUrl, type ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import {
  allSent,
  append,
  cancelUpload,
  createUploads,
  find,
  freshUpload,
  newPhoto,
  pause,
  resume,
  sendNext,
  update,
  type Uploads,
} from "#app/features/posts/composer/photo-uploads.ts";
import { callError, isSignedOut } from "#app/lib/api-client.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { startUpload } from "#app/lib/forms/resumable-upload.ts";

/** A photo from an earlier page, or of the post. */
type Restored = Pick<ChosenPhoto, "id" | "alt"> &
  Partial<Pick<ChosenPhoto, "file" | "name" | "url" | "imageId" | "key" | "preview">>;

type Deps = Pick<Uploads, "start"> & {
  previewOf: (file: Blob) => string;
  dropPreview: (preview: string) => void;
};

const inBrowser: Deps = {
  start: startUpload,
  previewOf: (file) => URL.createObjectURL(file),
  dropPreview: (preview) => URL.revokeObjectURL(preview),
};

/**
 * The photos of the post that is being written or edited, in their order; those that are `there` may be on
 * the server already. Each upload starts when the photo is chosen, so that it is often done before the
 * caption is written; an error in one stops no other.
 */
export function createChosenPhotos(
  there: readonly Restored[],
  { start, previewOf, dropPreview } = inBrowser,
) {
  const uploads = createUploads(start);
  const { photos } = uploads;

  /** The photos of an earlier page: uploads resume where they stopped. */
  function restore(stored: readonly Restored[]): void {
    const restored = stored.map((one): ChosenPhoto => {
      const photo = { ...newPhoto, ...one };
      const { file, imageId, key } = photo;
      const preview = photo.preview ?? (file ? previewOf(file) : uploadedImageUrl(imageId ?? ""));
      const sent = imageId !== null || key ? ({ state: "sent", fraction: 1 } as const) : {};
      return { ...photo, ...sent, preview };
    });
    append(uploads, restored);
  }

  /** Aborts the uploads and forgets them: `restore` can resume what has arrived. */
  function release(): void {
    for (const handle of uploads.handles.values()) handle.pause();
    uploads.handles.clear();
    uploads.errors.clear();
    for (const { preview } of photos.now()) if (preview) dropPreview(preview);
    photos.set([]);
  }

  restore(there);

  return {
    subscribe: photos.subscribe,
    all: photos.now,
    restore,

    /** As many as fit, the first ones. @returns those that were added */
    add(files: readonly File[]): ChosenPhoto[] {
      const room = Math.max(0, limits.photosPerPost - photos.now().length);
      const taken = files.slice(0, room).map((file) => ({
        ...newPhoto,
        id: randomKey(),
        file,
        name: file.name,
        preview: previewOf(file),
      }));
      append(uploads, taken);
      return taken;
    },

    move(id: string, to: number): void {
      const photo = find(uploads, id);
      const others = photos.now().filter((one) => one !== photo);
      if (photo) photos.set(others.toSpliced(to, 0, photo));
    },

    describe: (id: string, alt: string) => update(uploads, id, { alt }),

    remove(id: string): void {
      cancelUpload(uploads, id);
      const photo = find(uploads, id);
      if (photo?.preview) dropPreview(photo.preview);
      photos.set(photos.now().filter((one) => one !== photo));
      sendNext(uploads);
    },

    pause: (id: string) => pause(uploads, id),
    resume: (id: string) => resume(uploads, id),

    /** Unused images are swept after a while; their files are still here. */
    sendAgain(): void {
      photos.set(photos.now().map(sentAgain));
      sendNext(uploads);
    },

    /** Forgets them all, and deletes what has arrived of them. */
    clear(): void {
      for (const { id } of photos.now()) cancelUpload(uploads, id);
      release();
    },

    release,
    sent: (signal: AbortSignal) => photosSent(uploads, signal),
  };
}

const sentAgain = (photo: ChosenPhoto): ChosenPhoto =>
  photo.state === "sent" && !photo.key
    ? { ...photo, ...freshUpload, url: null, imageId: null }
    : photo;

/**
 * Resolves when all are uploaded. Their errors are shown beside them; the error that this rejects with says
 * what to do.
 */
async function photosSent(uploads: Uploads, signal: AbortSignal): Promise<void> {
  try {
    await allSent(uploads, signal);
  } catch (error) {
    if (isSignedOut(error)) throw error;
    const several = uploads.photos.now().length > 1;
    throw callError("photo-missing", several ? words.photosMissing : words.photoMissing, 0);
  }
}

export type ChosenPhotos = ReturnType<typeof createChosenPhotos>;
