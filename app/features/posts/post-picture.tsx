import type { PictureView } from "#shared/views.ts";
import { Picture } from "#app/ui/picture.tsx";

/** Width to height. Between these two a photo stands whole, beyond them it is fitted. */
const tallest = 4 / 5;
const widest = 1.91;

type Props = {
  picture: PictureView;
  /** for a picture nobody described */
  alt: string;
  /** the first picture of a screen: loaded at once and before the others */
  priority?: boolean;
  className?: string;
};

/** A post's photo at its own aspect ratio, within what a reading column can bear. */
export function PostPicture({ picture, alt, priority = false, className = "" }: Props) {
  const ratio = picture.width / picture.height;
  // A tall one, fitted, is narrower than its place.
  const share = Math.min(1, ratio / tallest);
  const common = {
    picture,
    priority,
    alt: picture.alt || alt,
    sizes: `(min-width: 48rem) ${Math.ceil(600 * share)}px, ${Math.ceil(100 * share)}vw`,
  };
  if (ratio < tallest)
    return <Picture {...common} fit="contain" className={`aspect-4/5 ${className}`} />;
  if (ratio > widest)
    return <Picture {...common} fit="contain" className={`aspect-[1.91] ${className}`} />;
  return <Picture {...common} className={className} />;
}
