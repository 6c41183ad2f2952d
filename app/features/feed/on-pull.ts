type Pull = {
  mayPull: () => boolean;
  /** how far it is: 1 is far enough */
  onMove: (share: number) => void;
  onPulled: () => void;
};

/** So far a finger pulls, CSS pixels: less is a touch, more a way down. */
const slop = 10;
const farEnough = 120;

/** Where a pull down has a meaning of its own. */
const others = "input, textarea, dialog, [popover], [contenteditable]";

/**
 * Listens to one finger that pulls the page down from its top. The listeners never hold the browser
 * up: at its top there is nothing to scroll. @returns how to stop
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
    // Its first direction counts: a swipe through photos, or further down the page, is no pull.
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
