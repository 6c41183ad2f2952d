import { useState, type ReactNode } from "react";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import type { ChosenPhotos } from "#app/features/posts/composer/chosen-photos.ts";
import { PhotoPreview } from "#app/features/posts/composer/photo-preview.tsx";
import { PhotoProblems } from "#app/features/posts/composer/photo-problems.tsx";
import { PhotoStrip, type PhotoSize } from "#app/features/posts/composer/photo-strip.tsx";
import { groundRatio } from "#app/features/posts/photo-frame.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { CameraIcon, PlusSquareIcon } from "#app/ui/icons.ts";

export type PhotoSideProps = {
  photos: ChosenPhotos;
  all: readonly ChosenPhoto[];
  chosen: ChosenPhoto | null;
  onChoose: (id: string) => void;
  /** writes the selected photo's alt text */
  onDescribe: () => void;
};

type Props = PhotoSideProps & {
  chosen: ChosenPhoto;
  /** the file field, and how the area around it looks */
  field: ReactNode;
  dropAreaClass: string;
  leftOut: string | null;
  remove: (id: string) => void;
  choose: () => void;
  takePhoto: () => void;
};

/** The photo side once there are photos: the selected one, all of them, and what is wrong with some. */
export function ChosenSide(props: Props) {
  const { photos, all, chosen, onChoose, onDescribe, remove, choose, leftOut } = props;
  const { field, dropAreaClass, takePhoto } = props;
  const { ratio, setSize } = useFrameRatio(all);
  return (
    <>
      <PhotoPreview
        photo={chosen}
        ratio={ratio}
        at={all.indexOf(chosen)}
        count={all.length}
        onDescribe={onDescribe}
        onPause={() => photos.pause(chosen.id)}
        onResume={() => photos.resume(chosen.id)}
      />
      <PhotoStrip
        photos={all}
        chosenId={chosen.id}
        onChoose={onChoose}
        onMove={photos.move}
        onRemove={remove}
        onSize={setSize}
      >
        <AddMore
          field={field}
          dropAreaClass={dropAreaClass}
          count={all.length}
          onTakePhoto={takePhoto}
        />
      </PhotoStrip>
      <PhotoProblems
        photos={all}
        leftOut={leftOut}
        onResume={photos.resume}
        onRemove={remove}
        onChooseAnother={(id) => {
          remove(id);
          choose();
        }}
      />
    </>
  );
}

/** A set is published in the frame of its first photo. */
function useFrameRatio(all: readonly ChosenPhoto[]) {
  const [sizes, setSizes] = useState<Readonly<Record<string, PhotoSize>>>({});
  const [first] = all;
  const size = (first && sizes[first.id]) ?? { width: 4, height: 3 };
  return {
    ratio: groundRatio(size),
    setSize(id: string, { width, height }: PhotoSize): void {
      if (sizes[id]?.width === width && sizes[id].height === height) return;
      setSizes((before) => ({ ...before, [id]: { width, height } }));
    },
  };
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
    <li className={count < limits.photosPerPost ? "size-14 shrink-0" : "sr-only"}>
      <label title={words.addPhotos} className={`text-muted ${dropAreaClass}`}>
        {field}
        <span className="sr-only">{words.addPhotos}</span>
        <PlusSquareIcon className="size-7" aria-hidden />
      </label>
    </li>
    {count < limits.photosPerPost - 1 ? (
      <li className="composer-camera size-14 shrink-0">
        <IconButton
          label={words.takePhoto}
          onClick={onTakePhoto}
          className="composer-drop text-muted"
        >
          <CameraIcon className="size-7" aria-hidden />
        </IconButton>
      </li>
    ) : null}
  </>
);
