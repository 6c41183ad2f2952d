import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { frame } from "#server/features/talk/live/frames.ts";
import * as queries from "#server/features/talk/live/live.queries.ts";
import type { createStreams, StreamEvent } from "#server/features/talk/live/streams.ts";
import { unreadEvents } from "#server/features/talk/live/unread.ts";

/** Messages that come within this time are read together, milliseconds. */
const gatherMs = 10;

type Deps = {
  db: Database;
  log: Pick<Logger, "error">;
  streams: ReturnType<typeof createStreams>;
};

/** Reads what was written since the last read, once for all streams, and sends it to them. */
export function createMessageReader(deps: Deps) {
  const { db, log, streams } = deps;
  let position: queries.Position | null = null;
  /** Messages of the last read: the next read may find them again. */
  let lastRead = new Set<string>();
  let reading: Promise<void> | null = null;
  let readAgain = false;

  /** One read at a time; requests meanwhile become one more read after it. */
  function read(): void {
    if (streams.count() === 0) return;
    if (reading) {
      readAgain = true;
      return;
    }
    reading = guarded(log, async () => {
      await new Promise((resolve) => {
        setTimeout(resolve, gatherMs);
      });
      await deliver();
    }).finally(() => {
      reading = null;
      if (!readAgain) return;
      readAgain = false;
      read();
    });
  }

  async function deliver(): Promise<void> {
    const sent = streams.beforeRead();
    const found = await queries.messagesSince(db, position ?? "0");
    const fresh = found.messages.filter((message) => !lastRead.has(keyOf(message)));
    lastRead = new Set(found.messages.map(keyOf));
    position = found.position;
    await send(deps, fresh, found.position);
    sent();
  }

  return {
    read,
    /** The next read starts here. */
    startAt(here: queries.Position) {
      position = here;
    },
  };
}

async function send(
  { db, log, streams }: Deps,
  fresh: readonly queries.NewMessage[],
  position: queries.Position,
): Promise<void> {
  const lists = [...byRecipient(fresh)].filter(([accountId]) => streams.has(accountId));
  const reached = lists.filter(([accountId, messages]) =>
    messages.some(({ senderId }) => senderId !== accountId),
  );
  // In one write: half the cost of an event is writing to a socket.
  const ids = reached.map(([accountId]) => accountId);
  const unread = await unreadEvents(db, ids).catch((error: unknown) => {
    log.error({ err: error }, "the unread count could not be sent with a message");
    return new Map<string, StreamEvent>();
  });
  for (const [accountId, messages] of lists) {
    const last = messages.length - 1;
    // Only after the last of them has the browser got everything up to this position.
    const events = messages.map((message, index) => ({
      key: keyOf(message),
      text: frame("message", message.json, index === last ? position : undefined),
    }));
    const counts = unread.get(accountId);
    streams.sendTo(accountId, ...events, ...(counts ? [counts] : []));
  }
}

/** A failed read is tried again by the next timer: the streams stay open meanwhile. */
export async function guarded(log: Pick<Logger, "error">, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    log.error({ err: error }, "events could not be sent to the streams");
  }
}

export function keyOf({ conversationId, seq, xid }: queries.NewMessage): string {
  return `${conversationId}.${seq}.${xid}`;
}

function byRecipient(messages: readonly queries.NewMessage[]) {
  const lists = new Map<string, queries.NewMessage[]>();
  for (const message of messages) {
    for (const accountId of message.recipients) {
      const list = lists.get(accountId);
      if (list) list.push(message);
      else lists.set(accountId, [message]);
    }
  }
  return lists;
}
