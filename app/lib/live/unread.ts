import { useLayoutEffect, useSyncExternalStore } from "react";
import type { Unread } from "#shared/live.ts";
import { createStore } from "#app/lib/store.ts";

export const nothingUnread: Unread = { notifications: 0, messages: 0 };

type News = {
  now: Partial<Unread>;
  /** the counts of the page that they are newer than */
  since: Unread | null;
  /** when the stream delivered them, epoch ms; 0: it did not */
  at: number;
};

/** Counts that arrived while a page was being read are newer than that page, milliseconds. */
const readingMs = 3_000;

/** The counts the page was read with, and what changed since then. */
let current: Unread | null = null;
const none: News = { now: {}, since: null, at: 0 };
const news = createStore(none);

/** Sets the unread counts, until the next page brings its own. Not while rendering. */
export function setUnread(now: Partial<Unread>): void {
  const before = news.now();
  const known = before.since === current ? before.now : {};
  news.set({ now: { ...known, ...now }, since: current, at: 0 });
}

/** The same from the stream: a page that was being read meanwhile does not override them. */
export function receiveUnread(now: Unread): void {
  news.set({ now, since: current, at: Date.now() });
}

/** The counts a page was read with, or newer ones. */
export function useUnread(read: Unread): Unread {
  const { now, since } = useSyncExternalStore(news.subscribe, news.now, () => none);
  // Before the effects of the screen, which may have newer counts.
  useLayoutEffect(() => {
    const latest = news.now();
    const isNewer =
      current !== null && latest.since === current && Date.now() - latest.at < readingMs;
    current = read;
    if (isNewer) news.set({ ...latest, since: read });
  }, [read]);
  return since === read ? { ...read, ...now } : read;
}
