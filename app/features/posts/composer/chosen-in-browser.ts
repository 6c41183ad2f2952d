import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { createChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { startUpload } from "#app/lib/forms/resumable-upload.ts";

type There = Pick<ChosenPhoto, "id" | "alt"> &
  Partial<Pick<ChosenPhoto, "imageId" | "key" | "preview">>;

export const withoutFile = (one: There) => ({
  name: "",
  url: null,
  imageId: null,
  file: null,
  ...one,
});

/** The photos of a post in this browser; some are already on the server. */
export function photosFrom(there: readonly There[]) {
  const photos = createChosenPhotos({
    start: startUpload,
    previewOf: (file) => URL.createObjectURL(file),
    dropPreview: (preview) => URL.revokeObjectURL(preview),
  });
  photos.restore(there.map(withoutFile));
  return photos;
}
