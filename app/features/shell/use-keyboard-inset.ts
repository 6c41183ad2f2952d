import { useEffect } from "react";

/** So much less of the window is a keyboard, not the browser's own bars, CSS pixels. */
const leastKeyboard = 120;

/**
 * Says in the document how much of the window an on-screen keyboard leaves (styles/phone.css): it lies
 * over the page, whose size stays, and the browser moves what it shows of the page. Zoomed by fingers
 * less is shown, too; then nothing is told.
 */
export function useKeyboardInset(): void {
  useEffect(() => {
    const { visualViewport: seen } = window;
    if (!seen) return;
    const root = document.documentElement;

    function measure({ height, offsetTop, scale }: VisualViewport): void {
      const gone = window.innerHeight - height;
      const open = Math.abs(scale - 1) < 0.01 && gone > leastKeyboard;
      root.toggleAttribute("data-keyboard", open);
      root.style.setProperty("--shown", open ? `${height}px` : null);
      root.style.setProperty("--pan", open ? `${offsetTop}px` : null);
      root.style.setProperty("--covered", open ? `${gone - offsetTop}px` : null);
    }

    const stop = new AbortController();
    for (const type of ["resize", "scroll"]) {
      seen.addEventListener(type, () => measure(seen), { signal: stop.signal });
    }
    measure(seen);
    return () => stop.abort();
  }, []);
}
