import type pg from "pg";

/** How long work on the database may take before it is given up, in milliseconds. */
export type Bounds = {
  /** connections of one process */
  connections: number;
  /** until a connection is made, or one in the pool is free */
  connect: number;
  /** one statement, measured by PostgreSQL */
  statement: number;
  /** the wait for one lock, measured by PostgreSQL */
  lock: number;
  /** between two statements of a transaction, measured by PostgreSQL */
  idleInTransaction: number;
  /**
   * Until an answer to a statement, measured by us: longer than `statement`, so that only a silently lost
   * connection reaches it.
   */
  answer: number;
  /**
   * Until a database that answers nothing at all, not even a new connection, counts as away, measured by
   * us: waiting requests then fail, and new ones are refused at once.
   */
  silence: number;
};

const second = 1000;
const minute = 60 * second;

/**
 * For work that somebody waits for. A lock that is held for long costs a request less than two seconds, and
 * so does a database that silently disappeared; a pool of which only the connections were silently lost
 * works again after `answer`.
 */
export const requestBounds: Bounds = {
  connections: 20,
  connect: 5 * second,
  statement: 8 * second,
  lock: 1.5 * second,
  idleInTransaction: 30 * second,
  answer: 10 * second,
  silence: 1.8 * second,
};

/** Jobs, sweeps and the operator's commands: nobody waits, and whole accounts are read or deleted. */
export const patientBounds: Bounds = {
  connections: 6,
  connect: 30 * second,
  statement: 5 * minute,
  lock: 30 * second,
  idleInTransaction: 5 * minute,
  answer: 5.5 * minute,
  silence: minute,
};

/** With fewer connections a single page, or a job and the sweep beside it, would block itself. */
const leastConnections = { request: 5, patient: 3 };
/** One connection of each process is for hints. */
const forHints = 1;
/** What an operator's command uses beside a running server (admin/open.ts). */
const forACommand = 26;

/**
 * The bounds for one of this many processes: together they use the connections of one, or the minimum each.
 */
export function sharedBounds(bounds: Bounds, processes: number): Bounds {
  const least = bounds === patientBounds ? leastConnections.patient : leastConnections.request;
  const connections = Math.max(Math.ceil(bounds.connections / processes), least);
  return { ...bounds, connections: Math.min(connections, bounds.connections) };
}

/** Connections that this many processes may hold, with one more during a rolling restart, and a command. */
export function connectionsNeeded(processes: number): number {
  const of = (bounds: Bounds) => sharedBounds(bounds, processes).connections;
  const each = of(requestBounds) + of(patientBounds) + forHints;
  return each * (processes === 1 ? 1 : processes + 1) + forACommand;
}

/** A migration may rewrite a table, or wait while another process migrates. */
const migration = { connect: 30 * second, statement: 60 * minute, answer: 61 * minute };

/** After being idle this long, the system checks whether a TCP connection still works. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10 * second };

/** For a single connection of ours with short queries, such as the one for hints. */
export function shortConnection(connection: pg.ClientConfig): pg.ClientConfig {
  const { connect, answer } = requestBounds;
  return { ...keepAlive, connectionTimeoutMillis: connect, query_timeout: answer, ...connection };
}

export function migrationConnection(connection: pg.ClientConfig): pg.ClientConfig {
  const { connect, statement, answer } = migration;
  return {
    ...keepAlive,
    connectionTimeoutMillis: connect,
    statement_timeout: statement,
    query_timeout: answer,
    ...connection,
  };
}

/** The part of the bounds that PostgreSQL enforces, by the names of its settings, in milliseconds. */
export function timeoutsOf(bounds: Bounds) {
  return {
    statement_timeout: bounds.statement,
    lock_timeout: bounds.lock,
    idle_in_transaction_session_timeout: bounds.idleInTransaction,
  };
}

/** `sessions`: whether a connection is a session, in which settings can be made. */
export function pooledConnection(
  connection: pg.PoolConfig,
  bounds: Bounds,
  { sessions = true } = {},
): pg.PoolConfig {
  const settings = Object.entries(timeoutsOf(bounds)).map(([name, ms]) => `set ${name} = ${ms}`);
  // Not as startup parameters: poolers such as PgBouncer refuse those they do not know.
  const onConnect = async (client: pg.ClientBase) => {
    await client.query(settings.join(";"));
  };
  return {
    max: bounds.connections,
    ...keepAlive,
    connectionTimeoutMillis: bounds.connect,
    query_timeout: bounds.answer,
    ...(sessions && { onConnect }),
    ...connection,
  } as pg.PoolConfig;
}
