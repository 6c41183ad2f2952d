import { limits } from "#shared/limits.ts";
import type { ImageView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as composer from "#messages/composer.json";
import * as words from "#messages/editor.json";
import { uploadedImageUrl } from "#app/features/posts/composer/chosen-photo.ts";
import type { PhotoState } from "#app/features/posts/editor/edit-state.ts";
import { acceptedImages } from "#app/lib/forms/use-file-input.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";
import { ArrowDownIcon, ArrowUpIcon } from "#app/ui/icons.ts";
import { Photo } from "#app/ui/photo.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = { photos: readonly PhotoState[]; images: readonly ImageView[] };

/** Without scripts: each button submits the form, which comes back with the change. */
export function NoScriptPhotos({ photos, images }: Props) {
  return (
    <div className="hidden gap-4 noscript:grid">
      <ol aria-label={words.photos} className="grid gap-4">
        {photos.map((photo, position) => (
          <NoScriptPhoto
            key={photo.key ?? photo.imageId}
            photo={photo}
            image={images.find(({ key }) => key === photo.key)}
            position={position}
            last={position === photos.length - 1}
          />
        ))}
      </ol>
      {photos.length < limits.photosPerPost && (
        <div className="grid gap-2">
          <label htmlFor="added-photos" className="text-sm font-medium">
            {composer.addPhotos}
          </label>
          <div className="flex flex-wrap items-center gap-3">
            <input
              id="added-photos"
              type="file"
              name="image"
              multiple
              accept={acceptedImages}
              className="min-h-11 max-w-full text-sm file-button"
            />
            <Button type="submit" name="go" value="add">
              {common.add}
            </Button>
          </div>
        </div>
      )}
    </div>
  );
}

type PhotoProps = {
  photo: PhotoState;
  /** as the post shows it; an added one has none yet */
  image: ImageView | undefined;
  /** counted from 0 */
  position: number;
  last: boolean;
};

function NoScriptPhoto({ photo, image, position, last }: PhotoProps) {
  const at = position + 1;
  return (
    <li className="grid grid-cols-[4rem_1fr_auto] gap-3 rounded-box border border-line p-3 has-checked:bg-base-200">
      <input
        type="hidden"
        name={`photo-${position}`}
        value={photo.key ? `key:${photo.key}` : `added:${photo.imageId}`}
      />
      <span className="block size-16 overflow-hidden rounded-field">
        {image ? (
          <Photo photo={image} sizes="4rem" alt="" className="size-full" />
        ) : (
          <img
            src={uploadedImageUrl(photo.imageId ?? "")}
            alt=""
            className="size-full object-cover"
          />
        )}
      </span>
      <div className="grid gap-2">
        <TextArea
          name={`alt-${position}`}
          label={fill(composer.describePhotoAt, { at })}
          rows={2}
          limit={limits.altText}
          defaultValue={photo.alt}
          className="min-h-16!"
        />
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            name={`remove-${position}`}
            defaultChecked={photo.removed}
            className="size-5 accent-primary"
          />
          <span>
            {rich(fill(words.removePhoto, { at }), {
              quietly: (text) => <span className="sr-only">{text}</span>,
            })}
          </span>
        </label>
      </div>
      <div className="grid content-start gap-1">
        <Mover label={fill(words.moveUp, { at })} go={`up-${position}`} off={position === 0}>
          <ArrowUpIcon className="size-5" aria-hidden />
        </Mover>
        <Mover label={fill(words.moveDown, { at })} go={`down-${position}`} off={last}>
          <ArrowDownIcon className="size-5" aria-hidden />
        </Mover>
      </div>
    </li>
  );
}

type MoverProps = { label: string; go: string; off: boolean; children: React.ReactNode };

function Mover({ label, go, off, children }: MoverProps) {
  return (
    <button
      type="submit"
      name="go"
      value={go}
      aria-label={label}
      title={label}
      aria-disabled={off}
      className="grid size-11 place-items-center rounded-full hover:bg-base-content/8 aria-disabled:opacity-30"
    >
      {children}
    </button>
  );
}
