import { refuse } from "#shared/errors.ts";

/**
 * Runs the tasks of one key one after another, in the order they came, in this process. When `most`
 * wait already, the next is refused with too-many-attempts.
 */
export function createKeyedQueue({ most }: { most: number }) {
  const waiting = new Map<string, (() => void)[]>();

  async function enqueue<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const others = waiting.get(key);
    if (others === undefined) waiting.set(key, []);
    else {
      if (others.length >= most) throw refuse("too-many-attempts", { retryAfter: 1 });
      await new Promise<void>((resolve) => {
        others.push(resolve);
      });
    }
    try {
      return await work();
    } finally {
      const next = waiting.get(key)?.shift();
      if (next) next();
      else waiting.delete(key);
    }
  }

  return { enqueue };
}
