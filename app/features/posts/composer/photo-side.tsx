import { useState, type ReactNode } from "react";
import { limits } from "#shared/limits.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { PhotoPreview } from "#app/features/posts/composer/photo-preview.tsx";
import { PhotoProblems } from "#app/features/posts/composer/photo-problems.tsx";
import { PhotoStrip } from "#app/features/posts/composer/photo-strip.tsx";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { useFileInput } from "#app/lib/forms/use-file-input.ts";
import { Button, IconButton } from "#app/ui/button.tsx";
import { CameraIcon, ImageIcon, PlusSquareIcon } from "#app/ui/icons.ts";

type Props = {
  photos: ChosenPhotos;
  all: readonly ChosenPhoto[];
  chosen: ChosenPhoto | null;
  onChoose: (id: string) => void;
};

const most = limits.photosPerPost;

/** The photo side of the postcard: click it, drop or paste photos, sort them. */
export function PhotoSide({ photos, all, chosen, onChoose }: Props) {
  const { leftOut, remove, input, takePhoto, dropAreaClass } = usePhotoInput({
    photos,
    all,
    chosen,
    onChoose,
  });
  const field = (
    <input
      {...input}
      name="image"
      multiple
      className="sr-only file-button noscript:not-sr-only noscript:absolute noscript:inset-x-4 noscript:bottom-4 noscript:z-10"
      aria-describedby="picture-problem"
    />
  );

  if (!chosen) {
    return (
      <div className="flex flex-col gap-3 bg-base-200 p-4 md:row-span-2">
        <label className={`min-h-72 grow ${dropAreaClass}`}>
          {field}
          <Invitation />
        </label>
        <Button className="hidden gap-2 pointer-coarse:flex noscript:hidden" onClick={takePhoto}>
          <CameraIcon className="size-5" aria-hidden />
          Take a photo
        </Button>
      </div>
    );
  }

  return (
    <div className="flex min-w-0 flex-col bg-base-200 md:row-span-2">
      <PhotoPreview
        photo={chosen}
        onPause={() => photos.pause(chosen.id)}
        onResume={() => photos.resume(chosen.id)}
      />
      <div className="flex flex-col gap-2 p-4 pb-2">
        <PhotoProblems
          photos={all}
          leftOut={leftOut}
          onResume={photos.resume}
          onRemove={remove}
          onChooseAnother={(id) => {
            remove(id);
            input.ref.current?.click();
          }}
        />
        <PhotoStrip
          photos={all}
          chosenId={chosen.id}
          onChoose={onChoose}
          onMove={photos.move}
          onRemove={remove}
        >
          <AddMore
            field={field}
            dropAreaClass={dropAreaClass}
            count={all.length}
            onTakePhoto={takePhoto}
          />
        </PhotoStrip>
      </div>
    </div>
  );
}

/** Adding and removing photos. */
function usePhotoInput({ photos, all, chosen, onChoose }: Props) {
  const [leftOut, setLeftOut] = useState<string | null>(null);
  const over = useDroppedFiles(add);
  const input = useFileInput(add);

  function add(files: readonly File[]): void {
    const taken = photos.add(files);
    const out = files.length - taken.length;
    setLeftOut(
      out > 0
        ? `A post holds ${most} photos. The first ${most} are here, ${out === 1 ? "one was" : `${out} were`} left out.`
        : null,
    );
    const [first] = taken;
    if (first) onChoose(first.id);
  }

  /** The next photo becomes the selected one. */
  function remove(id: string): void {
    const at = all.findIndex((one) => one.id === id);
    const next = all[at + 1] ?? all[at - 1];
    if (chosen?.id === id && next) onChoose(next.id);
    setLeftOut(null);
    photos.remove(id);
  }

  /** Phones open the camera instead of the album. */
  function takePhoto(): void {
    const element = input.ref.current;
    if (!element) return;
    element.setAttribute("capture", "environment");
    element.click();
    element.removeAttribute("capture");
  }

  /** the look of the area where photos are dropped or chosen */
  const dropAreaClass = `relative grid cursor-pointer place-items-center rounded-field border-2 border-dashed outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-primary ${
    over ? "border-primary" : "border-line hover:border-primary"
  }`;
  return { leftOut, remove, input, takePhoto, dropAreaClass };
}

type AddMoreProps = {
  field: ReactNode;
  dropAreaClass: string;
  count: number;
  onTakePhoto: () => void;
};

/** After the last photo. The file field stays in the page when no more fit. */
const AddMore = ({ field, dropAreaClass, count, onTakePhoto }: AddMoreProps) => (
  <>
    <li className={count < most ? "aspect-square" : "sr-only"}>
      <label title="Add photos" className={`size-full text-muted ${dropAreaClass}`}>
        {field}
        <span className="sr-only">Add photos</span>
        <PlusSquareIcon className="size-7" aria-hidden />
      </label>
    </li>
    {count < most - 1 ? (
      <li className="hidden aspect-square pointer-coarse:block">
        <IconButton
          label="Take a photo"
          onClick={onTakePhoto}
          className="size-full! rounded-field! border-2 border-dashed border-line text-muted"
        >
          <CameraIcon className="size-7" aria-hidden />
        </IconButton>
      </li>
    ) : null}
  </>
);

function Invitation() {
  return (
    <span className="flex flex-col items-center gap-2 p-6 text-center">
      <ImageIcon className="size-10 text-muted" aria-hidden />
      <span className="font-medium">Click to upload</span>
      <span className="text-sm text-balance text-muted">
        <span className="pointer-coarse:hidden">or drop </span>up to {most} photos
        <span className="pointer-coarse:hidden"> here</span>. JPEG, PNG, WebP, AVIF, HEIC or GIF, up
        to 25 MB each.
      </span>
    </span>
  );
}
