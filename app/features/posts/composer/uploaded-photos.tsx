import * as words from "#messages/composer.json";
import { uploadedImageUrl } from "#app/features/posts/composer/chosen-photo.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { TextField } from "#app/ui/text-field.tsx";

/** A photo that was uploaded with a refused form. */
export type UploadedPhoto = { imageId: string; alt: string };

/** Without scripts: the photos that were uploaded with a refused form are used for the next one. */
export function UploadedPhotos({ photos }: { photos: readonly UploadedPhoto[] }) {
  if (photos.length === 0) return null;
  const several = photos.length > 1;
  return (
    <div className="hidden gap-3 noscript:grid">
      <p className="text-sm">{several ? words.keptPhotos : words.keptPhoto}</p>
      <ul className="grid gap-4">
        {photos.map(({ imageId, alt }, at) => (
          <li key={imageId} className="flex gap-3">
            <img
              src={uploadedImageUrl(imageId)}
              alt=""
              className="size-16 shrink-0 rounded-field bg-base-300 object-cover"
            />
            <input type="hidden" name={`photo-${at}`} value={imageId} />
            <div className="min-w-0 grow">
              <TextField
                name={`alt-${at}`}
                label={several ? fill(words.describePhotoAt, { at: at + 1 }) : words.describePhoto}
                optional
                defaultValue={alt}
              />
              <label className="flex min-h-11 items-center gap-2 text-sm">
                <input type="checkbox" name={`without-${at}`} /> {words.leavePhotoOut}
              </label>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
