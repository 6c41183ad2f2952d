import { useEffect, useRef, useState } from "react";

/** Thumbnails that are made at the same time: each decodes a whole photo. */
const atOnce = 2;
/** Their width, pixels. */
const width = 256;
/** How far outside the window a thumbnail is there. */
const margin = "400px";

/** What is waited for; the latest first, since it is in the window now. */
const queue: (() => Promise<void>)[] = [];
let running = 0;

function next(): void {
  while (running < atOnce) {
    const work = queue.pop();
    if (!work) return;
    running += 1;
    void work().finally(() => {
      running -= 1;
      next();
    });
  }
}

/**
 * Draws a photo of the file onto a canvas while that is near the window, and frees it when it is not: 20,000
 * photos take no more memory than those on the screen.
 * @returns a ref for the canvas, and whether this photo cannot be shown here
 */
export function useThumbnail(photo: (() => Promise<Blob>) | null) {
  const ref = useRef<HTMLCanvasElement>(null);
  const [unreadable, setUnreadable] = useState(false);
  const load = useRef(photo);
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas || !load.current) return;
    let near = false;
    let wanted: (() => Promise<void>) | null = null;

    async function draw(): Promise<void> {
      wanted = null;
      try {
        const blob = await load.current?.();
        if (!blob || !near) return;
        const bitmap = await createImageBitmap(blob, {
          resizeWidth: width,
          resizeQuality: "medium",
        });
        if (near) canvas?.getContext("bitmaprenderer")?.transferFromImageBitmap(bitmap);
        else bitmap.close();
      } catch {
        // HEIC, where the browser has no decoder for it, or damaged.
        setUnreadable(true);
      }
    }

    function forget(): void {
      if (wanted && queue.includes(wanted)) queue.splice(queue.indexOf(wanted), 1);
      wanted = null;
      canvas?.getContext("bitmaprenderer")?.transferFromImageBitmap(null);
    }

    const seen = new IntersectionObserver(
      ([entry]) => {
        near = entry?.isIntersecting ?? false;
        if (!near) return forget();
        wanted = draw;
        queue.push(draw);
        next();
      },
      { rootMargin: margin },
    );
    seen.observe(canvas);
    return () => {
      near = false;
      seen.disconnect();
      forget();
    };
  }, []);
  return { ref, unreadable: unreadable || photo === null };
}
