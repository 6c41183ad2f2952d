import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Unread } from "#shared/live.ts";

export const nothingUnread: Unread = { notifications: 0, messages: 0 };

type News = Partial<Unread> & { since: Unread | null };

/** The counts the page was read with, and what changed since then. */
let current: Unread | null = null;
let news: News = { since: null };
const none: News = { since: null };
const listeners = new Set<() => void>();

/** Says what is unread now, until the next page brings its own counts. Call it in an effect. */
export function setUnread(now: Partial<Unread>): void {
  news = { ...(news.since === current ? news : {}), ...now, since: current };
  for (const listener of listeners) listener();
}

/** The counts a page was read with, or newer ones. */
export function useUnread(read: Unread): Unread {
  const { since, ...changed } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => news,
    () => none,
  );
  // Before the effects of the screen, which may know better.
  useLayoutEffect(() => {
    current = read;
  }, [read]);
  return since === read ? { ...read, ...changed } : read;
}
