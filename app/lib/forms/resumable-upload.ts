import { callError, callErrorOf, toCallError } from "#app/lib/api-client.ts";
import type { FinishedUpload, UploadStatus, Transport } from "#app/lib/forms/tus-transport.ts";
import {
  createSleep,
  createWaiting,
  delayAfter,
  type Waiting,
} from "#app/lib/forms/upload-waiting.ts";

export type UploadHandle = {
  /**
   * Resolves with the id of the finished image; rejects with a call error as `callErrorOf` reads it
   * (cancelled: a DOMException, AbortError).
   */
  done: Promise<FinishedUpload>;
  pause(): void;
  /** Resumes after a pause; one that waits tries at once. */
  resume(): void;
  /** Stops, and removes from the server what has arrived. */
  cancel(): void;
};

type Options = {
  /**
   * The address of an earlier upload (from a draft): resumes where it stopped; starts again when the server
   * no longer has it.
   */
  url?: string | undefined;
  /** What the server is told when it begins, in ASCII. */
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Called when the server has given the upload its address: store it in the draft. */
  onUrl?: (url: string) => void;
  /** Fraction of the bytes that the server has acknowledged, 0 to 1. */
  onProgress?: (fraction: number) => void;
  /** Why it waits before it retries; null when it sends again. */
  onWaiting?: (waiting: Waiting | null) => void;
};

const overTus: Transport = {
  // A chunk of its own: it loads only when there is a photo to send.
  send: async (file, sending) => {
    const piece = await import("#app/lib/forms/tus-transport.ts").catch(() => {
      throw toCallError(0, null);
    });
    return piece.sendParts(file, sending);
  },
  see: (url, signal) => callUpload<UploadStatus>("GET", url, signal),
  remove: (url) => callUpload("DELETE", url).then(() => undefined),
};

/** The waits before the first retries, milliseconds; then as long as the last. */
const delays = [500, 1000, 2000, 4000, 8000, 15_000, 30_000];
/** Between two polls for an image in processing. */
const lookEveryMs = 500;

/**
 * Uploads a photo reliably: retries while offline, at once when the network is back, and resumes where it
 * stopped, for as long as the page is open. Only a refusal ends it: of the file, of the session, or for
 * lack of space.
 */
export function startUpload(
  file: Blob,
  { url: begun, metadata, onUrl, onProgress, onWaiting }: Options,
  transport: Transport = overTus,
): UploadHandle {
  const cancelled = new AbortController();
  let round = new AbortController();
  let url = begun !== undefined && isOurs(begun) ? begun : undefined;
  let paused = false;
  let failures = 0;
  /** greatest fraction ever acknowledged, 0 to 1: only more counts as progress */
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
      metadata,
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

  /** Returns when it is time to try again; throws errors that no other try would change. */
  async function betweenTries(error: unknown): Promise<void> {
    const { status = 0 } = callErrorOf(error);
    const goneThere = (status === 404 || status === 410) && url !== undefined;
    if (goneThere) {
      url = undefined;
      best = 0;
      onProgress?.(0);
    } else if (!isTemporary(error)) {
      throw await withServerMessage(error, () => url && transport.see(url, cancelled.signal));
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
  // After cancelling, nobody may be listening any more.
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
      // An upload that cannot be removed now expires on the server.
      if (url !== undefined) transport.remove(url).catch(() => undefined);
    },
  };
}

/** Polls for an image in processing, until it is finished. */
async function untilReady(
  see: () => Promise<UploadStatus>,
  signal: AbortSignal,
  sleep: (ms: number) => Promise<void>,
): Promise<FinishedUpload> {
  for (;;) {
    const seen = await see();
    signal.throwIfAborted();
    if (seen.state === "ready") {
      const { imageId, still } = seen;
      return { imageId, still };
    }
    if (seen.state === "refused") throw callError(seen.error.code, seen.error.message, 422);
    // The server lost some of it, perhaps in a power failure.
    if (seen.state === "arriving") throw toCallError(0, null);
    await sleep(lookEveryMs);
    signal.throwIfAborted();
  }
}

/** An answer to HEAD has no body: another request gets its message. */
async function withServerMessage(
  error: unknown,
  see: () => Promise<UploadStatus> | undefined | "",
): Promise<unknown> {
  if (callErrorOf(error).code !== "internal") return error;
  try {
    await see();
    return error;
  } catch (said) {
    return isTemporary(said) ? error : said;
  }
}

/** A draft may contain any address: only uploads of this server are requested. */
function isOurs(url: string): boolean {
  return /^\/api\/uploads\/[\w-]+$/.test(url);
}

/** Errors that a person has to deal with: storage, fewer uploads, an image that can be read in time. */
const forSender = new Set(["too-many-uploads", "too-many-writes", "picture-timeout"]);

/** The network, the server or another request: the same again may succeed. */
function isTemporary(error: unknown): boolean {
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
    // a page that is being left still deletes the upload
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
