import { useState } from "react";
import { uploadedImageUrl, type ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";

/**
 * An address of a photo that this browser can show, null where there is none: most cannot show a HEIC, which
 * is visible once the server has converted it. `onError` is for its image.
 */
export function useReadable({ preview, imageId }: Pick<ChosenPhoto, "preview" | "imageId">) {
  const [unreadable, setUnreadable] = useState<readonly string[]>([]);
  const src = [preview, imageId && uploadedImageUrl(imageId)].find(
    (address) => address && !unreadable.includes(address),
  );
  return { src: src ?? null, onError: () => setUnreadable([...unreadable, src ?? ""]) };
}
