import { useEffect, useState } from "react";
import { isLive, onLive, onLiveGap } from "#app/lib/live/live.ts";
import { getJson } from "#app/lib/api-client.ts";

/** How often a visible page polls, milliseconds; doubled after each failure up to the last. */
const everyMs = 60_000;
/** While the stream announces new posts: its events are hints, and a hint may be lost. */
const everyWhileLiveMs = 5 * everyMs;
const atMostEveryMs = 16 * everyMs;
/** A page younger than this has the newest posts, milliseconds. */
const readMs = 10_000;
/** All followers are notified of a post at the same moment, and must not ask in the same one. */
const spreadMs = 1_500;

/**
 * How many posts are newer than the first one shown: read when the stream announces one, and from time to
 * time. Only while the page is visible and the browser is online, and at once when a page becomes visible
 * that was hidden for longer.
 */
export function useNewerCount(firstId: string | undefined): number {
  const [known, setKnown] = useState({ firstId, count: 0 });

  useEffect(() => {
    if (firstId) return watchNewer(firstId, (count) => setKnown({ firstId, count }));
  }, [firstId]);

  return known.firstId === firstId ? known.count : 0;
}

/**
 * Asks how many posts are newer than this one, and tells.
 * @returns a function that ends it
 */
function watchNewer(id: string, tell: (count: number) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let pause = everyMs;
  let due = Date.now() + pause;
  const ended = new AbortController();
  const { signal } = ended;
  let asking = false;
  let askAgain = false;

  function wait(ms = Math.max(pause, isLive() ? everyWhileLiveMs : everyMs)): void {
    due = Date.now() + ms;
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  }

  /** Announced again meanwhile, it is still read once. */
  const soon = () => {
    if (asking) askAgain = true;
    else if (due > Date.now() + spreadMs) wait(Math.random() * spreadMs);
  };
  const begun = Date.now();
  const stops = [
    onLive("new-post", soon),
    // When the stream begins, the page was read a moment ago; later there may have been a gap.
    onLiveGap(() => {
      if (Date.now() - begun > readMs) soon();
    }),
  ];

  async function ask(): Promise<void> {
    if (document.visibilityState === "hidden" || !navigator.onLine) return;
    asking = true;
    askAgain = false;
    try {
      const { count } = await getJson<{ count: number }>(`/api/feed/newer?than=${id}`);
      if (signal.aborted) return;
      pause = everyMs;
      tell(count);
    } catch {
      if (signal.aborted) return;
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
  document.addEventListener("visibilitychange", lookAgain, { signal });
  window.addEventListener("online", lookAgain, { signal });
  return () => {
    ended.abort();
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
