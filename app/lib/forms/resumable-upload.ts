import { callError, callErrorOf, toCallError } from "#app/lib/api-client.ts";
import type { FinishedUpload, UploadStatus, Transport } from "#app/lib/forms/tus-transport.ts";
import { createWaiting, delayAfter, type Waiting } from "#app/lib/forms/upload-waiting.ts";

export type UploadHandle = {
  /**
   * Resolves with the id and view of the finished picture; rejects with a call error as `callErrorOf`
   * reads it (cancelled: a DOMException, AbortError).
   */
  done: Promise<FinishedUpload>;
  pause(): void;
  /** Goes on after a pause; one that waits tries at once. */
  resume(): void;
  /** Stops, and removes what arrived from the server. */
  cancel(): void;
};

type Options = {
  /**
   * The address of an upload begun earlier (from a draft): goes on where it stopped; begins anew when
   * the server no longer has it.
   */
  url?: string | undefined;
  /** Called when the server has given the upload its address: keep it in the draft. */
  onUrl?: (url: string) => void;
  /** 0 to 1 of the bytes the server has acknowledged. */
  onProgress?: (fraction: number) => void;
  /** What it waits for before it tries again by itself; null when it sends again. */
  onWaiting?: (waiting: Waiting | null) => void;
};

const overTus: Transport = {
  // A piece of its own: only who has a photo to send loads it.
  send: async (file, sending) => {
    const piece = await import("#app/lib/forms/tus-transport.ts").catch(() => {
      throw toCallError(0, null);
    });
    return piece.sendParts(file, sending);
  },
  see: (url, signal) => callUpload<UploadStatus>("GET", url, signal),
  remove: (url) => callUpload("DELETE", url).then(() => undefined),
};

/** How long to wait before the first tries again, milliseconds; then as long as the last. */
const delays = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
/** Between two looks at a picture that is being made. */
const lookEveryMs = 500;

/**
 * Sends a photo so that it arrives: tries again by itself while the network is away, at once when it
 * is back, and goes on where it stopped, for as long as the page lives. Only a refusal ends it: of
 * the file, of the session, or for want of room.
 */
export function startUpload(
  file: Blob,
  { url: begun, onUrl, onProgress, onWaiting }: Options,
  transport: Transport = overTus,
): UploadHandle {
  const cancelled = new AbortController();
  let round = new AbortController();
  let url = begun !== undefined && isOurs(begun) ? begun : undefined;
  let paused = false;
  let failures = 0;
  /** of its bytes that were ever acknowledged, 0 to 1: more of them is progress */
  let best = 0;
  const { sleep, wake } = createSleep();
  const waiting = createWaiting(onWaiting);

  function acknowledged(fraction: number): void {
    if (fraction > best) {
      best = fraction;
      failures = 0;
      waiting.over();
    } else {
      waiting.reached();
    }
    onProgress?.(fraction);
  }

  async function run(): Promise<FinishedUpload> {
    for (;;) {
      if (paused) await sleep();
      cancelled.signal.throwIfAborted();
      if (paused) continue;
      round = new AbortController();
      try {
        return await tryOnce(round.signal);
      } catch (error) {
        cancelled.signal.throwIfAborted();
        if (round.signal.aborted) continue;
        await betweenTries(error);
      }
    }
  }

  async function tryOnce(signal: AbortSignal): Promise<FinishedUpload> {
    const arrived = await transport.send(file, {
      url,
      signal,
      onUrl: (given) => {
        if (given === url) return;
        url = given;
        onUrl?.(given);
      },
      onAcknowledged: acknowledged,
    });
    acknowledged(1);
    return untilReady(() => transport.see(arrived, signal), signal, sleep);
  }

  /** Returns when it is time to try again; throws what no other try would change. */
  async function betweenTries(error: unknown): Promise<void> {
    const { status = 0 } = callErrorOf(error);
    const goneThere = (status === 404 || status === 410) && url !== undefined;
    if (goneThere) {
      url = undefined;
      best = 0;
      onProgress?.(0);
    } else if (!mayPass(error)) {
      throw await explained(error, () => url && transport.see(url, cancelled.signal));
    }
    const delay = delays[Math.min(failures, delays.length - 1)] ?? 0;
    failures += 1;
    if (goneThere && failures === 1) return;
    waiting.failed(error);
    await sleep(delayAfter(error, delay));
  }

  addEventListener("online", wake);
  const done = run().finally(() => {
    removeEventListener("online", wake);
    waiting.end();
  });
  // Who cancels may not listen any more.
  done.catch(() => undefined);

  return {
    done,
    pause: () => {
      paused = true;
      waiting.over();
      round.abort();
      wake();
    },
    resume: () => {
      paused = false;
      failures = 0;
      wake();
    },
    cancel: () => {
      if (cancelled.signal.aborted) return;
      cancelled.abort();
      round.abort();
      wake();
      // What cannot be removed now expires there.
      if (url !== undefined) transport.remove(url).catch(() => undefined);
    },
  };
}

/** Looks at a picture that is being made, until it is there. */
async function untilReady(
  see: () => Promise<UploadStatus>,
  signal: AbortSignal,
  sleep: (ms: number) => Promise<void>,
): Promise<FinishedUpload> {
  for (;;) {
    const seen = await see();
    signal.throwIfAborted();
    if (seen.state === "ready") {
      const { imageId, picture, still } = seen;
      return { imageId, picture, still };
    }
    if (seen.state === "refused") throw callError(seen.error.code, seen.error.message, 422);
    // It lost some of it, with its power perhaps.
    if (seen.state === "arriving") throw toCallError(0, null);
    await sleep(lookEveryMs);
    signal.throwIfAborted();
  }
}

/** An answer to HEAD carries no sentence: what it would have said is asked for. */
async function explained(
  error: unknown,
  see: () => Promise<UploadStatus> | undefined | "",
): Promise<unknown> {
  if (callErrorOf(error).code !== "internal") return error;
  try {
    await see();
    return error;
  } catch (said) {
    return mayPass(said) ? error : said;
  }
}

/** A sleep until `wake` is called, or so many milliseconds are over. */
function createSleep() {
  let end: (() => void) | undefined;
  return {
    wake: () => end?.(),
    sleep: (ms?: number) =>
      new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(() => end?.(), ms);
        end = () => {
          clearTimeout(timer);
          end = undefined;
          resolve();
        };
      }),
  };
}

/** A draft may say anything: only uploads of this server are asked for. */
function isOurs(url: string): boolean {
  return /^\/api\/uploads\/[\w-]+$/.test(url);
}

/** What a person has to see to: room, fewer uploads, a picture that can be read in time. */
const forSender = new Set(["too-many-uploads", "too-many-writes", "picture-timeout"]);

/** The network, the server or somebody else's request: the same again may get through. */
function mayPass(error: unknown): boolean {
  const { status = 0, code = "" } = callErrorOf(error);
  if (forSender.has(code)) return false;
  return [0, 408, 409, 423, 425, 429, 500, 502, 503, 504].includes(status);
}

async function callUpload<Answer>(
  method: "GET" | "DELETE",
  url: string,
  signal?: AbortSignal,
): Promise<Answer> {
  const silence = AbortSignal.timeout(20_000);
  const answer = await fetch(url, {
    method,
    headers: { Accept: "application/json", "Tus-Resumable": "1.0.0" },
    signal: signal ? AbortSignal.any([signal, silence]) : silence,
    // a page that is left still says what is not wanted
    keepalive: method === "DELETE",
  }).catch(() => {
    throw toCallError(0, null);
  });
  const body: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const retryAfter = Number(answer.headers.get("Retry-After")) || 0;
    throw Object.assign(toCallError(answer.status, body), { retryAfter });
  }
  return body as Answer;
}
