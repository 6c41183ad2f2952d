import type { MouseEvent } from "react";
import { limits } from "#shared/limits.ts";
import type { PictureView } from "#shared/views.ts";
import type { PhotoState } from "#app/features/posts/editor/edit-state.ts";
import { ArrowDownIcon, ArrowUpIcon } from "#app/ui/icons.ts";
import { Picture } from "#app/ui/picture.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  photo: PhotoState;
  /** as the post shows it; an added one has none yet */
  picture: PictureView | undefined;
  /** counted from 0 */
  place: number;
  count: number;
  onMove: (by: 1 | -1) => void;
};

/** A photo of a post that is edited: its place, its description, and whether it stays. */
export function EditedPhoto({ photo, picture, place, count, onMove }: Props) {
  const name = `photo ${place + 1}`;
  return (
    <li className="grid grid-cols-[5rem_1fr_auto] gap-3 rounded-box border border-line p-3 has-checked:bg-base-200">
      <input
        type="hidden"
        name={`photo-${place}`}
        value={photo.key ? `key:${photo.key}` : `added:${photo.imageId}`}
      />
      <span className="block size-20 overflow-hidden rounded-field">
        {picture ? (
          <Picture picture={picture} sizes="5rem" fit="cover" alt="" className="size-full" />
        ) : (
          <img
            src={photo.key ? undefined : `/api/images/${photo.imageId}`}
            alt=""
            className="size-full object-cover"
          />
        )}
      </span>
      <div className="grid gap-2">
        <TextArea
          name={`alt-${place}`}
          label={`Describe ${name}`}
          rows={2}
          limit={limits.altText}
          defaultValue={photo.alt}
          className="min-h-16"
        />
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            name={`remove-${place}`}
            defaultChecked={photo.removed}
            className="size-5 accent-primary"
          />
          <span>
            Remove <span className="sr-only">{name}</span>
          </span>
        </label>
      </div>
      <div className="grid content-start gap-1">
        <Mover
          label={`Move ${name} up`}
          go={`up-${place}`}
          off={place === 0}
          onPress={() => onMove(-1)}
        >
          <ArrowUpIcon className="size-5" aria-hidden />
        </Mover>
        <Mover
          label={`Move ${name} down`}
          go={`down-${place}`}
          off={place === count - 1}
          onPress={() => onMove(1)}
        >
          <ArrowDownIcon className="size-5" aria-hidden />
        </Mover>
      </div>
    </li>
  );
}

type MoverProps = {
  label: string;
  go: string;
  off: boolean;
  onPress: () => void;
  children: React.ReactNode;
};

/** Without scripts it sends the form, which comes back in its new order. */
function Mover({ label, go, off, onPress, children }: MoverProps) {
  return (
    <button
      type="submit"
      name="go"
      value={go}
      aria-label={label}
      title={label}
      aria-disabled={off}
      onClick={(event: MouseEvent) => {
        event.preventDefault();
        onPress();
      }}
      className="grid size-11 place-items-center rounded-full hover:bg-base-content/8 aria-disabled:opacity-30"
    >
      {children}
    </button>
  );
}
