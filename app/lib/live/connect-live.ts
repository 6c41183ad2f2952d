import type { LiveEvents, LiveHello, LiveType } from "#shared/live.ts";
import {
  onShownPosts,
  shownPosts,
  emitDisconnect,
  emitLive,
  emitLiveGap,
} from "#app/lib/live/live.ts";
import { joinTabs, type Tabs } from "#app/lib/live/live-tabs.ts";
import { createWatchedPostsCall } from "#app/lib/live/watched-posts.ts";
import { receiveUnread } from "#app/lib/live/unread.ts";

const isVisible = () => document.visibilityState === "visible";

/** Connects this page to the member's events. @returns a function that ends this */
export function connectLive(accountId: string): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let tabs: Tabs | null = null;

  function join(): void {
    tabs ??= joinTabs({
      accountId,
      onEvent: ({ type, data }) => {
        if (type === "hello") emitLiveGap({ complete: (data as LiveHello).complete });
        else if (type === "away") emitDisconnect();
        else if (type !== "level") emitLive(type as LiveType, data as LiveEvents[LiveType]);
        if (type === "unread") receiveUnread(data as LiveEvents["unread"]);
      },
      onGap: () => emitLiveGap({ complete: false }),
      onShown: createWatchedPostsCall(signal),
      isVisible,
      locks: (navigator as Partial<Navigator>).locks ?? null,
    });
    tabs.show(shownPosts());
  }

  function leave(): void {
    tabs?.leave();
    tabs = null;
    emitDisconnect();
  }

  // A suspended page must not hold what others wait for; it reconnects when it is back.
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
