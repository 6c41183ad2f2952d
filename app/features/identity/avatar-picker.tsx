import { useEffect, useState } from "react";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/identity.json";
import { acceptedImages } from "#app/lib/forms/use-file-input.ts";
import { describedBy } from "#app/ui/field.tsx";
import { CameraIcon, CheckCircleIcon } from "#app/ui/icons.ts";

type AvatarPickerProps = {
  id: string;
  /** what is wrong with the avatar; shown elsewhere, under `id` */
  error: string | undefined;
  /** an image was chosen that is over our size limit (true), or another one */
  onTooHeavy: (tooHeavy: boolean) => void;
};

/** The avatar as the postcard's stamp: choose one and see it there. */
export function AvatarPicker({ id, error, onTooHeavy }: AvatarPickerProps) {
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
  }, [preview]);

  return (
    <label
      htmlFor={id}
      className="group relative block h-36 w-30 shrink-0 rotate-3 rounded-field [filter:drop-shadow(0_3px_3px_rgb(0_0_0/0.12))] has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-primary"
    >
      <input
        id={id}
        name="picture"
        type="file"
        accept={acceptedImages}
        required
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { hint: null, error })}
        className="absolute inset-0 z-10 size-full cursor-pointer opacity-0"
        onChange={(event) => {
          const input = event.currentTarget;
          const file = input.files?.[0];
          const tooHeavy = file !== undefined && file.size > limits.imageBytes;
          if (tooHeavy) input.value = "";
          onTooHeavy(tooHeavy);
          setPreview(file && !tooHeavy ? URL.createObjectURL(file) : null);
        }}
      />
      <span className="sr-only">{words.profilePicture}</span>
      <span className="perforated block h-full bg-primary">
        <span className="grid h-full place-content-center bg-base-200 p-2 text-center text-sm font-medium outline-4 -outline-offset-4 outline-primary group-hover:bg-base-300">
          <span className="grid justify-items-center gap-2 in-[:valid~*]:hidden">
            <CameraIcon className="size-7" aria-hidden />
            {words.clickToUpload}
          </span>
          {/* Without scripts this says that a photo was chosen; with them it is visible. */}
          <span className="hidden justify-items-center gap-2 in-[:valid~*]:grid">
            <CheckCircleIcon className="size-7" aria-hidden />
            {words.pictureChosen}
          </span>
        </span>
      </span>
      {preview ? (
        <img
          src={preview}
          alt={words.asOthersSeeYou}
          className="absolute inset-3 h-[calc(100%-1.5rem)] w-[calc(100%-1.5rem)] object-cover"
          onError={() => setPreview(null)}
        />
      ) : null}
    </label>
  );
}
