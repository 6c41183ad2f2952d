import { createEventReader, type StreamedEvent } from "#shared/event-stream.ts";
import { isSigningOut } from "#app/lib/live/session-channel.ts";

/** Why a stream ended for good, or how long to wait before reconnecting, milliseconds. */
type Outcome = { ended: "signed-out" } | { ended: "cut"; waitMs: number; livedMs: number };

type Options = {
  /** whose events they are: another account's never arrive here */
  accountId: string;
  /** the last received position; null: none */
  after: string | null;
  /** the server's events, and `away` when the stream was cut and will reconnect */
  onEvent: (event: StreamedEvent) => void;
};

export type LiveStream = {
  /**
   * Reconnects at once if it is disconnected, or has been silent for longer than it should be. `anew`: the
   * network has changed, so that connections over the former one are dead.
   */
  wake: (anew?: boolean) => void;
  close: () => void;
};

/** Before the first and at most before the next tries, milliseconds: doubled each time. */
const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** The server sends something each 20 s: a longer silence means that the connection is dead. */
const silentMs = 50_000;
/** A stream that lasted this long was no failure. */
const heldMs = 30_000;

type Reading = Options & { signal: AbortSignal; onActivity: () => void };

/**
 * Reads one stream to its end.
 * @returns how long the server asks to wait, milliseconds; or that nobody is signed in
 */
async function readStream(reading: Reading): Promise<number | "signed-out"> {
  const { accountId, after, signal, onActivity, onEvent } = reading;
  const query = new URLSearchParams({ account: accountId });
  if (after !== null) query.set("after", after);
  const answer = await fetch(`/api/events?${query}`, {
    headers: { Accept: "text/event-stream" },
    cache: "no-store",
    signal,
  });
  // Nobody is signed in any more, or somebody else is.
  if (answer.status === 401 || answer.status === 403) return "signed-out";
  const type = answer.headers.get("Content-Type") ?? "";
  if (!answer.ok || !answer.body || !type.startsWith("text/event-stream")) {
    return 1000 * Number(answer.headers.get("Retry-After") ?? 0) || 0;
  }
  const read = createEventReader((event) => {
    if (!signal.aborted) onEvent(event);
  });
  const pieces = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await pieces.read(); !piece.done; piece = await pieces.read()) {
    onActivity();
    read(piece.value);
  }
  return 0;
}

/**
 * The member's stream of events, kept open: after a cut it reconnects with the last position, with growing
 * random delays so that browsers do not all return at once. Read with fetch and not with EventSource, which
 * exposes neither a refusal's status nor a comment, and gives up for good on any refusal.
 */
export function openStream({ accountId, after, onEvent }: Options): LiveStream {
  let position = after;
  let closed = false;
  let failures = 0;
  let heardAt = Date.now();
  let hurry = false;
  let cut: AbortController | undefined;
  let endPause: (() => void) | undefined;

  async function keepOpen(): Promise<void> {
    while (!closed) {
      // The page ends the session itself, and is about to unload: do not reconnect.
      if (isSigningOut()) {
        await pause(firstWaitMs, false);
        continue;
      }
      const outcome = await listen();
      if (closed) return;
      if (outcome.ended === "signed-out") {
        closed = true;
        return onEvent({ type: "signed-out", data: {} });
      }
      onEvent({ type: "away", data: {} });
      failures = outcome.livedMs > heldMs ? 0 : failures + 1;
      // Offline there is nothing to try; the online event wakes us.
      const waitMs = navigator.onLine === false ? longestWaitMs : hurry ? 0 : waitAfter(failures);
      hurry = false;
      await pause(Math.max(outcome.waitMs, waitMs), outcome.waitMs === 0);
    }
  }

  async function listen(): Promise<Outcome> {
    const begun = Date.now();
    const controller = new AbortController();
    cut = controller;
    let watch: ReturnType<typeof setTimeout> | undefined;
    let signedOut = false;
    const restartWatch = () => {
      heardAt = Date.now();
      clearTimeout(watch);
      watch = setTimeout(() => controller.abort(), silentMs);
    };
    restartWatch();
    const end = await readStream({
      accountId,
      after: position,
      signal: controller.signal,
      onActivity: restartWatch,
      onEvent: (event) => {
        if (event.type === "signed-out") signedOut = true;
        else {
          onEvent(event);
          position = event.id ?? position;
        }
      },
    }).catch(() => 0);
    clearTimeout(watch);
    controller.abort();
    if (signedOut || end === "signed-out") return { ended: "signed-out" };
    return { ended: "cut", waitMs: end, livedMs: Date.now() - begun };
  }

  /** A delay that the server asked for is not shortened. */
  function pause(ms: number, canEnd: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        if (!canEnd && !closed) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  void keepOpen();
  return {
    wake(anew = false) {
      endPause?.();
      if (!anew && Date.now() - heardAt <= silentMs / 2) return;
      hurry = cut?.signal.aborted === false;
      cut?.abort();
    },
    close() {
      closed = true;
      cut?.abort();
      endPause?.();
    },
  };
}

/** Between half of it and all of it, so that those who were cut off together do not return together. */
function waitAfter(failures: number): number {
  const most = Math.min(firstWaitMs * 2 ** Math.min(failures, 10), longestWaitMs);
  return most / 2 + (Math.random() * most) / 2;
}
