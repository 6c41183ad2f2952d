import { useEffect, useSyncExternalStore } from "react";
import { createStore } from "#app/lib/store.ts";
import { useRootData } from "#app/lib/page/root-data.ts";

/** The browser's own zone, as soon as it was read. */
const own = createStore<string | undefined>(undefined);

/** The reader's time zone: the one the server stored from the page before, and soon the browser's. */
export function useTimeZone(): string {
  const known = useRootData()?.timeZone ?? "UTC";
  return useSyncExternalStore(
    own.subscribe,
    () => own.now() ?? known,
    () => known,
  );
}

/**
 * Reads the browser's zone and sends it to the server for the next page. When idle: it loads the tables of
 * Intl, which keeps a phone busy for 40 ms, and seldom changes anything.
 */
export function useRememberTimeZone(known: string): void {
  useEffect(
    () =>
      whenIdle(() => {
        const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || known;
        if (zone !== known) {
          document.cookie = `time_zone=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax`;
        }
        own.set(zone);
      }),
    [known],
  );
}

/** Calls back when the browser is idle. @returns a function that cancels this */
export function whenIdle(then: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(then, 200);
    return () => clearTimeout(timer);
  }
  const call = requestIdleCallback(then, { timeout: 2_000 });
  return () => cancelIdleCallback(call);
}
