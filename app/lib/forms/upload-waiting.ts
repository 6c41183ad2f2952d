import { callErrorOf } from "#app/lib/api-client.ts";

/**
 * "line": the server was not reached; "server": it failed, or a proxy in front of it; "busy": it asked to
 * retry later.
 */
type Reason = "line" | "server" | "busy";

/** Why an upload waits before it retries. */
export type Waiting = {
  for: Reason;
  /** it has waited so long that its sender is asked what to do */
  long: boolean;
};

/** Without progress for this long a wait counts as long, milliseconds. */
const longMs = 15_000;
/** No wait is longer than this, whatever an answer asks for, milliseconds. */
const mostMs = 60_000;

/** Reports why an upload waits, and when that takes long; null when it sends again. */
export function createWaiting(onWaiting: ((waiting: Waiting | null) => void) | undefined) {
  let reported: Waiting | null = null;
  /** runs from the first failure to the next progress */
  let patience: ReturnType<typeof setTimeout> | undefined;
  let long = false;

  function report(reason: Reason | null): void {
    if (reason === (reported?.for ?? null) && (reason === null || reported?.long === long)) return;
    reported = reason === null ? null : { for: reason, long };
    onWaiting?.(reported);
  }

  function restartPatience(): void {
    clearTimeout(patience);
    patience = undefined;
    long = false;
  }

  return {
    failed(error: unknown): void {
      patience ??= setTimeout(() => {
        long = true;
        if (reported) report(reported.for);
      }, longMs);
      report(reasonOf(error));
    },
    /** The server answers: the connection is back. One that failed may fail again with the next byte. */
    reached(): void {
      if (reported?.for === "line") report(null);
    },
    /** More of it has arrived, or its sender paused it. */
    over(): void {
      restartPatience();
      report(null);
    },
    /** It has ended, either way. */
    end: restartPatience,
  };
}

function reasonOf(error: unknown): Reason {
  const { status = 0 } = callErrorOf(error);
  if ([409, 429, 503].includes(status)) return "busy";
  return status >= 500 ? "server" : "line";
}

/** Milliseconds until the next try: `delay`, plus or minus a quarter, or what the answer asks for. */
export function delayAfter(error: unknown, delay: number): number {
  const asked = 1000 * (callErrorOf(error).retryAfter ?? 0);
  return Math.min(Math.max(delay * (0.75 + Math.random() / 2), asked), mostMs);
}

/** Sleeps until `wake` is called, or for so many milliseconds. */
export function createSleep() {
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
