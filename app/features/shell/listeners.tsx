import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { whenInteracted } from "#app/features/shell/when-hydrated.tsx";
import { clearBrowserData } from "#app/lib/browser-data.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { onSessionChange } from "#app/lib/live/session-channel.ts";

const InteractionListeners = whenInteracted(
  async () => (await import("#app/features/shell/interaction-listeners.tsx")).InteractionListeners,
);

/**
 * Listeners only. Nobody waits for it to see a page. It is the last to load, so it also marks the document
 * as alive, for tests and for programs. `writes`: as in `InteractionListeners`.
 */
export function Listeners({ writes = false }: { writes?: boolean }) {
  useFollowOtherTabs();
  useEffect(() => {
    document.documentElement.dataset["alive"] = "";
  }, []);
  return <InteractionListeners writes={writes} />;
}

/** Signed out elsewhere: nothing of the member stays here. Signed in elsewhere: reload as a member. */
function useFollowOtherTabs(): void {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      onSessionChange((news) => {
        if (news === "signed-out") {
          forgetLists();
          clearBrowserData();
          window.location.assign("/");
        } else void revalidate();
      }),
    [revalidate],
  );
}
