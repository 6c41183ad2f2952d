import type { LiveEvents, LiveHello, LiveType } from "#shared/live.ts";
import {
  onShownPosts,
  shownPosts,
  emitDisconnect,
  emitLive,
  emitLiveGap,
} from "#app/lib/live/live.ts";
import { joinTabs, type Tabs } from "#app/lib/live/live-tabs.ts";
import { receiveUnread } from "#app/lib/live/unread.ts";
import { limits } from "#shared/limits.ts";

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

/** Failed calls are repeated after, milliseconds. */
const againMs = 10_000;

/** Reports to the server which posts the tabs of a stream show: the latest state, one call at a time. */
function createWatchedPostsCall(ended: AbortSignal) {
  let sentTo = "";
  let sent = "";
  let wanted = "";
  let calling = false;

  async function call(): Promise<void> {
    if (calling) return;
    calling = true;
    while (wanted !== sent && !ended.aborted) {
      const body = wanted;
      if (await put(body)) sent = body;
      else await new Promise((resolve) => setTimeout(resolve, againMs));
    }
    calling = false;
  }

  return (stream: string, posts: readonly string[]): void => {
    // A new stream follows nothing yet.
    if (stream !== sentTo) sent = JSON.stringify({ stream, posts: [] });
    sentTo = stream;
    wanted = JSON.stringify({ stream, posts: posts.slice(-limits.watchedPosts) });
    void call();
  };
}

/** Whether it is reported, or need not be repeated: a refusal is final. */
async function put(body: string): Promise<boolean> {
  try {
    const answer = await fetch("/api/events/watched", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body,
      signal: AbortSignal.timeout(20_000),
    });
    return answer.status < 500 && answer.status !== 429;
  } catch {
    return false;
  }
}
