import { useState } from "react";
import { refuseEarly } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/chat.json";
import * as common from "#messages/common.json";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { FileImage } from "#app/features/chat/message-photo.tsx";
import { errorMessage } from "#app/lib/api-client.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { isImageFile, useFileInput } from "#app/lib/forms/use-file-input.ts";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { XIcon } from "#app/ui/icons.ts";

type Chosen = { id: string; file: File };

/** Photos to send: chosen, pasted or dropped. Each becomes a message. */
export function usePhotosToSend() {
  const [photos, setPhotos] = useState<Chosen[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  function add(files: readonly File[]): void {
    const images = files.filter(isImageFile);
    const fitting = images.filter(({ size }) => size <= limits.imageBytes);
    const room = limits.photosPerPost - photos.length;
    setPhotos([
      ...photos,
      ...fitting.slice(0, Math.max(0, room)).map((file) => ({ id: randomKey(), file })),
    ]);
    setProblem(
      images.length < files.length
        ? words.onlyPhotos
        : fitting.length < images.length
          ? errorMessage(refuseEarly("picture-too-heavy"))
          : fitting.length > room
            ? counted(words.tooManyPhotos, limits.photosPerPost)
            : null,
    );
  }

  const over = useDroppedFiles(add);
  const input = useFileInput(add);

  return {
    photos,
    problem,
    over,
    input,
    remove: (id: string) => setPhotos(photos.filter((one) => one.id !== id)),
    clear: () => {
      setPhotos([]);
      setProblem(null);
    },
  };
}

/** The chosen photos, before they are sent. */
export function PhotosToSend({ chosen }: { chosen: ReturnType<typeof usePhotosToSend> }) {
  if (chosen.photos.length === 0) return null;
  return (
    <ul aria-label={words.photosToSend} className="flex gap-2 overflow-x-auto px-1 pb-2">
      {chosen.photos.map(({ id, file }) => (
        <Preview key={id} file={file} onRemove={() => chosen.remove(id)} />
      ))}
    </ul>
  );
}

function Preview({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <li className="relative size-20 shrink-0 overflow-hidden rounded-box border border-line bg-base-200">
      <FileImage file={file} alt={file.name} className="size-full object-cover" />
      <button
        type="button"
        onClick={onRemove}
        aria-label={fill(words.removeFile, { name: file.name })}
        title={common.remove}
        className="absolute end-0 top-0 grid size-11 place-items-start justify-items-end p-1"
      >
        <span className="grid size-6 place-items-center rounded-full bg-base-100 text-base-content shadow">
          <XIcon className="size-4" aria-hidden />
        </span>
      </button>
    </li>
  );
}
