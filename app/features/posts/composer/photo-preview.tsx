import { useLayoutEffect, useRef } from "react";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import { useReadable } from "#app/features/posts/composer/use-readable.ts";
import { IconButton } from "#app/ui/button.tsx";
import { ImageBrokenIcon, ImageIcon, PauseIcon, PlayIcon } from "#app/ui/icons.ts";

type Upload = { photo: ChosenPhoto; onPause: () => void; onResume: () => void };

type Props = Upload & {
  /** of the frame, width to height: that of the first photo */
  ratio: number;
  /** its index, from 0, and the number of photos */
  at: number;
  count: number;
  /** writes its alt text */
  onDescribe: () => void;
};

/** The selected photo in the frame that it will be published in. */
export function PhotoPreview({ ratio, at, count, onDescribe, ...upload }: Props) {
  const { photo } = upload;
  const { problem, name, alt, state } = photo;
  const { src, onError } = useReadable(photo);
  const frame = useRef<HTMLDivElement>(null);
  // Not in the markup: the content security policy refuses style attributes.
  useLayoutEffect(() => frame.current?.style.setProperty("--ratio", String(ratio)), [ratio]);
  const Missing = problem ? ImageBrokenIcon : ImageIcon;
  return (
    <div className="composer-preview relative shrink-0">
      <div className="composer-mount absolute inset-0 grid place-items-center">
        <div
          ref={frame}
          className="composer-frame relative grid place-items-center overflow-hidden bg-paper"
        >
          {src ? (
            <img
              src={src}
              alt={alt || words.yourChoice}
              onError={onError}
              className="absolute inset-0 size-full object-contain"
            />
          ) : (
            <span className="flex flex-col items-center gap-2 p-6 text-center text-muted">
              <Missing className="size-10" aria-hidden />
              <bdi className="wrap-anywhere">{name}</bdi>
            </span>
          )}
          {count > 1 ? (
            <span
              aria-hidden
              className="absolute end-3 top-3 rounded-full bg-black/60 px-2.5 py-1 text-xs font-medium text-white"
            >
              {`${at + 1}/${count}`}
            </span>
          ) : null}
          {state === "sent" ? <AltButton alt={alt} onPress={onDescribe} /> : null}
        </div>
      </div>
      <UploadState {...upload} />
    </div>
  );
}

/** Where a published photo says that it is described. */
const AltButton = ({ alt, onPress }: { alt: string; onPress: () => void }) => (
  <button
    type="button"
    aria-label={alt ? words.editAlt : words.addAlt}
    onClick={onPress}
    className="composer-describe absolute start-0 bottom-0 grid place-items-center px-2 -outline-offset-4"
  >
    <span className="rounded bg-black/60 px-1.5 py-0.5 text-xs font-semibold tracking-wide text-white">
      {alt ? words.altMark : words.altMissing}
    </span>
  </button>
);

function UploadState({ photo, onPause, onResume }: Upload) {
  const { state, fraction, file } = photo;
  if (state === "sent" || state === "failed") return null;
  if (state === "queued" || (state === "sending" && fraction === 1)) {
    return (
      <span className="composer-state absolute start-3 bottom-3 rounded-full px-4 py-2 text-sm">
        {state === "queued" ? words.next : words.preparing}
      </span>
    );
  }
  const stateText = { sending: undefined, waiting: waitText(photo), paused: words.pausedUpload };
  return (
    <span className="composer-state absolute start-3 end-3 bottom-3 flex items-center gap-1 rounded-box py-1 ps-4 pe-1">
      <span className="grow">
        <UploadProgress fraction={fraction} bytes={file?.size ?? 0} state={stateText[state]} />
      </span>
      {state === "paused" ? (
        <IconButton label={words.resume} onClick={onResume}>
          <PlayIcon className="size-5" aria-hidden />
        </IconButton>
      ) : (
        <IconButton label={words.pause} onClick={onPause}>
          <PauseIcon className="size-5" aria-hidden />
        </IconButton>
      )}
    </span>
  );
}
