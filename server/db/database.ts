import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely, PostgresDialect, type CompiledQuery, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import type { Tables } from "#server/db/types.ts";

export type Database = ReturnType<typeof createDatabase>;

/** The transaction of the current async context. */
type Running = { client: pg.PoolClient; afterCommit: (() => void)[] };

type Options = {
  connection: pg.PoolConfig;
  log: Pick<Logger, "error" | "warn">;
  /** Called with every statement sent: benchmarks and tests count round trips and explain them. */
  onQuery?: (text: string, values: readonly unknown[]) => void;
};

/**
 * Opens the pool and the typed query builder over it.
 *
 * `kysely`, `query` and better-auth all draw their connections from one pool that hands out the
 * client of the transaction running in the current async context, if there is one. So everything
 * called inside `transaction(…)` joins it, including libraries that only know a pool.
 */
export function createDatabase({ connection, log, onQuery }: Options) {
  const pool = new pg.Pool({ max: 20, connectionTimeoutMillis: 10_000, ...connection });
  // A server that goes away breaks idle clients; the pool replaces them at the next query.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection broke"));
  // One in use reports through the query that fails; unheard, its event would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  if (onQuery) {
    pool.on("connect", (client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => unknown;
      client.query = ((...args: unknown[]) => {
        const [first, second] = args;
        const { text, values = Array.isArray(second) ? second : [] } =
          typeof first === "string" ? { text: first } : (first as pg.QueryConfig);
        onQuery(text, values);
        return query(...args);
      }) as typeof client.query;
    });
  }

  const current = new AsyncLocalStorage<Running>();

  const joiningPool = {
    options: pool.options,
    end: () => pool.end(),
    connect: async (): Promise<pg.PoolClient> => {
      const running = current.getStore();
      return running ? withoutRelease(running.client) : pool.connect();
    },
    query: (...args: Parameters<pg.Pool["query"]>) =>
      (current.getStore()?.client ?? pool).query(...args),
  };

  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: {
        options: {},
        end: joiningPool.end,
        connect: joiningPool.connect as unknown as () => Promise<PostgresPoolClient>,
      },
    }),
  });

  /**
   * Runs `work` in one transaction; commits when it returns, rolls back when it throws.
   * Inside another transaction it joins that one. Deadlocks and serialization failures are
   * retried twice, so `work` must have no effect outside the database.
   */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    if (current.getStore()) return work();
    for (let attempt = 0; ; attempt += 1) {
      const client = await pool.connect();
      const running: Running = { client, afterCommit: [] };
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const result = await current.run(running, work);
        await client.query("commit");
        for (const effect of running.afterCommit) effect();
        return result;
      } catch (error) {
        await client.query("rollback").catch((rollbackError: Error) => {
          broken = rollbackError;
        });
        if (attempt >= 2 || !isRetryable(error)) throw error;
      } finally {
        client.release(broken);
      }
    }
  }

  /**
   * Calls `effect` once the transaction that runs has been committed, never when it is rolled back;
   * at once where none runs. `effect` starts something outside the database and must not throw.
   */
  function afterCommit(effect: () => void): void {
    const running = current.getStore();
    if (running) running.afterCommit.push(effect);
    else effect();
  }

  /** Runs a compiled query as a statement prepared once per connection under `name`. */
  async function prepared<Row extends object>(
    name: string,
    compiled: CompiledQuery<unknown>,
  ): Promise<Row[]> {
    const result = await (current.getStore()?.client ?? pool).query<Row & pg.QueryResultRow>({
      name,
      text: compiled.sql,
      values: compiled.parameters as unknown[],
    });
    return result.rows;
  }

  /** Whether the database answers within `timeout` milliseconds. Never throws. */
  async function ping(timeout: number): Promise<boolean> {
    const late = new Promise<false>((resolve) => {
      setTimeout(() => resolve(false), timeout).unref();
    });
    const answer = pool.query("select 1").then(
      () => true,
      () => false,
    );
    return Promise.race([answer, late]);
  }

  return {
    /** whether this installation mails links that confirm an email; createFeatures knows */
    confirmsEmails: false,
    kysely,
    transaction,
    afterCommit,
    prepared,
    ping,
    /** for a connection of one's own, beside the pool */
    connection,
    pool: joiningPool,
    close: () => pool.end(),
  };
}

function withoutRelease(client: pg.PoolClient): pg.PoolClient {
  return new Proxy(client, {
    get(target, property) {
      if (property === "release") return () => undefined;
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** 40001 serialization_failure, 40P01 deadlock_detected (PostgreSQL, Appendix A). */
function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === "40001" || code === "40P01";
}
