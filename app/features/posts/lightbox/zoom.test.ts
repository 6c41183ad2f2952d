import { describe, expect, test } from "vitest";
import { fit, fitted, clampView, mostZoom, zoomAt } from "#app/features/posts/lightbox/zoom.ts";

const frame = { width: 400, height: 800 };
const wide = { width: 1600, height: 800 };

describe("zooming a photo", () => {
  test("keeps the point under the finger in place", () => {
    const view = zoomAt({ scale: 1.5, x: 20, y: -10 }, 2, { x: 50, y: 70 }, 5);
    const under = (point: { x: number; y: number }, { scale, x, y }: typeof view) => ({
      x: (point.x - x) / scale,
      y: (point.y - y) / scale,
    });
    expect(under({ x: 50, y: 70 }, view)).toEqual(
      under({ x: 50, y: 70 }, { scale: 1.5, x: 20, y: -10 }),
    );
  });

  test("ends where each pixel of the original takes one of the window's, or at the whole photo", () => {
    const most = mostZoom(wide, { width: 4000, height: 2000 }, frame);
    expect(most).toBe(10);
    expect(zoomAt(fitted, 100, { x: 0, y: 0 }, most).scale).toBe(most);
    expect(zoomAt({ scale: 2, x: 9, y: 9 }, 0.01, { x: 0, y: 0 }, most).scale).toBe(1);
    const small = { width: 200, height: 100 };
    expect(mostZoom(small, small, frame)).toBe(2);
    expect(clampView({ scale: 1, x: 80, y: -80 }, frame, wide)).toEqual(fitted);
  });

  test("never pulls an edge further in than it must", () => {
    // fitted it is 400 × 200, at three times 1200 × 600: 400 to spare on each side, none in height
    expect(clampView({ scale: 3, x: 5000, y: 5000 }, frame, wide)).toEqual({
      scale: 3,
      x: 400,
      y: 0,
    });
    expect(clampView({ scale: 3, x: -5000, y: -1 }, frame, wide)).toEqual({
      scale: 3,
      x: -400,
      y: 0,
    });
    expect(clampView({ scale: 3, x: 7, y: 0 }, frame, wide)).toEqual({ scale: 3, x: 7, y: 0 });
  });

  test("fits a photo uncropped and never enlarges it", () => {
    expect(fit(wide, frame)).toEqual({ width: 400, height: 200 });
    expect(fit({ width: 100, height: 50 }, frame)).toEqual({ width: 100, height: 50 });
  });
});
