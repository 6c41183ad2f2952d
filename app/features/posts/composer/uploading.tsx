import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import { Button } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = {
  photos: readonly ChosenPhoto[];
  onTryAgain: (id: string) => void;
  onKeepEditing: () => void;
};

/** Covers the composer while a post is saved; its content stays below. */
export function Uploading({ photos, onTryAgain, onKeepEditing }: Props) {
  const bytes = photos.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
  const sent = photos.reduce((sum, { file, fraction }) => sum + fraction * (file?.size ?? 0), 0);
  const there = photos.filter(({ state }) => state === "sent").length;
  const waiting = photos.find(({ waits }) => waits);
  const long = photos.filter(({ waits }) => waits?.long);
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
                waiting
                  ? waitText(waiting)
                  : photos.length > 1
                    ? `${there} of ${photos.length} photos are there`
                    : undefined
              }
            />
            <div role="status" className="mt-3 empty:hidden">
              {long.length > 0 ? (
                <p>
                  This takes longer than it should. Your words and photos are safe: try again, or go
                  back and post later.
                </p>
              ) : null}
            </div>
            <p className="mt-3 flex flex-wrap justify-center">
              {long.length > 0 ? (
                <Button look="quiet" onClick={() => long.forEach(({ id }) => onTryAgain(id))}>
                  Try again
                </Button>
              ) : null}
              <Button look="quiet" onClick={onKeepEditing}>
                Keep editing
              </Button>
            </p>
          </div>
        ) : null}
      </div>
    </div>
  );
}
