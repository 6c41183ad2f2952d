import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import {
  patientBounds,
  requestBounds,
  sharedBounds,
  type Bounds,
} from "#server/platform/db/time-limits.ts";
import { onceAMinute } from "#server/platform/log.ts";
import { createPool, type OnQuery } from "#server/platform/db/pool.ts";
import type { Addresses } from "#server/platform/db/pooler.ts";
import { createReplica, type Lsn } from "#server/platform/db/replica.ts";
import { statementsOver, type Send } from "#server/platform/db/statements.ts";
import { createTransactions } from "#server/platform/db/transactions.ts";

export type Database = ReturnType<typeof createDatabase>;

type Options = Pick<Addresses, "connection"> &
  Partial<Addresses> & {
    /** a replica of it; null if there is none */
    readConnection?: pg.PoolConfig | null;
    /** how old its answers may be, milliseconds */
    mostLag?: number;
    /** how long a read there may take; short unless given, since the primary can answer as well */
    readBounds?: Bounds | undefined;
    log: Pick<Logger, "error" | "warn">;
    /** how long requests may take; tests and the operator's commands allow more */
    bounds?: Bounds;
    /** how many processes share the connections that one would have */
    processes?: number;
    /** Called with every statement sent: benchmarks and tests count round trips and explain them. */
    onQuery?: OnQuery;
  };

/**
 * Opens the pool, and sends statements through it.
 *
 * Statements and libraries all draw their connections from one pool that hands out the client of
 * the transaction running in the current async context, if there is one. So everything called inside
 * `transaction(…)` joins it, including libraries that only know a pool. What runs inside `patiently(…)`
 * uses a small pool of its own with larger limits, which bypasses any pooler.
 */
export function createDatabase(options: Options) {
  const { ordinary, patient, replica, expectEnd } = openPools(options);
  const patience = new AsyncLocalStorage<true>();
  const pool = () => (patience.getStore() ? patient : ordinary);
  const connect = () => pool().connect();
  const { client: current, ...transactions } = createTransactions({
    connect,
    onSeenAtOnce: async (client) => void (replica && (await raiseFloor(client, options.log))),
  });
  const query: Send = (config) => current()?.query(config) ?? pool().query(config);
  const close = async () => {
    expectEnd();
    await Promise.all([ordinary.end(), patient.end(), replica?.end()]);
  };

  return {
    ...transactions,
    ...statementsOver(query),
    /**
     * for reads that may be seconds old (docs/decisions/0188), spread over the rest: `{ ...db,
     * ...db.lagging }`
     */
    lagging: statementsOver(
      async <Row extends pg.QueryResultRow>(config: pg.QueryConfig) =>
        // Reads in a transaction see the state of that transaction.
        (current() ? null : await replica?.query<Row>(config)) ?? query<Row>(config),
    ),
    /** whether some reads may go to a replica, so that writes have to note their position in the log */
    hasReplica: replica !== null,
    /** Runs `work`; its reads through `lagging` may come from a replica that has replayed up to `after`. */
    reading: <T>(after: () => Promise<Lsn | null>, work: () => Promise<T>): Promise<T> =>
      replica ? replica.reading(after, work) : work(),
    /** Runs `work` with the limits of jobs: for work that may take long and that nobody waits for. */
    patiently: <T>(work: () => Promise<T>): Promise<T> => patience.run(true, work),
    /** whether this installation mails links that confirm an email; set by createFeatures */
    confirmsEmails: false,
    /** Whether it takes writes or only reads; `away` without an answer in `timeout` ms. Never throws. */
    ping: (timeout: number) => ping(ordinary, timeout),
    /** for a connection outside the pool: a session */
    direct: options.direct ?? options.connection,
    /** `connect` joins no transaction. */
    pool: { connect, query },
    /** of the pool that requests use: open connections, idle ones, and requests waiting for one */
    connections: ordinary.count,
    /** While the disk of the database is full, writes fail as if PostgreSQL had tried them. */
    setFull: (full: boolean) => {
      ordinary.setFull(full);
      patient.setFull(full);
    },
    expectEnd,
    close,
  };
}

function openPools(options: Options) {
  const { connection, direct = connection, pooler = null, readConnection = null, log } = options;
  const { mostLag, readBounds, onQuery, bounds = requestBounds, processes = 1 } = options;
  let closing = false;
  // All of them break at the same time.
  const isNews = onceAMinute();
  const onIdleError = ({ message }: Error) => {
    if (!closing && isNews("idle"))
      log.warn({ reason: message }, "an idle database connection broke");
  };
  const shared = (most: Bounds) => ({
    bounds: sharedBounds(most, processes),
    onIdleError,
    onQuery,
  });
  const onSilence = (silent: boolean) => {
    if (silent) log.warn({}, "the database answers nobody: requests are refused until it does");
    else log.warn({}, "the database answers again");
  };
  const ordinary = createPool({ connection, pooler, ...shared(bounds), onSilence });
  return {
    ordinary,
    patient: createPool({ connection: direct, ...shared(patientBounds) }),
    replica:
      readConnection &&
      createReplica({
        connection: readConnection,
        primary: ordinary,
        processes,
        mostLag,
        bounds: readBounds,
        log,
        onQuery,
      }),
    /** From now on broken connections are not logged: the database is being stopped, too. */
    expectEnd: () => {
      closing = true;
    },
  };
}

/**
 * Never throws: the transaction is already committed. Does not wait for the disk: what a crash loses here
 * is soon replayed.
 */
async function raiseFloor(client: pg.PoolClient, log: Options["log"]): Promise<void> {
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

async function ping(
  pool: Pick<ReturnType<typeof createPool>, "query">,
  timeout: number,
): Promise<"writable" | "read-only" | "away"> {
  const text = "select current_setting('transaction_read_only') = 'on' as closed";
  // A connection that does not answer is found here, before people meet it: its own limit is reached first.
  const asked = { text, query_timeout: timeout * 0.8 } as pg.QueryConfig;
  const answer = pool.query<{ closed: boolean }>(asked).then(
    ({ rows }) => (rows[0]?.closed ? "read-only" : "writable"),
    () => "away" as const,
  );
  return Promise.race([answer, sleep(timeout, "away" as const, { ref: false })]);
}

/** What DATABASE_READ_URL points to. */
export function replicaOf({ databaseReadUrl }: Pick<Config, "databaseReadUrl">) {
  return databaseReadUrl === null ? null : { connectionString: databaseReadUrl };
}
