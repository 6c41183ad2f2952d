import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { isForgotten } from "#app/lib/forms/kept-messages.ts";
import { onFirstAct } from "#app/lib/page/first-act.ts";
import { whenQuiet } from "#app/lib/page/time-zone.ts";

/**
 * A member's browser stores a page for when the server cannot be reached, and at home the feed. In a
 * quiet moment after each arrival, and when one looks away; whoever has not touched the page yet is not
 * charged for the code of it. Browsers offer no worker on plain http.
 */
export function useKeptPages(viewerId: string): void {
  const here = useLocation();
  const member = useRef<string | null>(viewerId);
  useEffect(() => {
    member.current = viewerId;
    if (!("serviceWorker" in navigator)) return;
    const atHome = here.pathname === "/" && !new URLSearchParams(here.search).has("cursor");
    const isOwn = () => member.current === viewerId && !isForgotten();
    const keep = () => void keepPages({ ownerId: viewerId, atHome, isOwn });
    const leaves = () => document.visibilityState === "hidden" && keep();
    document.addEventListener("visibilitychange", leaves);
    let giveUpQuiet = () => {};
    const giveUp = onFirstAct(() => {
      giveUpQuiet = whenQuiet(keep);
    });
    return () => {
      member.current = null;
      giveUp();
      giveUpQuiet();
      document.removeEventListener("visibilitychange", leaves);
    };
  }, [viewerId, here]);
}

async function keepPages(keeping: { ownerId: string; atHome: boolean; isOwn: () => boolean }) {
  try {
    const pages = await import("#app/features/offline/keep-pages.ts");
    await pages.keepPages(keeping);
  } catch {
    // The line went before its code came.
  }
}
