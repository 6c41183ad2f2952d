import type pg from "pg";

/** How long work on the database may take before somebody gives up, in milliseconds. */
export type Bounds = {
  /** connections of one process */
  connections: number;
  /** until a connection is made, or one of the pool is free */
  connect: number;
  /** one statement, measured by PostgreSQL */
  statement: number;
  /** the wait for one lock, measured by PostgreSQL */
  lock: number;
  /** between two statements of a transaction, measured by PostgreSQL */
  idleInTransaction: number;
  /**
   * Until an answer to a statement, measured by us: longer than `statement`, so that only a
   * connection that is gone without a word reaches it.
   */
  answer: number;
  /**
   * Until a database that answers nothing at all, nor a new connection, counts as away, measured by us: whoever
   * waits is told so, and whoever comes is refused at once.
   */
  silence: number;
};

const second = 1000;
const minute = 60 * second;

/**
 * What somebody waits for. A lock held for long costs a request less than two seconds, and so does a database
 * that is gone without a word; a pool whose connections alone were lost in silence serves again after `answer`.
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

/** With fewer a single page, or a job and the sweep beside it, would wait for itself. */
const leastConnections = { request: 5, patient: 3 };
/** One connection of each process is for hints. */
const forHints = 1;
/** What a command of the operator's takes beside a running server (admin/open.ts). */
const forACommand = 26;

/** The bounds of one of so many processes: together they take the connections of one, or the least each. */
export function sharedBounds(bounds: Bounds, processes: number): Bounds {
  const least = bounds === patientBounds ? leastConnections.patient : leastConnections.request;
  const connections = Math.max(Math.ceil(bounds.connections / processes), least);
  return { ...bounds, connections: Math.min(connections, bounds.connections) };
}

/** Connections that so many processes may hold, one more that takes a place over, and a command. */
export function connectionsNeeded(processes: number): number {
  const of = (bounds: Bounds) => sharedBounds(bounds, processes).connections;
  const each = of(requestBounds) + of(patientBounds) + forHints;
  return each * (processes === 1 ? 1 : processes + 1) + forACommand;
}

/** A migration may rewrite a table, or wait while another process migrates. */
const migration = { connect: 30 * second, statement: 60 * minute, answer: 61 * minute };

/** Idle this long, a TCP connection is asked by the system whether it still stands. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10 * second };

/** For one connection of ours that answers short questions, such as the one for hints. */
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

/** PostgreSQL's own part of the bounds, by the names of its settings, in milliseconds. */
export function timeoutsOf(bounds: Bounds) {
  return {
    statement_timeout: bounds.statement,
    lock_timeout: bounds.lock,
    idle_in_transaction_session_timeout: bounds.idleInTransaction,
  };
}

/** `sessions`: whether a connection is a session, in which something can be set. */
export function pooledConnection(
  connection: pg.PoolConfig,
  bounds: Bounds,
  { sessions = true } = {},
): pg.PoolConfig {
  const settings = Object.entries(timeoutsOf(bounds)).map(([name, ms]) => `set ${name} = ${ms}`);
  // Not among the parameters of the start: poolers such as PgBouncer refuse those they do not know.
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
