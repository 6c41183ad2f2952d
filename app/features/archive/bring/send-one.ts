import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { find, sendNext, type Uploads } from "#app/features/posts/composer/photo-uploads.ts";

/**
 * Sends one photo behind those before it. Resolves with its image; rejects with the error that it failed with, or
 * as aborted when it was cancelled and removed.
 */
export function sendOne(uploads: Uploads, photo: ChosenPhoto): Promise<string> {
  const { photos, errors } = uploads;
  photos.set([...photos.now(), photo]);
  sendNext(uploads);
  return new Promise((resolve, reject) => {
    const look = () => {
      const now = find(uploads, photo.id);
      if (now?.state === "sent") resolve(now.imageId ?? "");
      else if (now?.state === "failed") reject(errors.get(now.id));
      else if (!now) reject(new DOMException("Cancelled", "AbortError"));
      else return;
      stop();
    };
    const stop = photos.subscribe(look);
    look();
  });
}
