import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "pino";
import { requestBounds, shortConnection } from "#server/platform/db/time-limits.ts";
import type { Database } from "#server/platform/db/database.ts";
import { destroy } from "#server/platform/db/clients.ts";
import { waitAtMost } from "#server/platform/lifecycle.ts";

type Listener<Hint> = (hints: readonly Hint[]) => void;

export type Hints<Hint> = {
  /** Announces that something changed, once the transaction in progress has committed. */
  publish: (hint: Hint) => void;
  /**
   * Called with each batch of different hints, ours and other processes'. Returns a function that stops it.
   */
  listen: (listener: Listener<Hint>) => () => void;
  /** Called when hints of other processes may have been missed. */
  onGap: (listener: () => void) => void;
  close: () => Promise<void>;
};

const channel = "postcard_hints";
/** How long hints are collected before they are sent to other processes in one statement, milliseconds. */
const collectMs = 40;
/** PostgreSQL takes payloads under 8000 bytes (documentation of NOTIFY). */
const mostBytes = 7_900;
/** How many hints are stored while there is no connection. */
const mostWaiting = 10_000;
/** How often the connection is checked, milliseconds. */
const heartbeatMs = 15_000;
/** Pauses before reconnecting after a lost connection, milliseconds, doubled up to the second number. */
const reconnect = { first: 250, most: 10_000 };

/**
 * A hint as the few characters that one process sends to others; null for a text that this release does not
 * know.
 */
type Words<Hint> = { encode: (hint: Hint) => string; decode: (text: string) => Hint | null };

type Deps<Hint> = {
  db: Database;
  words: Words<Hint>;
  log: Pick<Logger, "warn">;
  /** how long the connection may take to answer a check, milliseconds */
  answer?: number;
};

/**
 * Hints between the parts of one process and the processes on one database. NOTIFY takes a lock of the
 * whole instance at commit, so it is never part of a transaction that changes something: hints are
 * collected after the commits and sent in one statement, at most 25 times a second, however much happens
 * (decision 0080). A hint may be lost with the process that wrote it, or while the connection is down: what
 * must not be lost can be found in the tables again. The connection is separate, so that no hint ever waits
 * for the pool or takes a connection from it.
 */
export function createHints<Hint>({
  db,
  words,
  log,
  answer = requestBounds.answer,
}: Deps<Hint>): Hints<Hint> {
  const own = randomBytes(6).toString("base64url");
  const listeners = new Set<Listener<Hint>>();
  const gapListeners = new Set<() => void>();
  /** by their text, so that what is published twice is delivered once */
  let here = new Map<string, Hint>();
  const elsewhere = createSender(own, log);
  const ended = new AbortController();
  let listening: Promise<void> | undefined;

  function publish(hint: Hint): void {
    db.afterCommit(() => {
      if (here.size === 0) setImmediate(deliverLocally);
      const text = words.encode(hint);
      here.set(text, hint);
      elsewhere.add(text);
      listening ??= keepListening();
    });
  }

  function deliverLocally(): void {
    const batch = [...here.values()];
    here = new Map();
    deliver(batch);
  }

  function deliver(batch: readonly Hint[]): void {
    for (const listener of listeners) listener(batch);
  }

  /** The first listener, or the first hint, opens the connection. */
  const keepListening = () =>
    stayConnected({ ...shortConnection(db.direct), query_timeout: answer }, ended.signal, {
      onPayload: (payload) => {
        const [sender, ...texts] = payload.split("\n");
        if (sender !== own) deliver(texts.map(words.decode).filter((hint) => hint !== null));
      },
      onConnection: (client) => {
        elsewhere.sendBy(client);
        if (client) for (const listener of gapListeners) listener();
      },
      onFailure: (error) => log.warn({ err: error }, "no connection for hints"),
    });

  return {
    publish,
    listen: (listener) => {
      listeners.add(listener);
      listening ??= keepListening();
      return () => void listeners.delete(listener);
    },
    onGap: (listener) => void gapListeners.add(listener),
    async close() {
      await elsewhere.close();
      ended.abort();
      await listening;
    },
  };
}

/** Collects hints for other processes, and sends them while there is a connection. */
function createSender(own: string, log: Deps<never>["log"]) {
  let waiting = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> = Promise.resolve();
  let connected: pg.Client | undefined;

  /** Without a connection the hints wait for the next one. */
  async function send(): Promise<void> {
    timer = undefined;
    if (!connected || waiting.size === 0) return;
    const payloads = packed(own, waiting);
    waiting = new Set();
    try {
      await notify(connected, payloads);
    } catch (error) {
      log.warn({ err: error }, "other processes were not told what changed");
      if (connected) destroy(connected);
    }
  }

  return {
    add: (text: string) => {
      if (waiting.size < mostWaiting) waiting.add(text);
      timer ??= setTimeout(() => {
        sending = sending.then(send);
      }, collectMs);
    },
    sendBy: (client: pg.Client | undefined) => {
      connected = client;
      void send();
    },
    close: async () => {
      clearTimeout(timer);
      await sending;
      await send();
    },
  };
}

const notify = (client: pg.Client, payloads: readonly string[]) =>
  client.query("select pg_notify($1, payload) from unnest($2::text[]) payload", [
    channel,
    payloads,
  ]);

type Hearing = {
  onPayload: (payload: string) => void;
  /** undefined: it was lost */
  onConnection: (client: pg.Client | undefined) => void;
  onFailure: (error: unknown) => void;
};

/** Listens until the signal is aborted, over one connection after another. */
async function stayConnected(
  config: pg.ClientConfig,
  ended: AbortSignal,
  { onPayload, onConnection, onFailure }: Hearing,
): Promise<void> {
  for (let pause = reconnect.first; !ended.aborted; pause = nextPause(pause)) {
    const client = new pg.Client(config);
    const lost = new Promise<void>((resolve) => {
      client.on("end", resolve);
      client.on("error", () => resolve());
    });
    client.on("notification", ({ payload = "" }) => onPayload(payload));
    let heartbeat: NodeJS.Timeout | undefined;
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      // A connection that only listens would never notice that the other end is gone.
      heartbeat = setInterval(() => {
        client.query("select 1").catch(() => destroy(client));
      }, heartbeatMs).unref();
      onConnection(client);
      pause = reconnect.first;
      if (!ended.aborted) await Promise.race([lost, once(ended, "abort")]);
    } catch (error) {
      onFailure(error);
    }
    onConnection(undefined);
    clearInterval(heartbeat);
    await waitAtMost(1000, client.end()).catch(() => undefined);
    destroy(client);
    await sleep(pause, undefined, { signal: ended }).catch(() => undefined);
  }
}

function nextPause(pause: number): number {
  return Math.min(pause * 2, reconnect.most);
}

/** The hints of one sender as payloads, one hint a line, each payload as long as allowed. */
function packed(sender: string, hints: ReadonlySet<string>): string[] {
  const payloads: string[] = [];
  let payload = sender;
  for (const hint of hints) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(hint) + 1 > mostBytes) {
      payloads.push(payload);
      payload = sender;
    }
    payload += `\n${hint}`;
  }
  return [...payloads, payload];
}

/** For programs without streams, such as the demo town: nothing listens. */
export const noHints = {
  publish: () => undefined,
  listen: () => () => undefined,
  onGap: () => undefined,
  close: async () => undefined,
};
