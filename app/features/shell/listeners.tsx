import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { whenActed } from "#app/features/shell/when-alive.tsx";
import { forgetKeptMessages } from "#app/lib/forms/kept-messages.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { onSessionNews } from "#app/lib/live/session-channel.ts";

const ActListeners = whenActed(
  async () => (await import("#app/features/shell/act-listeners.tsx")).ActListeners,
);

/**
 * What only listens. Nobody waits for it to see a page. It is the last to come, so it also marks the
 * document as alive, for tests and for programs. `writes`: as in `ActListeners`.
 */
export function Listeners({ writes = false }: { writes?: boolean }) {
  useFollowOtherTabs();
  useEffect(() => {
    document.documentElement.dataset["alive"] = "";
  }, []);
  return <ActListeners writes={writes} />;
}

/** Signed out elsewhere: nothing of the member stays here. Signed in elsewhere: be a member here. */
function useFollowOtherTabs(): void {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out") {
          forgetLists();
          forgetKeptMessages();
          window.location.assign("/");
        } else void revalidate();
      }),
    [revalidate],
  );
}
