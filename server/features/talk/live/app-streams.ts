import type { Outlet } from "#server/features/talk/live/streams.ts";
import { addTo, takeFrom } from "#server/features/talk/live/multimap.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** What somebody may listen to: their own lists, or one list for everybody. */
export type Channel = "home" | "notifications" | "everybody" | `tag:${string}`;

/** One event in the format of an API, written once for all listeners. */
export type AppStreamEvent = {
  event: string;
  payload: string;
  /** the payload as a JSON string */ quoted: string;
};

/**
 * What carries events to an app; unlike a browser's stream, it decides itself how it stays open.
 */
export type AppOutlet = Pick<Outlet, "backlog" | "end"> & {
  /** by the name of a subscription */
  send: (name: string, event: AppStreamEvent) => void;
  /** called now and then: checks whether the client is there, and ends itself where it is not */
  beat: () => void;
  /** ends at once, without a close message to a client that does not read */
  drop: () => void;
};

/** A connection of an app on behalf of a member. */
export type AppStream = {
  viewer: Viewer;
  tokenId: string;
  /** what it listens to, by the name that its API has for it */
  subscriptions: ReadonlyMap<string, readonly Channel[]>;
  outlet: AppOutlet;
};

type AppStreamEntry = AppStream & {
  network: string;
  subscriptions: Map<string, readonly Channel[]>;
};

/** Streams of one account at once; the oldest is closed for the newest, as with sleeping tabs. */
export const mostAppStreams = 16;
/**
 * Streams from one network at once, in one process: enough for a school behind one address, not for
 * a flood.
 */
const mostFromNetwork = 256;
/** Subscriptions of one connection at once. */
export const mostSubscriptions = 64;
/** An app that reads so slowly that this many bytes wait is cut off; it connects again. */
const mostWaiting = 512 * 1024;

/** The connections of apps in this process. */
export function createAppStreams() {
  const all = new Set<AppStreamEntry>();
  const byAccount = new Map<string, Set<AppStreamEntry>>();
  const byNetwork = new Map<string, Set<AppStreamEntry>>();
  /** accounts that listen to a channel, with the streams by which they do */
  const byChannel = new Map<Channel, Map<string, Set<AppStreamEntry>>>();

  /** Refuses with too-many-attempts where a network has as many as allowed. */
  function open(
    { viewer, tokenId, network }: { viewer: Viewer; tokenId: string; network: string },
    outlet: AppOutlet,
  ): AppStream {
    if ((byNetwork.get(network)?.size ?? 0) >= mostFromNetwork) {
      throw refuse("too-many-attempts", { retryAfter: 60 });
    }
    const stream: AppStreamEntry = { viewer, tokenId, network, subscriptions: new Map(), outlet };
    all.add(stream);
    addTo(byNetwork, network, stream);
    const own = addTo(byAccount, viewer.id, stream);
    const [oldest] = own;
    if (own.size > mostAppStreams && oldest) close(oldest);
    return stream;
  }

  function close(stream: AppStream, how: "end" | "drop" = "end"): void {
    const entry = stream as AppStreamEntry;
    if (!all.delete(entry)) return;
    for (const name of entry.subscriptions.keys()) unsubscribe(entry, name);
    takeFrom(byNetwork, entry.network, entry);
    takeFrom(byAccount, entry.viewer.id, entry);
    entry.outlet[how]();
  }

  /** False where it has as many subscriptions as allowed. */
  function subscribe(stream: AppStream, name: string, channels: readonly Channel[]): boolean {
    const entry = stream as AppStreamEntry;
    if (!all.has(entry)) return false;
    if (!entry.subscriptions.has(name) && entry.subscriptions.size >= mostSubscriptions)
      return false;
    unsubscribe(entry, name);
    entry.subscriptions.set(name, channels);
    for (const channel of channels) {
      const listeners = byChannel.get(channel) ?? new Map<string, Set<AppStreamEntry>>();
      byChannel.set(channel, listeners);
      addTo(listeners, entry.viewer.id, entry);
    }
    return true;
  }

  function unsubscribe(stream: AppStream, name: string): void {
    const entry = stream as AppStreamEntry;
    const channels = entry.subscriptions.get(name) ?? [];
    entry.subscriptions.delete(name);
    const still = new Set([...entry.subscriptions.values()].flat());
    for (const channel of channels) {
      const listeners = byChannel.get(channel);
      if (!listeners || still.has(channel)) continue;
      takeFrom(listeners, entry.viewer.id, entry);
      if (listeners.size === 0) byChannel.delete(channel);
    }
  }

  /** To every subscription that has one of these channels. */
  function send(stream: AppStream, channels: readonly Channel[], event: AppStreamEvent): void {
    for (const [name, own] of stream.subscriptions) {
      if (!own.some((channel) => channels.includes(channel))) continue;
      if (stream.outlet.backlog() > mostWaiting) return close(stream, "drop");
      stream.outlet.send(name, event);
    }
  }

  const listeners = (channel: Channel) => byChannel.get(channel) ?? noListeners;

  return {
    open,
    close,
    subscribe,
    unsubscribe,
    send,
    all: () => all.values(),
    count: () => all.size,
    /** the streams of an account that listen to a channel */
    of: (channel: Channel, accountId: string): Iterable<AppStream> =>
      listeners(channel).get(accountId) ?? [],
    /** who listens to a channel */
    accounts: (channel: Channel): string[] => [...listeners(channel).keys()],
    /** the channels of everybody that somebody listens to */
    shared: (): Channel[] =>
      [...byChannel.keys()].filter((channel) => channel !== "home" && channel !== "notifications"),
    listens: (channel: Channel, accountId: string): boolean => listeners(channel).has(accountId),
  };
}

const noListeners: ReadonlyMap<string, ReadonlySet<AppStreamEntry>> = new Map();
