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

/** Upright: a bitmap that is handed over instead of drawn lies as the camera wrote it (Chromium). */
function drawOn(canvas: HTMLCanvasElement, bitmap: ImageBitmap): void {
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
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
        if (near && canvas) drawOn(canvas, bitmap);
        bitmap.close();
      } catch {
        // HEIC, where the browser has no decoder for it, or damaged.
        setUnreadable(true);
      }
    }

    function forget(): void {
      if (wanted && queue.includes(wanted)) queue.splice(queue.indexOf(wanted), 1);
      wanted = null;
      // Frees its pixels.
      if (canvas) canvas.width = 0;
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
