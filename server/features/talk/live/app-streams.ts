import type { Outlet } from "#server/features/talk/live/streams.ts";
import { addTo, takeFrom } from "#server/features/talk/live/multimap.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** What somebody may listen to: what stands in their own lists, or one list for everybody. */
export type Channel = "home" | "notifications" | "everybody" | `tag:${string}`;

/** One event in the words of a face, written once for all who hear it. */
export type AppStreamEvent = {
  event: string;
  payload: string;
  /** the payload as a JSON string */ quoted: string;
};

/** What carries news to an app; unlike a browser's, it says itself how it stays awake. */
export type AppOutlet = Pick<Outlet, "backlog" | "end"> & {
  /** by the name of a subscription */
  send: (name: string, event: AppStreamEvent) => void;
  /** now and then: asks whether anybody is there, and ends itself where nobody is */
  beat: () => void;
  /** ends at once, without a word to who does not read */
  drop: () => void;
};

/** A connection of an app on behalf of a member. */
export type AppStream = {
  viewer: Viewer;
  tokenId: string;
  /** what it listens to, by the name that its face has for it */
  subscriptions: ReadonlyMap<string, readonly Channel[]>;
  outlet: AppOutlet;
};

type AppStreamEntry = AppStream & {
  network: string;
  subscriptions: Map<string, readonly Channel[]>;
};

/** Of one account at once; the oldest yields to the newest, as tabs that sleep do. */
export const mostAppStreams = 16;
/** From one network at once, in one process: a school behind one address has room, a flood has not. */
const mostFromNetwork = 256;
/** What one connection may listen to at once. */
export const mostSubscriptions = 64;
/** An app that takes nothing for so long that this much waits is cut off, bytes; it reads anew. */
const mostWaiting = 512 * 1024;

/** The connections of apps in this process. */
export function createAppStreams() {
  const all = new Set<AppStreamEntry>();
  const byAccount = new Map<string, Set<AppStreamEntry>>();
  const byNetwork = new Map<string, Set<AppStreamEntry>>();
  /** accounts that listen to a channel, with the streams by which they do */
  const byChannel = new Map<Channel, Map<string, Set<AppStreamEntry>>>();

  /** Refuses with too-many-attempts where a network has as many as it may. */
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

  /** False where it listens to as much as it may already. */
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

  /** By every subscription that has one of these channels. */
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
