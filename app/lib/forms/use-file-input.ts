import { useEffect, useEffectEvent, useRef, type ChangeEvent } from "react";

/** HEIC by its endings, too: many systems do not know its type. */
export const acceptedImages =
  "image/jpeg,image/png,image/webp,image/avif,image/gif,image/heic,image/heif,.heic,.heif";

/** The server looks at what is in it; systems that do not know HEIC give it no type. */
export const isImageFile = ({ type, name }: File): boolean =>
  type.startsWith("image/") || /\.hei[cf]$/i.test(name);

/**
 * The attributes of a file input of pictures. `onChoose` hears of every choice, of
 * the same file once more too, and of one made before the scripts were there to notice it.
 */
export function useFileInput(onChoose: (files: readonly File[]) => void) {
  const ref = useRef<HTMLInputElement>(null);

  const takeEarly = useEffectEvent(() => {
    if (ref.current) take(ref.current);
  });
  useEffect(() => takeEarly(), []);

  function take(input: HTMLInputElement): void {
    const files = [...(input.files ?? [])];
    // Chosen once more after it was removed, the same file must be noticed again.
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
