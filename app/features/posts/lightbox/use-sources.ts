import { useEffect, useState } from "react";
import { largeImageUrl, largeSize } from "#shared/large-images.ts";
import { largestVariant, animatedImageUrl } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";

/**
 * The image that is drawn of a photo: at first the one the page has loaded, then its largest variant, and
 * the original's full pixels when one zooms in.
 */
export function useSources(photo: ImageView | undefined, opener: HTMLElement | null) {
  const [best, setBest] = useState<Record<string, string>>({});
  const key = photo?.key ?? "";
  const moving = photo?.moving && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const largest = photo && (moving ? animatedImageUrl(photo) : largestVariant(photo).url);
  const drawn = opener?.querySelector<HTMLImageElement>("img[srcset]")?.currentSrc;

  function sharpen(): void {
    // Only the first frame exists in full resolution.
    if (!photo || moving || fullSize(photo).width === largestVariant(photo).width) return;
    void loaded(largeImageUrl(key)).then((url) => url && setBest({ ...best, [key]: url }));
  }

  useEffect(() => {
    if (!largest) return;
    let current = true;
    const show = (url: string | null) =>
      current && url && setBest((known) => ({ [key]: url, ...known }));
    void loaded(largest).then(show);
    return () => {
      current = false;
    };
  }, [key, largest]);
  return { source: best[key] ?? (drawn || largest), sharpen };
}

/** The address of an image once it has loaded; null where it fails. */
async function loaded(url: string): Promise<string | null> {
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return url;
  } catch {
    return null;
  }
}

/** The pixels that exist. Photos of messages have no larger variant. */
export function fullSize(photo: ImageView): { width: number; height: number } {
  const large = photo.key.startsWith("/") ? null : largeSize(photo);
  return large ?? largestVariant(photo);
}
