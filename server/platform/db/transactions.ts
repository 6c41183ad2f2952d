import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import { isTimeout } from "#server/platform/db/database-faults.ts";

/** The transaction of the current async context. */
type Running = { client: pg.PoolClient; afterCommit: (() => void)[]; seenAtOnce: boolean };

type Deps = {
  connect: () => Promise<pg.PoolClient>;
  /** Called after the commit of a transaction seen at once, on its connection; must not throw. */
  onSeenAtOnce: (client: pg.PoolClient) => Promise<void>;
};

/** Transactions that everything called inside them joins. */
export function createTransactions(deps: Deps) {
  const current = new AsyncLocalStorage<Running>();

  return {
    /** the connection of the current one */
    client: () => current.getStore()?.client,
    /**
     * Runs `work` in one transaction; commits when it returns, rolls back when it throws.
     * Inside another transaction it joins that one. Deadlocks and serialization failures are
     * retried twice, so `work` must have no effect outside the database.
     */
    transaction: async <T>(work: () => Promise<T>): Promise<T> => {
      if (current.getStore()) return work();
      for (let tries = 1; ; tries += 1) {
        try {
          return await runOnce(current, deps, work);
        } catch (error) {
          if (tries > 2 || !isRetryable(error)) throw error;
        }
      }
    },
    /**
     * Marks the transaction as one whose outcome everybody has to see at once: it takes something away from
     * them, or streams announce it. From its commit on, no replica is read that does not have it yet.
     */
    seenAtOnce: (): void => {
      const running = current.getStore();
      if (!running) throw new Error("What is seen at once belongs to a transaction.");
      running.seenAtOnce = true;
    },
    /**
     * Calls `effect` once the current transaction has been committed, never when it is rolled back; at once
     * without a transaction. `effect` starts something outside the database and must not throw.
     */
    afterCommit: (effect: () => void): void => {
      const running = current.getStore();
      if (running) running.afterCommit.push(effect);
      else effect();
    },
  };
}

function runOnce<T>(
  current: AsyncLocalStorage<Running>,
  { connect, onSeenAtOnce }: Deps,
  work: () => Promise<T>,
): Promise<T> {
  return overOne(connect, async (client) => {
    const running: Running = { client, afterCommit: [], seenAtOnce: false };
    await client.query("begin");
    const result = await current.run(running, work);
    await client.query("commit");
    if (running.seenAtOnce) await onSeenAtOnce(client);
    for (const effect of running.afterCommit) effect();
    return result;
  });
}

/** Works over one connection of a pool. Where that fails, no transaction is left open on it. */
export async function overOne<T>(
  connect: () => Promise<pg.PoolClient>,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (isTimeout(error)) broken = error as Error;
    else {
      await client.query("rollback").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    }
    throw error;
  } finally {
    client.release(broken);
  }
}

/** 40001 serialization_failure, 40P01 deadlock_detected (PostgreSQL, Appendix A). */
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "40001" || code === "40P01";
}
