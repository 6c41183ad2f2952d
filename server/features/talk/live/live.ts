import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import type { Hint, Hints } from "#server/features/change-hint.ts";
import { isId } from "#server/platform/db/ids.ts";
import type { Relations } from "#server/features/people/index.ts";
import type { Explore, References } from "#server/features/posts/index.ts";
import { livingTokens } from "#server/features/talk/live/app-events.queries.ts";
import { createAppEvents } from "#server/features/talk/live/app-events.ts";
import {
  createAppStreams,
  type AppOutlet,
  type AppStream,
} from "#server/features/talk/live/app-streams.ts";
import { event, frame } from "#server/features/talk/live/frames.ts";
import * as queries from "#server/features/talk/live/live.queries.ts";
import { createMessageReader, guarded, keyOf } from "#server/features/talk/live/message-reader.ts";
import { createFanOut } from "#server/features/talk/live/fan-out.ts";
import { sendUnread } from "#server/features/talk/live/unread.ts";
import { createStreams, type Outlet, type Stream } from "#server/features/talk/live/streams.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";

/** How soon messages of other processes are read though no hint came, milliseconds. */
const lookMs = 1000;
/** How soon a stream whose session ended is closed, milliseconds: within a second, with the query. */
const sessionsMs = 500;
/** Proxies close connections that are silent for a minute. */
const heartbeatMs = 20_000;
/** Of a stream that was away for long; open conversations find the rest by their numbers. */
const mostMissed = 500;

type Deps = {
  db: Database;
  hints: Hints;
  log: Pick<Logger, "error">;
  references: Pick<References, "forAnyAudience">;
  relations: Pick<Relations, "named">;
  explore: Pick<Explore, "among">;
};

/**
 * The streams that bring browsers what happened. Messages are read from their table by transaction
 * numbers, once for all streams of this process, so none is lost whoever wrote it and whenever it
 * committed; everything else is a hint, read with the rights of those who get it. A stream that was
 * away names the last position it got and gets what it missed.
 */
export function createLive({ db, hints, log, ...reads }: Deps) {
  const streams = createStreams();
  const apps = createAppStreams();
  const appEvents = createAppEvents({ db, streams: apps, ...reads });
  const fanOut = createFanOut({ db, streams });
  const reader = createMessageReader({ db, log, streams });
  let starting: Promise<void> | null = null;
  const timers: NodeJS.Timeout[] = [];
  let stopListening: (() => void) | undefined;
  let stopped = false;

  /** The first stream starts the polling; a process without streams does nothing. */
  function start(): Promise<void> {
    starting ??= (async () => {
      await queries.setBackForeignPositions(db);
      reader.startAt(await queries.positionNow(db));
      stopListening = hints.listen((batch) => {
        void guarded(log, () => handle(batch));
        void guarded(log, () => appEvents.handle(batch));
      });
      hints.onGap(reader.read);
      timers.push(
        setInterval(reader.read, lookMs),
        setInterval(() => void guarded(log, () => closeEnded(db, streams)), sessionsMs),
        setInterval(() => void guarded(log, () => closeEndedApps(db, apps)), sessionsMs),
        setInterval(() => beat(streams, apps), heartbeatMs),
      );
      for (const timer of timers) timer.unref();
    })().catch((error: unknown) => {
      starting = null;
      throw error;
    });
    return starting;
  }

  async function handle(batch: readonly Hint[]): Promise<void> {
    if (streams.count() === 0) return;
    if (batch.some(({ kind }) => kind === "messages")) reader.read();
    await fanOut.send(batch);
  }

  return {
    async open(viewer: Viewer, outlet: Outlet, after: string | null): Promise<Stream> {
      await start();
      if (stopped) throw refuse("not-ready");
      return openStream({ db, streams, reader }, viewer, outlet, after);
    },
    watch: (viewer: Viewer, streamId: string, posts: readonly string[]) =>
      watch(hints, viewer, streamId, posts),
    close: (stream: Stream) => streams.close(stream),
    count: () => streams.count() + apps.count(),
    /** Connections of apps that members authorized. */
    apps: {
      /** Opens a connection of an app, which then subscribes. */
      async open(
        caller: { viewer: Viewer; tokenId: string; network: string },
        outlet: AppOutlet,
      ): Promise<AppStream> {
        await start();
        if (stopped) throw refuse("not-ready");
        return apps.open(caller, outlet);
      },
      close: apps.close,
      subscribe: apps.subscribe,
      unsubscribe: apps.unsubscribe,
      send: apps.send,
      setHandler: appEvents.setHandler,
    },
    /** Ends every stream: their browsers reconnect to another process, or after the next start. */
    stop() {
      stopped = true;
      stopListening?.();
      fanOut.stop();
      for (const timer of timers) clearInterval(timer);
      for (const stream of streams.all()) streams.close(stream);
      for (const stream of apps.all()) apps.close(stream);
    },
  };
}

export type Live = ReturnType<typeof createLive>;

type Streams = ReturnType<typeof createStreams>;
type AppStreams = ReturnType<typeof createAppStreams>;

type Opening = {
  db: Database;
  streams: Streams;
  reader: ReturnType<typeof createMessageReader>;
};

/**
 * Opens a stream; `after` is the last position that an earlier stream of this browser got. Its
 * first event is `hello`, with the stream's id, by which its tabs say what they show.
 */
async function openStream(
  { db, streams, reader }: Opening,
  viewer: Viewer,
  outlet: Outlet,
  after: string | null,
): Promise<Stream> {
  const here = await queries.positionNow(db);
  // There was no stream to get what was written meanwhile.
  if (streams.count() === 0) reader.startAt(here);
  const stream = streams.open(viewer, outlet);
  try {
    const position = isPosition(after) ? after : null;
    const search = { accountId: viewer.id, limit: mostMissed };
    const missed = position ? await queries.missedMessages(db, { ...search, position }) : [];
    // A position in the future is from another cluster: a backup was restored meanwhile.
    const known = position !== null && BigInt(position) <= BigInt(here);
    const complete = known && missed.length < mostMissed;
    streams.write(stream, event("hello", { stream: stream.id, complete }));
    for (const message of missed) streams.write(stream, frame("message", message.json));
    streams.write(stream, event("level", {}, here));
    streams.caughtUp(stream, missed.map(keyOf));
    await sendUnread({ db, streams }, [viewer.id]);
    return stream;
  } catch (error) {
    streams.close(stream);
    throw error;
  }
}

/** Says which posts the tabs of a browser show now. The stream may be another process's. */
function watch(hints: Hints, viewer: Viewer, streamId: string, posts: readonly string[]): void {
  const right = posts.every((post) => post.split(".").every(isId) && post.includes("."));
  if (!right || posts.length > limits.watchedPosts || !/^[\w-]{22}$/.test(streamId)) {
    throw refuse("input-invalid");
  }
  hints.publish({ kind: "watch", sessionId: viewer.sessionId, streamId, posts });
}

/** Signed out, revoked, suspended, expired: any end of a session ends its streams. */
async function closeEnded(db: Database, streams: Streams): Promise<void> {
  const open = [...streams.all()];
  if (open.length === 0) return;
  const living = await queries.livingSessions(
    db,
    open.map(({ sessionId }) => sessionId),
  );
  for (const stream of open) {
    if (living.has(stream.sessionId)) continue;
    streams.write(stream, event("signed-out", {}));
    streams.close(stream);
  }
}

/** Revoked, signed out everywhere, suspended: any end of a token ends its streams. */
async function closeEndedApps(db: Database, apps: AppStreams): Promise<void> {
  const open = [...apps.all()];
  if (open.length === 0) return;
  const living = await livingTokens(db, [...new Set(open.map(({ tokenId }) => tokenId))]);
  for (const stream of open) if (!living.has(stream.tokenId)) apps.close(stream);
}

function beat(streams: Streams, apps: AppStreams): void {
  for (const stream of streams.all()) streams.write(stream, ":\n\n");
  for (const stream of apps.all()) stream.outlet.beat();
}

function isPosition(text: string | null): text is string {
  return text !== null && /^\d{1,19}$/.test(text);
}
