import { initialsOf, initialsColourIndex } from "#shared/initials.ts";
import { imageSrc } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";

const sizes = {
  sm: { pixels: 32, box: "size-8 rounded-full text-xs" },
  md: { pixels: 40, box: "size-10 rounded-full text-sm" },
  lg: { pixels: 56, box: "size-14 rounded-full text-lg" },
  xl: { pixels: 128, box: "size-24 rounded-full text-3xl md:size-32 md:text-4xl" },
  /** what the frame of a stamp contains */
  stamp: { pixels: 64, box: "size-full text-2xl" },
};

type AvatarProps = {
  /** the account's name: its initials are shown where there is no avatar */
  name: string;
  image: ImageView | null;
  size?: keyof typeof sizes;
  /** when alone in a link or button, its label; beside the name it needs none */
  alt?: string;
  priority?: boolean;
};

/** An avatar, or initials on one of the theme's colours. */
export function Avatar({ name, image, size = "md", alt = "", priority = false }: AvatarProps) {
  const { pixels, box } = sizes[size];
  const shape = `block shrink-0 overflow-hidden ${box}`;
  if (image) {
    const twice = imageSrc(image, pixels * 2);
    return (
      <span className={`${shape} bg-base-300`}>
        <img
          src={imageSrc(image, pixels)}
          srcSet={`${imageSrc(image, pixels)} 1x, ${twice} 2x`}
          width={pixels}
          height={pixels}
          alt={alt}
          loading={priority ? "eager" : "lazy"}
          decoding="async"
          className="size-full object-cover"
        />
      </span>
    );
  }
  return (
    <span
      className={`${shape} grid place-items-center font-semibold ${tones[initialsColourIndex(name)]}`}
      {...(alt ? { role: "img", "aria-label": alt } : { "aria-hidden": true })}
    >
      {initialsOf(name)}
    </span>
  );
}

/** The colours of `initialsColours`, in its order. */
const tones = [
  "bg-primary text-primary-content",
  "bg-accent text-accent-content",
  "bg-neutral text-neutral-content",
  "bg-info text-info-content",
  "bg-success text-success-content",
  "bg-warning text-warning-content",
];
