import { useEffect, useSyncExternalStore } from "react";
import { useRootData } from "#app/lib/page/root-data.ts";

/** The browser's own zone, as soon as it was asked. */
let own: string | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The reader's time zone: what the server knows from the page before, and soon the browser's. */
export function useTimeZone(): string {
  const known = useRootData()?.timeZone ?? "UTC";
  return useSyncExternalStore(
    subscribe,
    () => own ?? known,
    () => known,
  );
}

/**
 * Asks the browser for its zone and tells the server for the next page. In a quiet moment: it loads
 * the tables of Intl, which keeps a phone busy for 40 ms, and seldom says anything new.
 */
export function useRememberTimeZone(known: string): void {
  useEffect(
    () =>
      whenQuiet(() => {
        own = Intl.DateTimeFormat().resolvedOptions().timeZone || known;
        if (own === known) return;
        document.cookie = `time_zone=${encodeURIComponent(own)}; Path=/; Max-Age=31536000; SameSite=Lax`;
        for (const listener of listeners) listener();
      }),
    [known],
  );
}

/** Calls back when the browser has nothing else to do. @returns the way to give it up */
export function whenQuiet(then: () => void): () => void {
  // Safari has no requestIdleCallback.
  if (!("requestIdleCallback" in window)) {
    const timer = setTimeout(then, 200);
    return () => clearTimeout(timer);
  }
  const call = requestIdleCallback(then, { timeout: 2_000 });
  return () => cancelIdleCallback(call);
}
