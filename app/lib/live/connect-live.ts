import type { LiveEvents, LiveHello, LiveType } from "#shared/live.ts";
import { onShownPosts, shownPosts, tellAway, tellLive, tellLiveGap } from "#app/lib/live/live.ts";
import { joinTabs, type Tabs } from "#app/lib/live/live-tabs.ts";
import { createShownCall } from "#app/lib/shown-call.ts";
import { hearUnread } from "#app/lib/live/unread.ts";

const isVisible = () => document.visibilityState === "visible";

/** Lets this page hear of what happens to a member. @returns the way to end it */
export function connectLive(accountId: string): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let tabs: Tabs | null = null;

  function join(): void {
    tabs ??= joinTabs({
      accountId,
      onEvent: ({ type, data }) => {
        if (type === "hello") tellLiveGap({ complete: (data as LiveHello).complete });
        else if (type === "away") tellAway();
        else if (type !== "level") tellLive(type as LiveType, data as LiveEvents[LiveType]);
        if (type === "unread") hearUnread(data as LiveEvents["unread"]);
      },
      onGap: () => tellLiveGap({ complete: false }),
      onShown: createShownCall(signal),
      isVisible,
      locks: (navigator as Partial<Navigator>).locks ?? null,
    });
    tabs.show(shownPosts());
  }

  function leave(): void {
    tabs?.leave();
    tabs = null;
    tellAway();
  }

  // A page that sleeps holds nothing that others wait for; it hears again when it is back.
  window.addEventListener("pagehide", leave, { signal });
  document.addEventListener("freeze", leave, { signal });
  window.addEventListener("pageshow", join, { signal });
  document.addEventListener("resume", join, { signal });
  window.addEventListener("online", () => tabs?.wake(true), { signal });
  document.addEventListener("visibilitychange", () => (isVisible() ? tabs?.wake() : tabs?.rest()), {
    signal,
  });
  signal.addEventListener(
    "abort",
    onShownPosts((posts) => tabs?.show(posts)),
  );
  signal.addEventListener("abort", leave);
  join();
  return () => ended.abort();
}
