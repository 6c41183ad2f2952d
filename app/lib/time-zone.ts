import { useEffect, useSyncExternalStore } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "#app/root.tsx";

const never = () => () => undefined;
let zone: string | undefined;

/** Kept: asking costs as much as building a formatter, and every time on a page asks. */
const browserZone = () => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);

/** The reader's time zone: what the server knows while the page is taken over, then the browser's. */
export function useTimeZone(): string {
  const known = useRouteLoaderData<RootData>("root")?.timeZone ?? "UTC";
  return useSyncExternalStore(never, browserZone, () => known);
}

/** Tells the server the browser's zone for the next page. */
export function useRememberTimeZone(known: string): void {
  useEffect(() => {
    const zone = browserZone();
    if (zone && zone !== known) {
      document.cookie = `time_zone=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax`;
    }
  }, [known]);
}
