import { useLayoutEffect, useState } from "react";
import { useHydrated } from "#app/lib/page/hydrated.ts";

/**
 * Whether this window has been in front, visible and focused, for so many milliseconds without a break: a
 * press before that may have been meant for what was on top of it. True where there are no scripts.
 */
export function useSeen(ms: number): boolean {
  const alive = useHydrated();
  const [seen, setSeen] = useState(false);
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const lost = () => {
      clearTimeout(timer);
      setSeen(false);
    };
    const look = () => {
      lost();
      if (document.visibilityState !== "visible" || !document.hasFocus()) return;
      timer = setTimeout(() => setSeen(true), ms);
    };
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener("blur", lost, { signal });
    addEventListener("focus", look, { signal });
    // Restored from the browser's cache, it is new to whoever looks.
    addEventListener("pageshow", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
    look();
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [ms]);
  return !alive || seen;
}
