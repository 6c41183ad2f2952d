import { useEffect, useState, useSyncExternalStore } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import { limits } from "#shared/limits.ts";
import { FailedPhotos } from "#app/features/albums/album-chip.tsx";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { albumUploads, type Target } from "#app/features/albums/album-uploads.ts";
import { UploadProgress, useAlbumUploads } from "#app/features/albums/upload-progress.tsx";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { isImageFile, useFileInput } from "#app/lib/forms/use-file-input.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { ImagesIcon } from "#app/ui/icons.ts";

const { atOnce } = limits.albums;

/** Chooses photos and sends them; without scripts a plain form for ten. */
export function AddPhotos({ target }: { target: Target }) {
  const [leftOut, setLeftOut] = useState(0);
  const { all, sent, sending, failed } = useAlbumUploads();
  const kept = useSyncExternalStore(albumUploads.kept.subscribe, albumUploads.kept.now, () => true);
  useEffect(() => void albumUploads.restore(target.accountId), [target.accountId]);

  function choose(files: readonly File[]): void {
    void albumUploads.add(target, files.filter(isImageFile)).then(setLeftOut);
  }
  const input = useFileInput(choose);
  const over = useDroppedFiles(choose);
  return (
    <div className="grid gap-6 px-4 pb-8 md:px-0">
      <label
        className={`grid cursor-pointer place-items-center gap-3 rounded-box border-2 border-dashed px-6 py-14 text-center has-focus-visible:outline-2 ${
          over ? "border-primary" : "border-line"
        }`}
      >
        <ImagesIcon className="size-12 text-muted" aria-hidden />
        <span className="font-wordmark text-2xl">{words.chooseYourPhotos}</span>
        <span className="text-muted noscript:hidden">
          <span className="pointer-coarse:hidden">{fill(words.manyAtOnce, { count: atOnce })}</span>
          <span className="hidden pointer-coarse:inline">
            {fill(words.manyAtATime, { count: atOnce })}
          </span>
        </span>
        <input
          {...input}
          name="image"
          multiple
          className="sr-only file-button noscript:not-sr-only"
        />
      </label>
      <p className="hidden text-muted noscript:block">
        {fill(words.manyAtATime, { count: limits.photosPerPost })}
      </p>
      <Submit className="hidden justify-self-start noscript:flex">{common.add}</Submit>
      {leftOut > 0 && <p role="alert">{counted(words.leftOut, leftOut, { most: atOnce })}</p>}
      {sending && (
        <>
          <UploadProgress />
          <p className="text-sm text-pretty text-muted">
            {kept ? words.keptMeanwhile : words.notKeptMeanwhile}
          </p>
        </>
      )}
      {!sending && sent > 0 && (
        <p role="status" className="flex flex-wrap items-center gap-3">
          {counted(words.photosAdded, sent)}
          <ButtonLink to={albumPath(target.albumId)} look="accent">
            {words.viewTheAlbum}
          </ButtonLink>
        </p>
      )}
      {all.length > 0 && failed.length > 0 && <FailedPhotos />}
    </div>
  );
}
