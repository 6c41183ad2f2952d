import { randomBytes } from "node:crypto";
import { addTo, takeFrom } from "#server/features/talk/live/multimap.ts";
import type { Viewer } from "#shared/views.ts";

/** What carries a stream's bytes to a browser: the response to its request. */
export type Outlet = {
  write: (text: string) => void;
  /** bytes that the browser has not read yet */
  backlog: () => number;
  end: () => void;
};

export type Stream = {
  /** known only to its browser */
  id: string;
  accountId: string;
  sessionId: string;
  /** posts its tabs show: `{author}.{post}` */
  watched: Set<string>;
  outlet: Outlet;
  /** what arrived while the stream still reads what it missed; null once it has caught up */
  buffered: StreamEvent[] | null;
  /** keys of what it read as missed: the same may still arrive as new, in the next read */
  seen: Set<string>;
};

/** `key` is the same for the same event, `text` is its text/event-stream form. */
export type StreamEvent = { key: string; text: string };

/** Streams of one account at once; the oldest is closed for the newest. */
const mostPerAccount = 12;
/** A browser that reads so slowly that this many bytes wait is cut off; it resumes. */
const mostBacklog = 512 * 1024;

/** The open streams of this process. */
export function createStreams() {
  const byId = new Map<string, Stream>();
  const byAccount = new Map<string, Set<Stream>>();
  const byPost = new Map<string, Set<Stream>>();
  /** caught up, and may still get again what they read as missed */
  const settling = new Set<Stream>();

  function open(viewer: Viewer, outlet: Outlet): Stream {
    const stream: Stream = {
      id: randomBytes(16).toString("base64url"),
      accountId: viewer.id,
      sessionId: viewer.sessionId,
      watched: new Set(),
      outlet,
      buffered: [],
      seen: new Set(),
    };
    byId.set(stream.id, stream);
    const own = addTo(byAccount, viewer.id, stream);
    const [oldest] = own;
    if (own.size > mostPerAccount && oldest) close(oldest);
    return stream;
  }

  function close(stream: Stream): void {
    if (!byId.delete(stream.id)) return;
    settling.delete(stream);
    watch(stream, []);
    takeFrom(byAccount, stream.accountId, stream);
    stream.outlet.end();
  }

  /** From now on the stream gets events of these posts and of no others. */
  function watch(stream: Stream, posts: readonly string[]): void {
    for (const post of stream.watched) takeFrom(byPost, post, stream);
    stream.watched = new Set(posts);
    for (const post of stream.watched) addTo(byPost, post, stream);
  }

  /** Sends events to every stream of an account. */
  function sendTo(accountId: string, ...events: StreamEvent[]): void {
    const whole = events.map(({ text }) => text).join("");
    for (const stream of byAccount.get(accountId) ?? []) {
      if (stream.buffered) stream.buffered.push(...events);
      else if (stream.seen.size === 0) write(stream, whole);
      else pass(stream, events);
    }
  }

  function pass(stream: Stream, events: readonly StreamEvent[]): void {
    const fresh = events.filter(({ key }) => !stream.seen.delete(key));
    if (fresh.length > 0) write(stream, fresh.map(({ text }) => text).join(""));
  }

  /** The stream has read what it missed, `seen`: it continues with what was held back. */
  function caughtUp(stream: Stream, seen: Iterable<string>): void {
    const buffered = stream.buffered ?? [];
    stream.buffered = null;
    stream.seen = new Set(seen);
    pass(stream, buffered);
    if (stream.seen.size > 0) settling.add(stream);
  }

  /**
   * Before a read of what is new. Call the returned function once that was sent: streams that had
   * caught up before have by then met again all that they read as missed.
   */
  function beforeRead(): () => void {
    const settled = [...settling];
    return () => {
      for (const stream of settled) {
        stream.seen.clear();
        settling.delete(stream);
      }
    };
  }

  function write(stream: Stream, text: string): void {
    if (stream.outlet.backlog() > mostBacklog) close(stream);
    else stream.outlet.write(text);
  }

  return {
    open,
    close,
    watch,
    sendTo,
    caughtUp,
    beforeRead,
    write,
    find: (id: string) => byId.get(id),
    all: () => byId.values(),
    count: () => byId.size,
    accounts: () => [...byAccount.keys()],
    has: (accountId: string) => byAccount.has(accountId),
    watchersOf: (post: string) => byPost.get(post) ?? none,
  };
}

const none: ReadonlySet<Stream> = new Set();
