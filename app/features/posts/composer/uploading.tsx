import { useLayoutEffect, useRef, type ReactNode } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import { uploadShare } from "#app/features/posts/composer/upload-share.ts";
import { useReadable } from "#app/features/posts/composer/use-readable.ts";
import { Button } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = {
  photos: readonly ChosenPhoto[];
  /** what is on the card where there is no photo */
  caption?: string;
  onTryAgain: (id: string) => void;
  onKeepEditing: () => void;
  /** absent where the post would be lost with its page */
  onGoOn?: (() => void) | undefined;
};

/** A card over the composer while a post is saved: its content stays below, out of reach until then. */
export function Uploading({ photos, caption, onTryAgain, onKeepEditing, onGoOn }: Props) {
  const { there, photo, percent, text, waiting, long } = uploadShare(photos);
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Gives the focus back.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={words.uploading}
      // Escape: what is being saved cannot be taken back.
      onCancel={(event) => {
        event.preventDefault();
        if (!there) onKeepEditing();
      }}
      className="composer-uploading m-auto"
    >
      <div className="card relative w-full overflow-hidden">
        <div className="composer-sent relative bg-paper">
          {photo ? <OnCard key={photo.id} photo={photo} /> : <Words>{caption}</Words>}
          <Stamp marked className="absolute end-3 top-3 w-12 rotate-3" />
        </div>
        <div className="p-4 text-center">
          <output className="block text-lg font-medium">{words.uploading}</output>
          {there ? (
            <p className="mt-1 text-sm text-muted">{words.savingPost}</p>
          ) : (
            <>
              <p className="mt-1 text-sm text-muted">{waiting ? waitText(waiting) : text}</p>
              <progress
                className="progress mt-3 block w-full"
                value={percent}
                max={100}
                aria-label={words.photoUpload}
              />
            </>
          )}
          <div role="status" className="mt-3 text-sm empty:hidden">
            {long.length > 0 && !there ? <p>{words.takesLongSafe}</p> : null}
          </div>
          {there ? null : (
            <div className="mt-3 grid gap-1">
              {onGoOn ? <Button onClick={onGoOn}>{words.inBackground}</Button> : null}
              <p className="flex flex-wrap justify-center">
                {long.length > 0 ? (
                  <Button look="quiet" onClick={() => long.forEach(({ id }) => onTryAgain(id))}>
                    {common.tryAgain}
                  </Button>
                ) : null}
                <Button look="quiet" onClick={onKeepEditing}>
                  {words.keepEditing}
                </Button>
              </p>
              {onGoOn ? (
                <p className="text-xs text-balance text-muted">{words.waitsAsDraft}</p>
              ) : null}
            </div>
          )}
        </div>
      </div>
    </dialog>
  );
}

function OnCard({ photo }: { photo: ChosenPhoto }) {
  const { src, onError } = useReadable(photo);
  return src ? (
    <img src={src} alt="" onError={onError} className="size-full object-contain p-3" />
  ) : (
    <Words>{photo.name}</Words>
  );
}

const Words = ({ children }: { children: ReactNode }) => (
  <p dir="auto" className="overflow-hidden p-5 font-wordmark wrap-anywhere">
    {children}
  </p>
);
