import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import type { ChosenPicture } from "#app/features/posts/composer/use-picture-upload.ts";
import { Stamp } from "#app/ui/stamp.tsx";

/** Lies over the composer while a post is saved; what was typed stays below it. */
export function Uploading({ picture }: { picture: ChosenPicture | null }) {
  return (
    <div className="absolute inset-0 z-10 grid place-items-center bg-base-100/90 p-6 motion-fade md:rounded-box">
      <div className="w-full max-w-xs text-center">
        <Stamp marked className="mx-auto w-20" />
        <output className="mt-4 block text-lg font-medium">Uploading</output>
        {picture && !picture.imageId && (
          <div className="mt-3">
            <UploadProgress fraction={picture.fraction} bytes={picture.file.size} />
          </div>
        )}
      </div>
    </div>
  );
}
