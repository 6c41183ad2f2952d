import { callErrorOf, isUnreachable, type CallError } from "#app/lib/api-client.ts";
import {
  createSleep,
  createWaiting,
  delayAfter,
  type Waiting,
} from "#app/lib/forms/upload-waiting.ts";

/** The waits before further tries, milliseconds; then as long as the last. */
const delays = [500, 1000, 2000, 4000, 8000, 15_000];

type Options = {
  signal: AbortSignal;
  onWaiting?: ((waiting: Waiting | null) => void) | undefined;
  /** refusals after which the same call may succeed, besides those of a server that asks for time */
  isBusy?: (error: Partial<CallError>) => boolean;
};

/**
 * Makes a call that may be made twice until it is answered: again while the line is broken, or the server asks for
 * time. Ends silently, with null, when `signal` aborts. @throws CallError for any other refusal
 */
export async function untilAnswered<Answer>(
  call: () => Promise<Answer>,
  { signal, onWaiting, isBusy }: Options,
): Promise<Answer | null> {
  const waiting = createWaiting(onWaiting);
  const { sleep, wake } = createSleep();
  const over = new AbortController();
  try {
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        return await call();
      } catch (error) {
        const refusal = callErrorOf(error);
        const { code, status } = refusal;
        const busy = status === 429 && code !== "too-many-writes";
        if (!busy && !isUnreachable(error) && !isBusy?.(refusal)) throw error;
        waiting.failed(error);
        const delay = delays[Math.min(failures, delays.length - 1)] ?? 0;
        addEventListener("online", wake, { signal: over.signal });
        signal.addEventListener("abort", wake, { signal: over.signal });
        await sleep(delayAfter(error, delay));
      }
    }
    return null;
  } finally {
    over.abort();
    waiting.over();
    waiting.end();
  }
}
