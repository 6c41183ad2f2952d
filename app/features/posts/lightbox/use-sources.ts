import { useEffect, useState } from "react";
import { largeImageUrl, largeSize } from "#shared/large-images.ts";
import { largestVariant, animatedImageUrl } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";

/**
 * What is drawn of a picture: at first what the page has drawn already, then its largest variant, and
 * all of the original's pixels for who looks closely.
 */
export function useSources(picture: ImageView | undefined, opener: HTMLElement | null) {
  const [best, setBest] = useState<Record<string, string>>({});
  const key = picture?.key ?? "";
  const moving = picture?.moving && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const largest = picture && (moving ? animatedImageUrl(key) : largestVariant(picture).url);
  const drawn = opener?.querySelector<HTMLImageElement>("img[srcset]")?.currentSrc;

  function sharpen(): void {
    // All of the pixels are there of the first frame only.
    if (!picture || moving || fullSize(picture).width === largestVariant(picture).width) return;
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

/** The address of a picture once it is here; null where it does not come. */
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

/** Pixels there are to be seen. Pictures of messages have no larger variant. */
export function fullSize(picture: ImageView): { width: number; height: number } {
  const large = picture.key.startsWith("/") ? null : largeSize(picture);
  return large ?? largestVariant(picture);
}
