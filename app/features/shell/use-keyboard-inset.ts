import { useEffect } from "react";

/** At least this much of the window is a keyboard, not the browser's own bars, CSS pixels. */
const leastKeyboard = 120;

/**
 * Sets on the document how much of the window an on-screen keyboard leaves (styles/phone.css): it lies over
 * the page, whose size stays, and the browser pans the page. When zoomed in, less is visible, too; then
 * nothing is set.
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
