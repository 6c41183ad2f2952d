import {
  closeUp,
  fit,
  fitted,
  clampView,
  mostZoom,
  zoomAt,
  type Point,
  type Size,
  type View,
} from "#app/features/posts/lightbox/zoom.ts";

type GestureHandlers = {
  /** 1: to what is at its right, -1: at its left */
  onSwipe: (towards: 1 | -1) => void;
  onDismiss: () => void;
  /** One press, on the photo or beside it. */
  onPress: (beside: boolean) => void;
  /** Zoomed so far that single pixels are visible. */
  onLookClosely: () => void;
};

/** `size`: the pixels it is drawn from; `full`: all pixels of the original. */
type Sizes = { size: Size; full: Size };

export type Gestures = {
  zoomBy: (factor: number) => void;
  zoomOut: () => void;
  /** Moves a zoomed photo; false where it is not zoomed and nothing can move. */
  pan: (by: Point) => boolean;
  /** The frame has another size than before. */
  refit: () => void;
  detach: () => void;
};

/** CSS pixels: less is a tap, more a swipe to the side, or a pull down that closes. */
const tap = 8;
const swipe = 48;
const pullDown = 96;
/** Two taps within this many milliseconds are one double tap. */
const doubleTapMs = 300;

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);
const middle = (a: Point, b: Point) => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/**
 * Fits a photo into a frame; zooms and moves it by fingers, mouse and wheel. The styles are set from here:
 * the content security policy allows none in the page.
 */
export function attachGestures(
  frame: HTMLElement,
  image: HTMLElement,
  { size, full }: Sizes,
  { onSwipe, onDismiss, onPress, onLookClosely }: GestureHandlers,
): Gestures {
  let view: View = fitted;
  let pulled: Point = { x: 0, y: 0 };
  let pinched = false;
  let closely = false;
  let lastTap = { at: -Infinity, point: pulled };
  let press = 0;
  const pointers = new Map<number, Point>();

  const zoomed = (factor: number, at: Point) =>
    zoomAt(view, factor, at, mostZoom(size, full, frameSize()));

  const frameSize = () => ({ width: frame.clientWidth, height: frame.clientHeight });

  function point({ clientX, clientY }: { clientX: number; clientY: number }): Point {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
  }

  function draw({ scale, x, y }: View, smooth: boolean): void {
    image.style.transition = smooth ? "transform 160ms ease-out" : "none";
    image.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
  }

  function show(next: View, smooth = false): void {
    view = clampView(next, frameSize(), size);
    frame.toggleAttribute("data-zoomed", view.scale > 1);
    draw(view, smooth);
    const drawn = fit(size, frameSize()).width * view.scale * window.devicePixelRatio;
    if (closely || view.scale === 1 || drawn <= size.width) return;
    closely = true;
    onLookClosely();
  }

  function refit(): void {
    const { width, height } = fit(size, frameSize());
    image.style.width = `${width}px`;
    image.style.height = `${height}px`;
    show(view);
  }

  function begin(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest("button")) return;
    frame.setPointerCapture(event.pointerId);
    clearTimeout(press);
    pointers.set(event.pointerId, point(event));
    pinched = pointers.size > 1;
    pulled = { x: 0, y: 0 };
  }

  function move(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = point(event);
    pointers.set(event.pointerId, now);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const [from, to] = [middle(before, other), middle(now, other)];
      const next = zoomed(distance(now, other) / Math.max(1, distance(before, other)), to);
      show({ ...next, x: next.x + to.x - from.x, y: next.y + to.y - from.y });
    } else if (view.scale > 1) {
      show({ ...view, x: view.x + now.x - before.x, y: view.y + now.y - before.y });
      pulled = { x: pulled.x + now.x - before.x, y: pulled.y + now.y - before.y };
    } else if (!pinched) {
      pulled = { x: pulled.x + now.x - before.x, y: pulled.y + now.y - before.y };
      const sideways = Math.abs(pulled.x) > Math.abs(pulled.y);
      draw({ scale: 1, x: sideways ? pulled.x : 0, y: sideways ? 0 : pulled.y }, false);
    }
  }

  function end(event: PointerEvent): void {
    if (!pointers.delete(event.pointerId) || pointers.size > 0 || pinched) return;
    const at = point(event);
    if (Math.hypot(pulled.x, pulled.y) < tap) return tapped(at, event.timeStamp);
    if (view.scale > 1) return;
    show(fitted, true);
    if (Math.abs(pulled.x) > Math.abs(pulled.y)) {
      if (Math.abs(pulled.x) > swipe) onSwipe(pulled.x < 0 ? 1 : -1);
    } else if (pulled.y > pullDown) onDismiss();
  }

  function tapped(at: Point, when: number): void {
    const shown = fit(size, frameSize());
    const beside = Math.abs(at.x) > shown.width / 2 || Math.abs(at.y) > shown.height / 2;
    if (view.scale === 1 && beside) return onPress(true);
    if (when - lastTap.at < doubleTapMs && distance(at, lastTap.point) < 4 * tap) {
      show(view.scale > 1 ? fitted : zoomed(closeUp, at), true);
      lastTap = { at: -Infinity, point: at };
      return;
    }
    lastTap = { at: when, point: at };
    press = window.setTimeout(() => onPress(false), doubleTapMs);
  }

  function cancel(event: PointerEvent): void {
    pointers.delete(event.pointerId);
    show(view, true);
  }

  function wheel(event: WheelEvent): void {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    show(zoomed(Math.exp(-event.deltaY * lines * 0.002), point(event)));
  }

  const ended = new AbortController();
  const { signal } = ended;
  frame.addEventListener("pointerdown", begin, { signal });
  frame.addEventListener("pointermove", move, { signal });
  frame.addEventListener("pointerup", end, { signal });
  frame.addEventListener("pointercancel", cancel, { signal });
  frame.addEventListener("wheel", wheel, { signal, passive: false });
  const resized = new ResizeObserver(refit);
  resized.observe(frame);
  refit();

  return {
    zoomBy: (factor) => show(zoomed(factor, { x: 0, y: 0 }), true),
    refit,
    zoomOut: () => show(fitted, true),
    pan(by) {
      if (view.scale === 1) return false;
      show({ ...view, x: view.x + by.x, y: view.y + by.y }, true);
      return true;
    },
    detach() {
      ended.abort();
      clearTimeout(press);
      resized.disconnect();
      frame.removeAttribute("data-zoomed");
    },
  };
}
