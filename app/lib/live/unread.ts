import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Unread } from "#shared/live.ts";

export const nothingUnread: Unread = { notifications: 0, messages: 0 };

type News = {
  now: Partial<Unread>;
  /** the counts of the page that they are newer than */
  since: Unread | null;
  /** when the stream told them, epoch ms; 0: it did not */
  at: number;
};

/** What was told while a page was being read is newer than that page, milliseconds. */
const readingMs = 3_000;

/** The counts the page was read with, and what changed since then. */
let current: Unread | null = null;
const none: News = { now: {}, since: null, at: 0 };
let news = none;
const listeners = new Set<() => void>();

/** Says what is unread now, until the next page brings its own counts. Not while rendering. */
export function setUnread(now: Partial<Unread>): void {
  tell({ now: { ...(news.since === current ? news.now : {}), ...now }, since: current, at: 0 });
}

/** The same from the stream: a page that was being read meanwhile does not know better. */
export function hearUnread(now: Unread): void {
  tell({ now, since: current, at: Date.now() });
}

function tell(next: News): void {
  news = next;
  for (const listener of listeners) listener();
}

/** The counts a page was read with, or newer ones. */
export function useUnread(read: Unread): Unread {
  const { now, since } = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => news,
    () => none,
  );
  // Before the effects of the screen, which may know better.
  useLayoutEffect(() => {
    const told = current !== null && news.since === current && Date.now() - news.at < readingMs;
    current = read;
    if (told) tell({ ...news, since: read });
  }, [read]);
  return since === read ? { ...read, ...now } : read;
}
