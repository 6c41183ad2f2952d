import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photos.ts";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import { Button } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = { photos: readonly ChosenPhoto[]; onKeepEditing: () => void };

/** Lies over the composer while a post is saved; what was written and chosen stays below it. */
export function Uploading({ photos, onKeepEditing }: Props) {
  const bytes = photos.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
  const sent = photos.reduce((sum, { file, fraction }) => sum + fraction * (file?.size ?? 0), 0);
  const there = photos.filter(({ state }) => state === "sent").length;
  const waits = photos.some(({ state }) => state === "waiting");
  return (
    <div className="fixed inset-0 z-40 grid place-items-center bg-base-100/90 p-6 motion-fade md:absolute md:z-10 md:rounded-box">
      <div className="w-full max-w-xs text-center">
        <Stamp marked className="mx-auto w-20" />
        <output className="mt-4 block text-lg font-medium">Uploading</output>
        {there < photos.length ? (
          <div className="mt-3">
            <UploadProgress
              fraction={bytes > 0 ? sent / bytes : 0}
              bytes={bytes}
              state={
                waits
                  ? "Waiting for the connection"
                  : photos.length > 1
                    ? `${there} of ${photos.length} photos are there`
                    : undefined
              }
            />
            <Button look="quiet" className="mt-3" onClick={onKeepEditing}>
              Keep editing
            </Button>
          </div>
        ) : null}
      </div>
    </div>
  );
}
