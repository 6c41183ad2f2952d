import { useEffect, useEffectEvent } from "react";
import type { LiveEvents, LiveType } from "#shared/live.ts";
import { createListeners } from "#app/lib/store.ts";

type Listener<Type extends LiveType> = (data: LiveEvents[Type]) => void;

/** `complete`: every message that was missed comes as an event; everything else is to be read again. */
export type Gap = { complete: boolean };

/*
 * How the components of a page receive the browser's events. The stream itself (live-stream.ts) is loaded
 * for members after hydration: this is all that a first load has of it.
 */
const listeners = new Map<LiveType, Set<Listener<never>>>();
const gaps = createListeners<[gap: Gap]>();

/** A conversation that is just being read still gets the messages since, milliseconds. */
const recentMs = 20_000;
let recent: { at: number; message: LiveEvents["message"] }[] = [];

/**
 * Calls `listener` with each event of a kind. Messages of the last 20 seconds are repeated at once: the
 * data that the page is reading may be older than they are. They are told apart by their numbers.
 * @returns a function that stops listening
 */
export function onLive<Type extends LiveType>(type: Type, listener: Listener<Type>): () => void {
  const those = listeners.get(type) ?? new Set();
  listeners.set(type, those);
  those.add(listener);
  if (type === "message") {
    const onMessage = listener as Listener<"message">;
    for (const { message } of recent.filter(({ at }) => at > Date.now() - recentMs))
      onMessage(message);
  }
  return () => void those.delete(listener);
}

/**
 * Calls `listener` when the stream begins, and when it was disconnected and is back: components that show
 * something that may have changed meanwhile read it again.
 * @returns a function that stops listening
 */
export const onLiveGap = gaps.on;

/** `onLive` as long as the component is mounted; the handler may change with each render. */
export function useLive<Type extends LiveType>(type: Type, handler: Listener<Type>): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => onLive(type, (data) => onEvent(data)), [type]);
}

/** `onLiveGap` as long as the component is mounted. */
export function useLiveGap(handler: (gap: Gap) => void): void {
  const onEvent = useEffectEvent(handler);
  useEffect(() => onLiveGap((gap) => onEvent(gap)), []);
}

/** How many of this page's components show a post: `{author id}.{post id}`. */
const shown = new Map<string, number>();
const others = createListeners<[posts: string[]]>();

export const shownPosts = (): string[] => [...shown.keys()];

/** For the stream only: calls `listener` when this page shows other posts than before. */
export const onShownPosts = others.on;

function changeShown(post: string, by: 1 | -1): void {
  const count = (shown.get(post) ?? 0) + by;
  if (count > 0) shown.set(post, count);
  else shown.delete(post);
  others.emit(shownPosts());
}

/** The counts of an open post, now and whenever they change. */
export function useLiveCounts(
  { id, author }: { id: string; author: { id: string } },
  handler: (counts: LiveEvents["post"]) => void,
): void {
  const post = `${author.id}.${id}`;
  useLive("post", (counts) => {
    if (counts.post === post) handler(counts);
  });
  useEffect(() => {
    changeShown(post, 1);
    return () => changeShown(post, -1);
  }, [post]);
}

/** For the stream only: forwards an event. */
export function emitLive<Type extends LiveType>(type: Type, data: LiveEvents[Type]): void {
  if (type === "message") {
    const now = Date.now();
    const message = data as LiveEvents["message"];
    recent = [...recent.filter(({ at }) => at > now - recentMs), { at: now, message }];
  }
  if (type === "signed-out") recent = [];
  for (const listener of listeners.get(type) ?? []) (listener as Listener<Type>)(data);
}

/** Whether the stream is connected: code that polls may poll less often. */
export const isLive = (): boolean => live;
let live = false;

/** For the stream only: it was cut, and will reconnect. */
export function emitDisconnect(): void {
  live = false;
}

/** For the stream only: it is connected. */
export function emitLiveGap(gap: Gap): void {
  live = true;
  gaps.emit(gap);
}
