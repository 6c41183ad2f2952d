import { useId } from "react";
import { animatedImageUrl, imageSrc, imageSrcSet } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";
import { tintOf } from "#app/lib/thumbhash.ts";

type PhotoProps = {
  photo: ImageView;
  /** the `sizes` of the image: how wide it is shown */
  sizes: string;
  /** visible at once without scrolling: loaded first instead of late */
  priority?: boolean;
  /** the frame is filled, or it lies in the middle of it, uncropped */
  fit?: "cover" | "contain";
  /** an animated one plays, unless reduced motion is on */
  moves?: boolean;
  /** instead of the photo's own description; "" where the text beside it says it */
  alt?: string;
  className?: string;
};

/** Fitted, a photo is no larger than its own pixels; so are its colours below it. */
const fits = {
  cover: "size-full object-cover",
  contain: "m-auto h-auto max-h-full w-auto max-w-full",
};

/** A square shows the part around the focal point. In steps: style attributes are refused here. */
const focusSteps = [
  "*:object-[0%_0%]",
  "*:object-[25%_25%]",
  "*:object-center",
  "*:object-[75%_75%]",
  "*:object-[100%_100%]",
];

/** For a photo that is cropped to its frame: a class for `className`. */
export const focusClass = ({ focus }: ImageView) => focusSteps[Math.round((focus ?? 50) / 25)];

/**
 * The last of `sizes` is a phone's. On its small, dense pixels more than two per pixel of the page are not seen
 * (docs/performance.md), and a third more would be twice the bytes: it takes a little more than two. Fitted, a
 * photo is drawn as wide as its `sizes` say, so these stay.
 */
function enough(sizes: string): string {
  const last = sizes.lastIndexOf(",") + 1;
  const phone = sizes.slice(last).trim();
  return `${sizes.slice(0, last)} (min-resolution: 2.5dppx) calc(${phone} * 0.7), ${phone}`;
}

/** A photo in the width that is needed, over its own colours while it loads. */
export function Photo({
  photo,
  sizes,
  priority = false,
  fit = "cover",
  moves = false,
  alt = photo.alt,
  className = "",
}: PhotoProps) {
  const image = (
    <img
      src={imageSrc(photo, 640)}
      srcSet={imageSrcSet(photo)}
      sizes={fit === "cover" ? enough(sizes) : sizes}
      width={photo.width}
      height={photo.height}
      alt={alt}
      loading={priority ? "eager" : "lazy"}
      fetchPriority={priority ? "high" : "auto"}
      decoding={priority ? "sync" : "async"}
      className={`absolute inset-0 ${fits[fit]}`}
    />
  );
  return (
    <span className={`relative block overflow-hidden ${className}`}>
      <Tint of={photo} className={fits[fit]} />
      {moves && photo.moving ? (
        <picture>
          <source
            media="(prefers-reduced-motion: no-preference)"
            srcSet={animatedImageUrl(photo)}
          />
          {image}
        </picture>
      ) : (
        image
      )}
    </span>
  );
}

/**
 * The photo's colours from top to bottom. An SVG's `stop-color` is no style attribute, which the content
 * security policy would refuse.
 */
export function Tint({ of, className = "size-full" }: { of: ImageView; className?: string }) {
  const id = useId();
  const tint = tintOf(of.thumbhash);
  const [top, middle, bottom] = tint ?? [];
  return (
    <svg
      aria-hidden="true"
      width={of.width}
      height={of.height}
      className={`absolute inset-0 ${className}`}
      preserveAspectRatio="none"
    >
      {tint && (
        <linearGradient id={id} x2="0" y2="1">
          <stop offset=".17" stopColor={top} />
          <stop offset=".5" stopColor={middle} />
          <stop offset=".83" stopColor={bottom} />
        </linearGradient>
      )}
      <rect width="100%" height="100%" fill={tint ? `url(#${id})` : "var(--color-base-300)"} />
    </svg>
  );
}
