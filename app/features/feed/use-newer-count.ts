import { useEffect, useState } from "react";
import { getJson } from "#app/lib/post-form.ts";

/** How often a visible page asks, milliseconds; doubled after each failure up to the second. */
const everyMs = 60_000;
const atMostEveryMs = 16 * everyMs;

/**
 * How many posts are newer than the first one shown. Asks gently: only while the page is seen and
 * the browser is online, and at once when one comes back to a page that was hidden for longer.
 */
export function useNewerCount(firstId: string | undefined): number {
  const [known, setKnown] = useState({ firstId, count: 0 });

  useEffect(() => {
    if (!firstId) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = everyMs;
    let due = Date.now() + pause;
    let ended = false;

    function wait(): void {
      due = Date.now() + pause;
      clearTimeout(timer);
      timer = setTimeout(ask, pause);
    }

    async function ask(): Promise<void> {
      if (document.visibilityState === "hidden" || !navigator.onLine) return;
      try {
        const path = `/calls/newer?${new URLSearchParams({ than: firstId ?? "" })}`;
        const { count } = await getJson<{ count: number }>(path);
        if (ended) return;
        pause = everyMs;
        setKnown({ firstId, count });
      } catch {
        if (ended) return;
        pause = Math.min(pause * 2, atMostEveryMs);
      }
      wait();
    }

    function lookAgain(): void {
      if (Date.now() >= due) void ask();
    }

    wait();
    document.addEventListener("visibilitychange", lookAgain);
    window.addEventListener("online", lookAgain);
    return () => {
      ended = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", lookAgain);
      window.removeEventListener("online", lookAgain);
    };
  }, [firstId]);

  return known.firstId === firstId ? known.count : 0;
}
