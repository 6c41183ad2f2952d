import { ERRORS, type Locker } from "@tus/server";

type Held = { release: () => Promise<void> | void; waiting: (() => void)[] };

/** How long a request waits for the one before it, milliseconds, and how many may wait. */
const patience = { ms: 10_000, most: 20 };

/**
 * One request at a time works on an upload, in this process. The next one asks the one before to stop: a
 * connection that died silently must not block its upload for minutes. A request still running in another
 * process does no harm: the position of its bytes is fixed (decision 0180).
 */
export function createUploadLocks(): Locker {
  const locks = new Map<string, Held>();

  async function lock(id: string, stop: AbortSignal, release: Held["release"]): Promise<void> {
    const held = locks.get(id);
    if (!held) return void locks.set(id, { release, waiting: [] });
    if (held.waiting.length >= patience.most) throw ERRORS.ERR_LOCK_TIMEOUT;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      held.waiting.splice(held.waiting.indexOf(resolve), 1);
      reject(ERRORS.ERR_LOCK_TIMEOUT);
    };
    held.waiting.push(resolve);
    const timer = setTimeout(giveUp, patience.ms).unref();
    stop.addEventListener("abort", giveUp, { once: true });
    void held.release();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      stop.removeEventListener("abort", giveUp);
    }
    held.release = release;
    if (held.waiting.length > 0) void release();
  }

  async function unlock(id: string): Promise<void> {
    const next = locks.get(id)?.waiting.shift();
    if (next) next();
    else locks.delete(id);
  }

  return {
    newLock: (id) => ({
      lock: (stop, release) => lock(id, stop, release),
      unlock: () => unlock(id),
    }),
  };
}
