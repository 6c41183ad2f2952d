import { useEffect, useState } from "react";
import { isLive, onLive, onLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/api-client.ts";

/** How often a visible page asks, milliseconds; doubled after each failure up to the last. */
const everyMs = 60_000;
/** While the stream tells of new posts: it tells by hints, and a hint may be lost. */
const everyWhileLiveMs = 5 * everyMs;
const atMostEveryMs = 16 * everyMs;
/** A page younger than this has the newest posts, milliseconds. */
const readMs = 10_000;
/** All followers hear of a post in the same moment, and must not ask in the same one. */
const spreadMs = 1_500;

/**
 * How many posts are newer than the first one shown: asked when the stream tells of one, and gently
 * from time to time. Only while the page is seen and the browser is online, and at once when one
 * comes back to a page that was hidden for longer.
 */
export function useNewerCount(firstId: string | undefined): number {
  const [known, setKnown] = useState({ firstId, count: 0 });

  useEffect(() => {
    if (!firstId) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pause = everyMs;
    let due = Date.now() + pause;
    let ended = false;
    let asking = false;
    let askAgain = false;

    function wait(ms = Math.max(pause, isLive() ? everyWhileLiveMs : everyMs)): void {
      due = Date.now() + ms;
      clearTimeout(timer);
      timer = setTimeout(ask, ms);
    }

    /** Told again meanwhile, it is still asked once. */
    const soon = () => {
      if (asking) askAgain = true;
      else if (due > Date.now() + spreadMs) wait(Math.random() * spreadMs);
    };
    const begun = Date.now();
    const stops = [
      onLive("new-post", soon),
      // The page was read a moment ago when the stream begins; later it was away.
      onLiveGap(() => {
        if (Date.now() - begun > readMs) soon();
      }),
    ];

    async function ask(): Promise<void> {
      if (document.visibilityState === "hidden" || !navigator.onLine) return;
      asking = true;
      askAgain = false;
      try {
        const { count } = await getJson<{ count: number }>(`/api/feed/newer?than=${firstId}`);
        if (ended) return;
        pause = everyMs;
        setKnown({ firstId, count });
      } catch {
        if (ended) return;
        pause = Math.min(pause * 2, atMostEveryMs);
      }
      asking = false;
      if (askAgain) wait(spreadMs);
      else wait();
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
      for (const stop of stops) stop();
      document.removeEventListener("visibilitychange", lookAgain);
      window.removeEventListener("online", lookAgain);
    };
  }, [firstId]);

  return known.firstId === firstId ? known.count : 0;
}
