import { useState } from "react";
import type { ChosenPicture } from "#app/features/posts/composer/use-picture-upload.ts";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { useFileInput } from "#app/lib/forms/use-file-input.ts";
import { Button } from "#app/ui/button.tsx";
import { ImageBrokenIcon, ImageIcon } from "#app/ui/icons.ts";

type Props = {
  chosen: ChosenPicture | null;
  /** id of a picture that arrived with a submit without scripts, else "" */
  kept: string;
  onChoose: (file: File) => void;
  onAgain: () => void;
  onRemove: () => void;
};

/** The picture side of the postcard: click it, or drop a photo on it. */
export function PictureField({ chosen, kept, onChoose, onAgain, onRemove }: Props) {
  const input = useFileInput(onChoose);
  const over = useDroppedFiles(([file]) => file && onChoose(file));

  const edge = chosen ? "border-transparent" : "border-dashed border-line hover:border-primary";
  return (
    <div className="flex flex-col bg-base-200">
      {kept && !chosen && (
        <p className="px-4 pt-4 text-sm">
          <input type="hidden" name="imageId" value={kept} />
          Your photo is still here. Choose another one to replace it.
        </p>
      )}
      <label
        className={`relative m-4 grid min-h-72 grow cursor-pointer place-items-center overflow-hidden rounded-field border-2 outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-primary ${
          over ? "border-primary" : edge
        }`}
      >
        <input
          {...input}
          name="image"
          className="sr-only file:me-3 file:btn file:btn-outline file:border-line noscript:not-sr-only noscript:absolute noscript:inset-x-4 noscript:bottom-4 noscript:z-10"
          aria-describedby="picture-problem"
        />
        {chosen ? <Preview key={chosen.preview} chosen={chosen} /> : <Invitation />}
      </label>
      <div
        id="picture-problem"
        aria-live="polite"
        className="flex flex-wrap items-center gap-2 px-4 pb-4 empty:hidden"
      >
        {chosen?.problem && (
          <p className="w-full text-sm font-medium text-danger">
            {chosen.problem} Your text is still here.
          </p>
        )}
        {chosen?.problem && !chosen.hopeless && <Button onClick={onAgain}>Try again</Button>}
        {chosen?.hopeless && (
          <Button onClick={() => input.ref.current?.click()}>Choose another photo</Button>
        )}
        {chosen && (
          <Button look="quiet" onClick={onRemove}>
            Remove the photo
          </Button>
        )}
      </div>
    </div>
  );
}

function Invitation() {
  return (
    <span className="flex flex-col items-center gap-2 p-6 text-center">
      <ImageIcon className="size-10 text-muted" aria-hidden />
      <span className="font-medium">Click to upload</span>
      <span className="text-sm text-muted">
        or drop a photo here. JPEG, PNG, WebP, AVIF, HEIC or GIF, up to 25 MB.
      </span>
    </span>
  );
}

function Preview({ chosen }: { chosen: ChosenPicture }) {
  const [readable, setReadable] = useState(true);
  return (
    <>
      {readable ? (
        <img
          src={chosen.preview}
          alt="Your choice"
          onError={() => setReadable(false)}
          className="absolute inset-0 size-full object-contain"
        />
      ) : (
        <span className="flex flex-col items-center gap-2 p-6 text-center text-muted">
          {/* Most browsers cannot show a HEIC: only the server says whether a picture is broken. */}
          {chosen.problem ? (
            <ImageBrokenIcon className="size-10" aria-hidden />
          ) : (
            <ImageIcon className="size-10" aria-hidden />
          )}
          <bdi className="wrap-anywhere">{chosen.file.name}</bdi>
        </span>
      )}
      {!chosen.problem && !chosen.imageId && (
        <span className="absolute inset-x-0 bottom-0 bg-base-100/90 p-3">
          <UploadProgress fraction={chosen.fraction} bytes={chosen.file.size} />
        </span>
      )}
    </>
  );
}
