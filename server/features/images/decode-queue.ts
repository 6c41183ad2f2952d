import pLimit from "p-limit";
import { refuse } from "#shared/errors.ts";

/** Pictures decoded at once, over the whole process: half of libuv's four threads stay free. */
const atOnce = 2;
/** Pictures that may wait; each holds a file of at most 25 MB on disk, none in memory. */
const mostWaiting = 40;
/** From its place in the queue to its last variant. */
const patienceMs = 60_000;

const limit = pLimit(atOnce);

/**
 * Runs `work` when one of the two places is free, with the moment (epoch milliseconds) by which it
 * has to be done. Throws refuse("picture-timeout") when too many wait or it waited too long.
 */
export async function inDecodeQueue<T>(work: (deadline: number) => Promise<T>): Promise<T> {
  if (limit.pendingCount >= mostWaiting) throw refuse("picture-timeout", { retryAfter: 10 });
  const deadline = Date.now() + patienceMs;
  return limit(async () => {
    if (Date.now() >= deadline) throw refuse("picture-timeout", { retryAfter: 10 });
    return work(deadline);
  });
}

export function decodesRunning(): number {
  return limit.activeCount;
}
