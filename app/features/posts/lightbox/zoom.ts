/** How a photo is placed in its frame: `scale` times its fitted size, moved by `x`, `y` CSS pixels. */
export type View = { scale: number; x: number; y: number };
/** A point measured from the middle of the frame, CSS pixels. */
export type Point = { x: number; y: number };
export type Size = { width: number; height: number };

export const fitted: View = { scale: 1, x: 0, y: 0 };
/** The scale that a double tap zooms to. */
export const closeUp = 2.5;

/**
 * How far a photo zooms: until each of its pixels takes one of the window's, and twice at least. `full`:
 * all of its pixels.
 */
export function mostZoom(photo: Size, full: Size, frame: Size): number {
  return Math.max(2, full.width / fit(photo, frame).width);
}

/** Zooms by `factor`, `most` at most; the point `at` stays in place. */
export function zoomAt(view: View, factor: number, at: Point, most: number): View {
  const scale = clamp(view.scale * factor, 1, most);
  const by = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by };
}

/** Keeps the frame filled: no edge of the photo is pulled further in than necessary. */
export function clampView(view: View, frame: Size, photo: Size): View {
  if (view.scale === 1) return fitted;
  const shown = fit(photo, frame);
  const spareX = Math.max(0, (shown.width * view.scale - frame.width) / 2);
  const spareY = Math.max(0, (shown.height * view.scale - frame.height) / 2);
  return {
    scale: view.scale,
    x: clamp(view.x, -spareX, spareX),
    y: clamp(view.y, -spareY, spareY),
  };
}

/** The size of a photo that fits into a frame uncropped; a small one is not enlarged. */
export function fit(photo: Size, frame: Size): Size {
  const by = Math.min(1, frame.width / photo.width, frame.height / photo.height);
  return { width: photo.width * by, height: photo.height * by };
}

function clamp(value: number, least: number, most: number): number {
  // + 0: with nothing to spare the least is -0, which a style would print
  return Math.min(most, Math.max(least, value)) + 0;
}
