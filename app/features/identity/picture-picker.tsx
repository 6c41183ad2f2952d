import { useEffect, useState } from "react";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { describedBy, FieldError } from "#app/ui/field.tsx";
import { CameraIcon } from "#app/ui/icons.ts";

const id = "profile-picture";

/** The profile picture as the postcard's stamp: choose one and see it there. */
export function PicturePicker({ error: formError }: { error: string | undefined }) {
  const [tooHeavy, setTooHeavy] = useState(false);
  const error = tooHeavy ? refuse("picture-too-heavy").message : formError;
  const [preview, setPreview] = useState<string | null>(null);
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
  }, [preview]);

  return (
    <div className="flex w-30 shrink-0 flex-col gap-2">
      <label
        htmlFor={id}
        className="group relative block w-30 rotate-3 rounded-field drop-shadow-md has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-primary"
      >
        <input
          id={id}
          name="picture"
          type="file"
          accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
          required
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { hint: null, error })}
          className="peer absolute inset-0 z-10 size-full cursor-pointer opacity-0"
          onChange={(event) => {
            const input = event.currentTarget;
            const file = input.files?.[0];
            const heavy = file !== undefined && file.size > limits.imageBytes;
            if (heavy) input.value = "";
            setTooHeavy(heavy);
            setPreview(file && !heavy ? URL.createObjectURL(file) : null);
          }}
        />
        <span className="perforated block h-36 bg-primary">
          <span className="grid h-full place-content-center justify-items-center gap-2 overflow-hidden bg-base-200 p-2 text-center text-sm font-medium outline-4 -outline-offset-4 outline-primary group-hover:bg-base-300">
            {preview ? null : (
              <>
                <CameraIcon className="size-7" aria-hidden />
                Click to upload
              </>
            )}
          </span>
        </span>
        {preview ? (
          <img
            src={preview}
            alt="You, as others will see you"
            className="absolute inset-3 h-[calc(100%-1.5rem)] w-[calc(100%-1.5rem)] object-cover"
            onError={() => setPreview(null)}
          />
        ) : null}
        <span className="sr-only">Profile picture</span>
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}
