import { useEffect, useEffectEvent, useRef, type ChangeEvent } from "react";

/** HEIC by its extensions, too: many systems do not know its type. */
export const acceptedImages =
  "image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif,.heic,.heif";

/** The server checks the content; systems that do not know HEIC give it no type. */
export const isImageFile = ({ type, name }: File): boolean =>
  type.startsWith("image/") || /\.hei[cf]$/i.test(name);

/**
 * The attributes of a file input for photos. `onChoose` is called for every choice, also of the same file
 * again, and for one made before hydration.
 */
export function useFileInput(onChoose: (files: readonly File[]) => void) {
  const ref = useRef<HTMLInputElement>(null);

  const takeEarly = useEffectEvent(() => {
    if (ref.current) take(ref.current);
  });
  useEffect(() => takeEarly(), []);

  function take(input: HTMLInputElement): void {
    const files = [...(input.files ?? [])];
    // Chosen again after it was removed, the same file must fire again.
    input.value = "";
    if (files.length > 0) onChoose(files);
  }

  return {
    ref,
    type: "file",
    accept: acceptedImages,
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => take(currentTarget),
  };
}
