import { useCallback, useState, type ReactNode } from "react";
import * as words from "#messages/chat.json";
import { largestVariant, imageSrc } from "#shared/image-urls.ts";
import type { ImageView } from "#shared/views.ts";
import { instead } from "#app/lib/instead.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { Tint } from "#app/ui/photo.tsx";

const Lightbox = lazyComponent(
  async () => (await import("#app/features/posts/lightbox/lightbox.tsx")).Lightbox,
  notifyAndClose,
);

/** CSS pixels that a photo takes at most. */
const most = { width: 300, height: 380 };

/** The size it is drawn in: uncropped, and large enough to tap. */
function drawnSize({ width, height }: { width: number; height: number }) {
  const scale = Math.min(most.width / width, most.height / height, 1);
  const drawn = (length: number) => Math.max(64, Math.round(length * scale));
  return { width: drawn(width), height: drawn(height) };
}

const frame = "relative block w-fit max-w-full overflow-hidden rounded-2xl border border-line";

type Props = { photo: ImageView; alt: string; mine: boolean };

/** A photo of a message; opens in the lightbox. Without scripts it is a link to the image. */
export function MessagePhoto({ photo, alt, mine }: Props) {
  const [opener, setOpener] = useState<HTMLElement | null>(null);
  const { width, height } = drawnSize(photo);
  return (
    <>
      <a
        href={largestVariant(photo).url}
        title={words.viewFullSize}
        onClick={instead((event) => setOpener(event.currentTarget))}
        className={`${frame} cursor-zoom-in ${mine ? "ms-auto" : ""}`}
      >
        <Tint of={photo} />
        <img
          src={imageSrc(photo, width)}
          srcSet={`${imageSrc(photo, width)} 1x, ${imageSrc(photo, width * 2)} 2x`}
          width={width}
          height={height}
          alt={alt}
          decoding="async"
          className="relative h-auto max-w-full object-cover"
        />
      </a>
      {opener && (
        <Lightbox
          photos={[photo]}
          start={0}
          opener={opener}
          alt={alt}
          onClose={() => setOpener(null)}
        />
      )}
    </>
  );
}

type PreviewProps = { file: Blob; children?: ReactNode };

/** A photo that is being sent, drawn from the file itself. */
export function OutgoingPhoto({ file, children }: PreviewProps) {
  return (
    <span className={`${frame} ms-auto`}>
      <FileImage
        file={file}
        alt={words.yourChoice}
        className="max-h-95 min-h-16 max-w-75 min-w-16 object-cover"
      />
      {children}
    </span>
  );
}

type FileImageProps = { file: Blob; alt: string; className: string };

/** A photo that is only a file yet. Browser only. */
export function FileImage({ file, alt, className }: FileImageProps) {
  const draw = useCallback(
    (element: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      element.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return <img ref={draw} alt={alt} className={className} />;
}
