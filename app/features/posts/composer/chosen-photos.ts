import { limits } from "#shared/limits.ts";
import {
  uploadedImageUrl,
  type ChosenPhoto,
  type StoredPhoto,
} from "#app/features/posts/composer/chosen-photo.ts";
import {
  allSent,
  freshUpload,
  find,
  cancelUpload,
  pause,
  resume,
  sendNext,
  update,
  type Uploads,
} from "#app/features/posts/composer/photo-uploads.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { createStore } from "#app/lib/store.ts";

/** Photos from an earlier page, or those of the post. */
type Restored = StoredPhoto &
  Pick<ChosenPhoto, "file"> &
  Partial<Pick<ChosenPhoto, "key" | "preview">>;

type Deps = Pick<Uploads, "start"> & {
  previewOf: (file: Blob) => string;
  dropPreview: (preview: string) => void;
};

/**
 * The photos of the post that is being written, in their order. Each upload starts when the photo is
 * chosen, so that it is often done before the caption is written; an error in one stops no other.
 */
export function createChosenPhotos({ start, previewOf, dropPreview }: Deps) {
  const photos = createStore<readonly ChosenPhoto[]>([]);
  const uploads: Uploads = { photos, start, handles: new Map(), errors: new Map() };

  function append(more: readonly ChosenPhoto[]): void {
    photos.set([...photos.now(), ...more]);
    sendNext(uploads);
  }

  /** Aborts the uploads and forgets them: `restore` can resume what has arrived. */
  function release(): void {
    for (const handle of uploads.handles.values()) handle.pause();
    uploads.handles.clear();
    uploads.errors.clear();
    for (const { preview } of photos.now()) if (preview) dropPreview(preview);
    photos.set([]);
  }

  return {
    subscribe: photos.subscribe,
    all: photos.now,

    /** As many as fit, the first ones. @returns those that were added */
    add(files: readonly File[]): ChosenPhoto[] {
      const room = Math.max(0, limits.photosPerPost - photos.now().length);
      const taken = files.slice(0, room).map((file) => ({
        ...freshUpload,
        ...unsent,
        id: randomKey(),
        file,
        name: file.name,
        preview: previewOf(file),
        alt: "",
      }));
      append(taken);
      return taken;
    },

    /** The photos of an earlier page: uploads resume where they stopped. */
    restore: (stored: readonly Restored[]) =>
      append(
        stored.map(({ preview, ...photo }) => ({
          ...freshUpload,
          ...photo,
          preview:
            preview ?? (photo.file ? previewOf(photo.file) : uploadedImageUrl(photo.imageId ?? "")),
          ...(photo.imageId === null && !photo.key ? {} : { state: "sent" as const, fraction: 1 }),
        })),
      ),

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
    sent: (signal: AbortSignal) => allSent(uploads, signal),
  };
}

const sentAgain = (photo: ChosenPhoto): ChosenPhoto =>
  photo.state === "sent" && !photo.key ? { ...photo, ...freshUpload, ...unsent } : photo;

const unsent = { url: null, imageId: null };

export type ChosenPhotos = ReturnType<typeof createChosenPhotos>;
