import { AsyncLocalStorage } from "node:async_hooks";
import { Kysely, PostgresDialect, type CompiledQuery, type PostgresPoolClient } from "kysely";
import type pg from "pg";
import type { Logger } from "pino";
import { patientBounds, requestBounds, type Bounds } from "#server/db/bounds.ts";
import { isSilence } from "#server/db/faults.ts";
import { createPool, type OnQuery } from "#server/db/pool.ts";
import type { Tables } from "#server/db/types.ts";

export type Database = ReturnType<typeof createDatabase>;

/** The transaction of the current async context. */
type Running = { client: pg.PoolClient; afterCommit: (() => void)[] };

type Options = {
  connection: pg.PoolConfig;
  log: Pick<Logger, "error" | "warn">;
  /** how long requests may take; tests and the operator's commands have more patience */
  bounds?: Bounds;
  /** Called with every statement sent: benchmarks and tests count round trips and explain them. */
  onQuery?: OnQuery;
};

/**
 * Opens the pool and the typed query builder over it.
 *
 * `kysely`, `query` and better-auth all draw their connections from one pool that hands out the
 * client of the transaction running in the current async context, if there is one. So everything
 * called inside `transaction(…)` joins it, including libraries that only know a pool. What runs
 * inside `patiently(…)` has a small pool of its own with larger bounds.
 */
export function createDatabase({ connection, log, onQuery, bounds = requestBounds }: Options) {
  let closing = false;
  const onIdleError = ({ message }: Error) => {
    if (!closing) log.warn({ reason: message }, "an idle database connection broke");
  };
  const ordinary = createPool({ connection, bounds, onIdleError, onQuery });
  const patient = createPool({ connection, bounds: patientBounds, onIdleError, onQuery });
  const patience = new AsyncLocalStorage<true>();
  const pool = () => (patience.getStore() ? patient : ordinary);

  const current = new AsyncLocalStorage<Running>();

  const joiningPool = {
    options: ordinary.options,
    end: close,
    connect: async (): Promise<pg.PoolClient> => {
      const running = current.getStore();
      return running ? withoutRelease(running.client) : pool().connect();
    },
    query: <Row extends pg.QueryResultRow>(config: pg.QueryConfig) =>
      current.getStore()?.client.query<Row>(config) ?? pool().query<Row>(config),
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
      const client = await pool().connect();
      const running: Running = { client, afterCommit: [] };
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const result = await current.run(running, work);
        await client.query("commit");
        for (const effect of running.afterCommit) effect();
        return result;
      } catch (error) {
        if (isSilence(error)) broken = error as Error;
        else {
          await client.query("rollback").catch((rollbackError: Error) => {
            broken = rollbackError;
          });
        }
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
    const result = await joiningPool.query<Row & pg.QueryResultRow>({
      name,
      text: compiled.sql,
      values: compiled.parameters as unknown[],
    });
    return result.rows;
  }

  /** Runs `work` with the bounds of jobs, for what may take long and nobody waits for. */
  function patiently<T>(work: () => Promise<T>): Promise<T> {
    return patience.run(true, work);
  }

  /** What the database answers within `timeout` milliseconds that it can do. Never throws. */
  async function ping(timeout: number): Promise<"writable" | "read-only" | "away"> {
    const late = new Promise<"away">((resolve) => {
      setTimeout(() => resolve("away"), timeout).unref();
    });
    const text = "select current_setting('transaction_read_only') = 'on' as closed";
    // A connection that does not answer is found out here, before people meet it: its own bound is
    // the first to be reached.
    const asked = { text, query_timeout: timeout * 0.8 } as pg.QueryConfig;
    const answer = ordinary.query<{ closed: boolean }>(asked).then(
      ({ rows }) => (rows[0]?.closed ? "read-only" : "writable"),
      () => "away" as const,
    );
    return Promise.race([answer, late]);
  }

  /** While the disk of the database is full, what would write fails as if PostgreSQL had tried. */
  function setFull(full: boolean): void {
    ordinary.setFull(full);
    patient.setFull(full);
  }

  /** From now on connections that break are no news: the database is being stopped, too. */
  function expectEnd(): void {
    closing = true;
  }

  async function close(): Promise<void> {
    expectEnd();
    await Promise.all([ordinary.end(), patient.end()]);
  }

  return {
    /** whether this installation mails links that confirm an email; createFeatures knows */
    confirmsEmails: false,
    kysely,
    transaction,
    afterCommit,
    patiently,
    prepared,
    ping,
    /** for a connection of one's own, beside the pool */
    connection,
    pool: joiningPool,
    setFull,
    expectEnd,
    close,
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
