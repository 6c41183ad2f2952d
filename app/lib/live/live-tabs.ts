import type { LiveHello, Unread } from "#shared/live.ts";
import type { StreamedEvent } from "#shared/event-stream.ts";
import { openTabsChannel } from "#app/lib/tabs-channel.ts";
import { openStream, type LiveStream } from "#app/lib/live/live-stream.ts";

/** The messages between tabs of one account. */
type TabMessage =
  /** from the tab that holds the stream: an event, and the position after it */
  | { word: "came"; event: StreamedEvent; position: string | null }
  /** from the same, when it begins and in answer to `ask`: there is a leader */
  | { word: "leading"; unread: Unread | null; position: string | null }
  /** from any other: its id and the posts it shows; asks whether there is a leader */
  | { word: "here"; tab: string; posts: readonly string[] }
  | { word: "gone"; tab: string };

type Deps = {
  accountId: string;
  /** every event, whichever tab holds the stream */
  onEvent: (event: StreamedEvent) => void;
  /** this tab begins to receive events, or did not for a while; missed ones are not known */
  onGap: () => void;
  /** the posts of all tabs changed, or the stream did: only where the stream is held */
  onShown: (stream: string, posts: string[]) => void;
  isVisible: () => boolean;
  /**
   * null where the browser has none (plain http): each tab has a stream of its own, while it is visible.
   * The same where it has no channel between tabs.
   */
  locks: LockManager | null;
  open?: typeof openStream;
};

/** A leader that does not answer for this long is asleep, milliseconds: phones suspend background tabs. */
const leaderTimeoutMs = 3_000;

export type Tabs = {
  /** The page came back, or the network: checks whether there is a leader, and announces this tab. */
  wake: (anew?: boolean) => void;
  /** The page is not visible any more. */
  rest: () => void;
  /** Which posts this tab shows. */
  show: (posts: readonly string[]) => void;
  leave: () => void;
};

type Leading = {
  name: string;
  locks: LockManager | null;
  /** this tab leads from now on */
  begin: () => void;
  /** it no longer leads */
  end: () => void;
  /** another tab took over */
  ask: () => void;
};

/** The lock that one tab of an account holds: the browser gives it to the next when that one closes. */
function createLead({ name, locks, begin, end, ask }: Leading) {
  const queue = new AbortController();
  let resign: (() => void) | undefined;

  /** Leads until it leaves, or until another tab takes over. */
  function lead(): Promise<void> | undefined {
    if (queue.signal.aborted) return;
    begin();
    return new Promise((resolve) => {
      resign = resolve;
    });
  }

  /** Waits for its turn, again when another tab took over. */
  async function queueUp(): Promise<void> {
    try {
      await locks?.request(name, { signal: queue.signal }, lead);
    } catch {
      end();
      if (queue.signal.aborted) return;
      ask();
      void queueUp();
    }
  }

  return {
    queueUp,
    /** Its own turn stays in the queue. */
    async takeOver(): Promise<void> {
      try {
        await locks?.request(name, { steal: true }, lead);
      } catch {
        end();
        ask();
      }
    },
    giveUp(): void {
      resign?.();
      resign = undefined;
    },
    leave: () => queue.abort(),
  };
}

/**
 * One stream for all tabs of an account in this browser: the tab that holds the lock has it and forwards
 * events to the others. When it closes the browser gives the lock to the next one, which continues from the
 * last received position, so that nothing is lost between the two. Names contain the account: tabs of
 * another one have another lock and another channel.
 */
export function joinTabs(deps: Deps): Tabs {
  const { accountId, onEvent, onGap, onShown, isVisible, open = openStream } = deps;
  const name = `postcard-live-${accountId}`;
  const tab = Math.random().toString(36).slice(2);
  const channel = deps.locks && openTabsChannel(name);
  const locks = channel && deps.locks;
  const shown = new Map<string, readonly string[]>([[tab, []]]);
  let position: string | null = null;
  let unread: Unread | null = null;
  let stream: LiveStream | null = null;
  let streamId: string | null = null;
  let follows = false;
  let left = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const lead = createLead({ name, locks, begin, end, ask });

  function say(word: TabMessage): void {
    // A channel reaches its own origin only; it takes no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel?.postMessage(word);
  }

  function take(event: StreamedEvent, now: string | null): void {
    if (event.type === "unread") unread = event.data as Unread;
    onEvent(event);
    position = now;
    if (event.type === "signed-out") leave();
  }

  function begin(): void {
    clearTimeout(patience);
    follows = false;
    stream ??= open({
      accountId,
      after: position,
      onEvent(event) {
        if (left) return;
        const now = event.id ?? position;
        if (event.type === "hello") streamId = (event.data as LiveHello).stream;
        say({ word: "came", event, position: now });
        take(event, now);
        if (event.type === "hello") sendShown();
      },
    });
    say({ word: "leading", unread, position });
  }

  function end(): void {
    stream?.close();
    stream = null;
    streamId = null;
    lead.giveUp();
  }

  /** Sends the leader what this tab shows; if none answers, a visible tab takes over. */
  function ask(): void {
    if (!channel || stream || left) return;
    say({ word: "here", tab, posts: shown.get(tab) ?? [] });
    clearTimeout(patience);
    patience = setTimeout(() => {
      if (isVisible() && !stream && !left) void lead.takeOver();
    }, leaderTimeoutMs);
  }

  function sendShown(): void {
    if (streamId !== null) onShown(streamId, [...new Set([...shown.values()].flat())]);
  }

  function onMessage({ data }: MessageEvent<TabMessage>): void {
    // The lock may have come first: then there is no position to continue from.
    const over = data.word === "came" && data.event.type === "signed-out";
    if (data.word === "came" && (over || !stream)) take(data.event, data.position);
    if (data.word === "leading" && !stream) {
      clearTimeout(patience);
      position = data.position;
      if (data.unread) onEvent({ type: "unread", data: data.unread });
      if (!follows) onGap();
      follows = true;
    }
    if (data.word === "here" || data.word === "gone") {
      if (data.word === "here") shown.set(data.tab, data.posts);
      else shown.delete(data.tab);
      if (!stream) return;
      if (data.word === "here") say({ word: "leading", unread, position });
      sendShown();
    }
  }

  function leave(): void {
    if (left) return;
    left = true;
    clearTimeout(patience);
    lead.leave();
    end();
    say({ word: "gone", tab });
    channel?.close();
  }

  channel?.addEventListener("message", onMessage);
  if (locks) {
    void lead.queueUp();
    ask();
  } else if (isVisible()) begin();

  return {
    wake(anew) {
      if (stream) stream.wake(anew);
      else if (!locks && !left) begin();
      else ask();
    },
    rest() {
      if (!locks) end();
    },
    show(posts) {
      shown.set(tab, posts);
      if (stream) sendShown();
      else ask();
    },
    leave,
  };
}
