import { AsyncLocalStorage } from "node:async_hooks";
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import { patientBounds, requestBounds, sharedBounds, type Bounds } from "#server/db/bounds.ts";
import { isSilence } from "#server/db/faults.ts";
import { onceAMinute } from "#server/log.ts";
import { createPool, type OnQuery } from "#server/db/pool.ts";
import type { Addresses } from "#server/db/pooler.ts";
import { createReplica, type Lsn } from "#server/db/replica.ts";
import { compile, type Sql } from "#server/db/sql.ts";

export type Database = ReturnType<typeof createDatabase>;

/** The transaction of the current async context. */
type Running = { client: pg.PoolClient; afterCommit: (() => void)[]; seenAtOnce: boolean };

type Options = Pick<Addresses, "connection"> &
  Partial<Addresses> & {
    /** a replica of it; null: there is none */
    readConnection?: pg.PoolConfig | null;
    /** how old its answers may be, milliseconds */
    mostLag?: number;
    /** how long it may take; without them little, since the primary answers as well */
    readBounds?: Bounds | undefined;
    log: Pick<Logger, "error" | "warn">;
    /** how long requests may take; tests and the operator's commands have more patience */
    bounds?: Bounds;
    /** how many processes share the connections that one would have */
    processes?: number;
    /** Called with every statement sent: benchmarks and tests count round trips and explain them. */
    onQuery?: OnQuery;
  };

/**
 * Opens the pool, and sends statements through it.
 *
 * `query`, `prepared` and libraries all draw their connections from one pool that hands out the
 * client of the transaction running in the current async context, if there is one. So everything
 * called inside `transaction(…)` joins it, including libraries that only know a pool. What runs
 * inside `patiently(…)` has a small pool of its own with larger bounds, past any pooler.
 */
export function createDatabase({
  connection,
  direct = connection,
  pooler = null,
  readConnection = null,
  mostLag,
  readBounds,
  log,
  onQuery,
  bounds = requestBounds,
  processes = 1,
}: Options) {
  let closing = false;
  // All of them break at once.
  const isNews = onceAMinute();
  const onIdleError = ({ message }: Error) => {
    if (!closing && isNews("idle"))
      log.warn({ reason: message }, "an idle database connection broke");
  };
  const poolWith = (most: Bounds, to: Pick<Options, "connection" | "pooler">, more = {}) =>
    createPool({ ...to, bounds: sharedBounds(most, processes), onIdleError, onQuery, ...more });
  const onSilence = (silent: boolean) => {
    if (silent) log.warn({}, "the database answers nobody: requests are refused until it does");
    else log.warn({}, "the database answers again");
  };
  const ordinary = poolWith(bounds, { connection, pooler }, { onSilence });
  const patient = poolWith(patientBounds, { connection: direct });
  const patience = new AsyncLocalStorage<true>();
  const pool = () => (patience.getStore() ? patient : ordinary);

  const current = new AsyncLocalStorage<Running>();

  const replica =
    readConnection &&
    createReplica({
      connection: readConnection,
      primary: ordinary,
      processes,
      mostLag,
      bounds: readBounds,
      log,
      onQuery,
    });

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

  /** A statement that may be answered as of a moment ago, where it is part of no transaction. */
  async function lagging<Row extends pg.QueryResultRow>(
    config: pg.QueryConfig,
  ): Promise<pg.QueryResult<Row>> {
    const answer = current.getStore() ? null : await replica?.query<Row>(config);
    return answer ?? joiningPool.query<Row>(config);
  }

  /**
   * Runs `work` in one transaction; commits when it returns, rolls back when it throws.
   * Inside another transaction it joins that one. Deadlocks and serialization failures are
   * retried twice, so `work` must have no effect outside the database.
   */
  async function transaction<T>(work: () => Promise<T>): Promise<T> {
    if (current.getStore()) return work();
    for (let attempt = 0; ; attempt += 1) {
      const client = await pool().connect();
      const running: Running = { client, afterCommit: [], seenAtOnce: false };
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const result = await current.run(running, work);
        await client.query("commit");
        if (running.seenAtOnce && replica) await raiseFloor(client);
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
   * In a transaction whose outcome everybody has to see at once: what takes something from them, and what
   * streams announce. From its commit on nobody reads a replica that has not heard of it.
   */
  function seenAtOnce(): void {
    const running = current.getStore();
    if (!running) throw new Error("What is seen at once belongs to a transaction.");
    running.seenAtOnce = true;
  }

  /** Never throws: what was done is done. Nobody waits for the disk: what a crash loses here is soon replayed. */
  async function raiseFloor(client: pg.PoolClient): Promise<void> {
    const text = `
      begin;
      set local synchronous_commit = off;
      insert into read_floors (slot, read_after)
      values (pg_backend_pid() % 16, pg_current_wal_insert_lsn())
      -- asked anew: who had the row meanwhile may have written what is further on
      on conflict (slot) do update set read_after = pg_current_wal_insert_lsn();
      commit`;
    await client.query(text).catch(async (error: unknown) => {
      await client.query("rollback").catch(() => undefined);
      log.error({ err: error }, "a replica may show for some seconds what is not so any more");
    });
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

  const statements = statementsOver(joiningPool.query);

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
    await Promise.all([ordinary.end(), patient.end(), replica?.end()]);
  }

  return {
    /** whether some reads may go to a replica, so that writes have to say where they are in the log */
    hasReplica: replica !== null,
    /** Runs `work`; what `lagging` reads in it may come from a replica that has replayed up to `after`. */
    reading: <T>(after: () => Promise<Lsn | null>, work: () => Promise<T>): Promise<T> =>
      replica ? replica.reading(after, work) : work(),
    /** for reads that may be seconds old (docs/decisions/0188), put over the rest: `{ ...db, ...db.lagging }` */
    lagging: statementsOver(lagging),
    seenAtOnce,
    /** whether this installation mails links that confirm an email; createFeatures knows */
    confirmsEmails: false,
    transaction,
    afterCommit,
    patiently,
    ...statements,
    ping,
    /** for a connection of one's own, beside the pool: a session */
    direct,
    pool: joiningPool,
    /** of the pool that requests use: open ones, those that nobody uses, and requests that wait for one */
    connections: ordinary.count,
    setFull,
    expectEnd,
    close,
  };
}

/** What DATABASE_READ_URL leads to. */
export function replicaOf({ databaseReadUrl }: Pick<Config, "databaseReadUrl">) {
  return databaseReadUrl === null ? null : { connectionString: databaseReadUrl };
}

type Send = <Row extends pg.QueryResultRow>(config: pg.QueryConfig) => Promise<pg.QueryResult<Row>>;

/** The ways to send what the tag made (sql.ts); the type of its rows is for who reads them to say. */
function statementsOver(send: Send) {
  const query = async <Row extends object>(statement: Sql): Promise<Row[]> => {
    const { rows } = await send<Row & pg.QueryResultRow>(compile(statement));
    return rows;
  };
  return {
    /** The rows of a statement, which is planned for these values. */
    query,
    /** Its first row; null where there is none. */
    first: async <Row extends object>(statement: Sql): Promise<Row | null> =>
      (await query<Row>(statement))[0] ?? null,
    /** Whether it has a row: whether something is there, or was changed. */
    any: async (statement: Sql): Promise<boolean> => (await query(statement)).length > 0,
    /** The rows of one that is prepared once per connection under `name`. */
    prepared: async <Row extends object>(name: string, statement: Sql): Promise<Row[]> => {
      const { rows } = await send<Row & pg.QueryResultRow>({ name, ...compile(statement) });
      return rows;
    },
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
