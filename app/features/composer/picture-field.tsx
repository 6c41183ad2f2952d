import { useEffect, useEffectEvent, useRef, useState, type ChangeEvent } from "react";
import type { ChosenPicture } from "#app/features/composer/use-picture-upload.ts";
import { UploadProgress } from "#app/features/composer/upload-progress.tsx";
import { useDroppedFile } from "#app/features/composer/use-dropped-file.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Button } from "#app/ui/button.tsx";
import { ImageIcon } from "#app/ui/icons.ts";

/** HEIC is not among them, so phones turn their photos into JPEG when these are asked for. */
const accepted = "image/jpeg,image/png,image/webp,image/avif,image/gif";

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
  const hydrated = useHydrated();
  const over = useDroppedFile(onChoose);
  const input = useRef<HTMLInputElement>(null);

  // A photo may have been chosen before the scripts were there to notice it.
  const takeEarly = useEffectEvent(() => {
    const file = input.current?.files?.[0];
    if (file && !chosen) onChoose(file);
  });
  useEffect(() => takeEarly(), []);

  function take(event: ChangeEvent<HTMLInputElement>) {
    const file = event.currentTarget.files?.[0];
    // Chosen once more after it was removed, the same file must be noticed again.
    if (hydrated) event.currentTarget.value = "";
    if (file) onChoose(file);
  }

  const edge = chosen ? "border-transparent" : "border-dashed border-line hover:border-primary";
  return (
    <div className="flex flex-col bg-base-200">
      {kept && !chosen && (
        <p className="px-4 pt-4 text-sm">
          <input type="hidden" name="imageId" value={kept} />
          Your photo is kept. Choose another one to replace it.
        </p>
      )}
      <label
        className={`relative m-3 grid min-h-72 grow cursor-pointer place-items-center overflow-hidden rounded-field border-2 outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-primary ${
          over ? "border-primary" : edge
        }`}
      >
        <input
          ref={input}
          type="file"
          name="image"
          accept={accepted}
          onChange={take}
          className={hydrated ? "sr-only" : "absolute inset-x-4 bottom-4 z-10"}
          aria-describedby="picture-problem"
        />
        {chosen ? <Preview key={chosen.preview} chosen={chosen} /> : <Invitation />}
      </label>
      <div
        id="picture-problem"
        aria-live="polite"
        className="flex flex-wrap items-center gap-2 px-3 pb-3 empty:hidden"
      >
        {chosen?.problem && (
          <p className="w-full text-sm font-medium text-danger">
            {chosen.problem} Your words are kept.
          </p>
        )}
        {chosen?.problem && <Button onClick={onAgain}>Try again</Button>}
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
        or drop a photo here. JPEG, PNG, WebP, AVIF or GIF, up to 25 MB.
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
        <span dir="auto" className="p-6 text-center text-muted wrap-anywhere">
          {chosen.file.name}
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
