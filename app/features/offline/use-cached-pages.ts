import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isBrowserDataCleared } from "#app/lib/browser-data.ts";
import { onFirstInteraction } from "#app/lib/page/first-interaction.ts";
import { whenIdle } from "#app/lib/page/time-zone.ts";

/**
 * A member's browser caches a page for when the server cannot be reached, and at home the feed. When idle
 * after each navigation, and when the page is hidden; before the first interaction the code for it is not
 * loaded. Browsers offer no worker on plain http.
 */
export function useCachedPages(viewerId: string): void {
  const here = useLocation();
  const member = useRef<string | null>(viewerId);
  useEffect(() => {
    member.current = viewerId;
    if (!("serviceWorker" in navigator)) return;
    const atHome = here.pathname === "/" && !new URLSearchParams(here.search).has("cursor");
    const isOwn = () => member.current === viewerId && !isBrowserDataCleared();
    const cache = () => void cachePages({ ownerId: viewerId, atHome, isOwn });
    const leaves = () => document.visibilityState === "hidden" && cache();
    document.addEventListener("visibilitychange", leaves);
    let giveUpQuiet = () => {};
    const giveUp = onFirstInteraction(() => {
      giveUpQuiet = whenIdle(cache);
    });
    return () => {
      member.current = null;
      giveUp();
      giveUpQuiet();
      document.removeEventListener("visibilitychange", leaves);
    };
  }, [viewerId, here]);
}

async function cachePages(options: { ownerId: string; atHome: boolean; isOwn: () => boolean }) {
  try {
    const pages = await import("#app/features/offline/cache-pages.ts");
    await pages.cachePages(options);
  } catch {
    // The connection failed before the code had loaded.
  }
}
