type Pull = {
  mayPull: () => boolean;
  /** the progress: 1 is far enough */
  onMove: (share: number) => void;
  onPulled: () => void;
};

/** Length of a full pull, CSS pixels: less is a tap, more needs a long way. */
const slop = 10;
const farEnough = 120;

/** Elements where a pull down means something else. */
const others = "input, textarea, dialog, [popover], [contenteditable]";

/**
 * Listens to one finger that pulls the page down from its top. The listeners never block scrolling: at its
 * top there is nothing to scroll.
 * @returns a function that stops listening
 */
export function onPull({ mayPull, onMove, onPulled }: Pull): () => void {
  let from: { x: number; y: number } | null = null;
  let pulling = false;
  let share = 0;
  const stop = new AbortController();
  const passive = { passive: true, signal: stop.signal };

  function rest(): void {
    from = null;
    pulling = false;
    share = 0;
    onMove(0);
  }

  function begin({ touches, target }: TouchEvent): void {
    const [finger] = touches;
    const zoomed = (window.visualViewport?.scale ?? 1) > 1.01;
    const apart = target instanceof Element && target.closest(others) !== null;
    if (!finger || touches.length > 1 || window.scrollY > 0 || zoomed || apart || !mayPull()) {
      return rest();
    }
    from = { x: finger.clientX, y: finger.clientY };
  }

  function move({ touches }: TouchEvent): void {
    const [finger] = touches;
    if (!from || !finger) return;
    const [across, down] = [Math.abs(finger.clientX - from.x), finger.clientY - from.y];
    // The first direction counts: a swipe through photos, or further down the page, is no pull.
    if (!pulling && Math.max(across, Math.abs(down)) > slop) {
      if (down <= across) return rest();
      pulling = true;
    }
    if (!pulling) return;
    if (window.scrollY > 0) return rest();
    share = Math.min(Math.max((down - slop) / (farEnough - slop), 0), 1);
    onMove(share);
  }

  function end(): void {
    const pulled = pulling && share === 1;
    rest();
    if (pulled && mayPull()) onPulled();
  }

  document.addEventListener("touchstart", begin, passive);
  document.addEventListener("touchmove", move, passive);
  document.addEventListener("touchend", end, passive);
  document.addEventListener("touchcancel", rest, passive);
  return () => stop.abort();
}
