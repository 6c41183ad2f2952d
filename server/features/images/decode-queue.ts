import pLimit from "p-limit";
import { refuse } from "#shared/errors.ts";

/** Pictures decoded at once, over the whole process: half of libuv's four threads stay free. */
const atOnce = 2;
/** Pictures that may wait; each holds a file of at most 25 MB on disk, none in memory. */
const mostWaiting = 40;
/** How long a picture may wait for its turn, and how long its turn may take. */
const patienceMs = { waiting: 60_000, decoding: 45_000 };

const limit = pLimit(atOnce);

/**
 * Runs `work` when one of the two places is free, with the moment (epoch milliseconds) by which it
 * has to be done. Throws refuse("picture-timeout") when too many wait or it waited too long.
 */
export async function inDecodeQueue<T>(work: (deadline: number) => Promise<T>): Promise<T> {
  if (limit.pendingCount >= mostWaiting) throw refuse("picture-timeout", { retryAfter: 10 });
  const came = Date.now();
  return limit(async () => {
    const began = Date.now();
    if (began - came > patienceMs.waiting) throw refuse("picture-timeout", { retryAfter: 10 });
    return work(began + patienceMs.decoding);
  });
}

export function decodesRunning(): number {
  return limit.activeCount;
}
