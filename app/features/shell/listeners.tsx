import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { useBeLive } from "#app/features/shell/use-be-live.ts";
import { Shortcuts } from "#app/features/shortcuts/shortcuts.tsx";
import { forgetLists } from "#app/lib/remembered-lists.ts";
import { onSessionNews } from "#app/lib/session-channel.ts";
import { useCountInTitle } from "#app/lib/title-count.ts";

export type ListenersProps = { viewerId: string | null; unread: number };

/**
 * What only listens: to the keyboard, to the other tabs and to titles. Nobody waits for it to see a page. It
 * is the last to come, so it also marks the document as alive, for tests and for programs.
 */
export function Listeners({ viewerId, unread }: ListenersProps) {
  useFollowOtherTabs();
  useBeLive(viewerId);
  useCountInTitle(unread);
  useEffect(() => {
    document.documentElement.dataset["alive"] = "";
  }, []);
  return <Shortcuts />;
}

/** Signed out elsewhere: nothing of the member stays here. Signed in elsewhere: be a member here. */
function useFollowOtherTabs(): void {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out") {
          forgetLists();
          window.location.assign("/");
        } else void revalidate();
      }),
    [revalidate],
  );
}
