import { useState } from "react";
import { uploadedImageUrl, type ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { ImageBrokenIcon, ImageIcon, PauseIcon, PlayIcon } from "#app/ui/icons.ts";

type Props = { photo: ChosenPhoto; onPause: () => void; onResume: () => void };

/** The photo that is being described, uncropped, on a blurred copy of itself. */
export function PhotoPreview({ photo, onPause, onResume }: Props) {
  const { problem, imageId, name, alt } = photo;
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  // Most browsers cannot show a HEIC: it is visible once the server has converted it.
  const src = [photo.preview, imageId && uploadedImageUrl(imageId)].find(
    (address) => address && !unreadable.includes(address),
  );
  const Missing = problem ? ImageBrokenIcon : ImageIcon;
  return (
    <div className="relative grid aspect-square max-h-[56dvh] w-full place-items-center overflow-hidden bg-base-300 md:aspect-auto md:max-h-none md:min-h-96 md:grow lg:min-h-[min(60dvh,34rem)]">
      {src ? (
        <>
          <img
            src={src}
            alt=""
            className="absolute inset-0 size-full scale-125 object-cover opacity-70 blur-2xl"
          />
          <img
            src={src}
            alt={alt || "Your choice"}
            onError={() => setUnreadable([...unreadable, src])}
            className="absolute inset-0 size-full object-contain"
          />
        </>
      ) : (
        <span className="flex flex-col items-center gap-2 p-6 text-center text-muted">
          <Missing className="size-10" aria-hidden />
          <bdi className="wrap-anywhere">{name}</bdi>
        </span>
      )}
      <UploadState photo={photo} onPause={onPause} onResume={onResume} />
    </div>
  );
}

function UploadState({ photo, onPause, onResume }: Props) {
  const { state, fraction, file } = photo;
  if (state === "sent" || state === "failed") return null;
  if (state === "queued" || (state === "sending" && fraction === 1)) {
    return (
      <span className="absolute start-3 bottom-3 rounded-full bg-base-100/95 px-4 py-2 text-sm shadow-md">
        {state === "queued" ? "Next in line" : "Preparing your photo…"}
      </span>
    );
  }
  const stateText = { sending: undefined, waiting: waitText(photo), paused: "Paused" };
  return (
    <span className="absolute inset-x-3 bottom-3 flex items-center gap-1 rounded-box bg-base-100/95 py-1 ps-4 pe-1 shadow-md">
      <span className="grow">
        <UploadProgress fraction={fraction} bytes={file?.size ?? 0} state={stateText[state]} />
      </span>
      {state === "paused" ? (
        <IconButton label="Resume the upload" onClick={onResume}>
          <PlayIcon className="size-5" aria-hidden />
        </IconButton>
      ) : (
        <IconButton label="Pause the upload" onClick={onPause}>
          <PauseIcon className="size-5" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
