import { randomBytes } from "node:crypto";
import type pg from "pg";
import { requestBounds, shortConnection, timeoutsOf } from "#server/platform/db/time-limits.ts";
import { withClient } from "#server/platform/db/clients.ts";
import { reason } from "#server/platform/db/database-faults.ts";

/**
 * A pooler that lends PostgreSQL's connections for one transaction at a time (PgBouncer's `pool_mode =
 * transaction`): settings, notifications and locks of a session do not outlive the transaction.
 */
export type Pooler = {
  /** whether a statement remains prepared, whichever connection the next transaction gets */
  prepares: boolean;
};

/** The addresses of one database, and the pooler in front of it. */
export type Addresses = {
  /** for work that people wait for */
  connection: pg.PoolConfig;
  /** for work that needs a session: migrations, hints, jobs and commands */
  direct: pg.PoolConfig;
  /** between us and `connection` */
  pooler: Pooler | null;
};

/**
 * Checks once, at the start, what both addresses lead to. Without the second, the first is used for
 * everything. Throws an Error with one sentence if Postcard could not work that way.
 */
export async function examineAddresses(
  connection: pg.PoolConfig,
  databaseDirectUrl: string | null,
): Promise<Addresses> {
  const pooler = await sentence("PostgreSQL cannot be reached", findPooler(connection));
  if (databaseDirectUrl === null) {
    if (!pooler) return { connection, direct: connection, pooler };
    throw new Error(
      "DATABASE_URL leads to a pooler in transaction mode, so DATABASE_DIRECT_URL must be set: " +
        "an address of the same database without that pooler.",
    );
  }
  const direct = { connectionString: databaseDirectUrl };
  if (await sentence("DATABASE_DIRECT_URL cannot be reached", findPooler(direct))) {
    throw new Error("DATABASE_DIRECT_URL leads to a pooler in transaction mode, but must not.");
  }
  const unusable = "DATABASE_URL cannot be used";
  const here = await sentence(unusable, databaseAt(connection));
  if (here !== (await databaseAt(direct))) {
    throw new Error("DATABASE_DIRECT_URL leads to another database than DATABASE_URL.");
  }
  if (pooler) await refuseUnboundedStatements(connection);
  return { connection, direct, pooler };
}

/** In a busy pooler two clients may happen to get the same two connections again, but not this often. */
const rounds = 8;

/**
 * The pooler that lends connections by the transaction at this address; null if a connection is a session,
 * either PostgreSQL's own or that of a pooler in session mode. Throws what pg throws.
 *
 * Two clients prepare a statement of the same name and use it to ask, in turns, which backend answers. A
 * pooler that passes names on unchanged fails where the other client has already prepared it, and where
 * neither has.
 */
export async function findPooler(connection: pg.ClientConfig): Promise<Pooler | null> {
  const address = shortConnection(connection);
  return withClient(address, (one) =>
    withClient(address, (other) => poolerBehind([one, other])),
  ).catch((error: { code?: string }) => {
    // invalid_sql_statement_name, duplicate_prepared_statement
    if (error.code === "26000" || error.code === "42P05") return { prepares: false };
    throw error;
  });
}

async function poolerBehind(clients: [pg.Client, pg.Client]): Promise<Pooler | null> {
  const name = `postcard.pooler.${randomBytes(6).toString("hex")}`;
  const backends: number[] = [];
  let shared = false;
  for (let turn = 0; turn < 2 * rounds; turn += 1) {
    const client = clients[turn % 2] as pg.Client;
    const text = "select pg_backend_pid() as pid";
    const { rows } = await client.query<{ pid: number }>({ name, text });
    const pid = rows[0]?.pid ?? 0;
    // PostgreSQL sends each client this number when it connects; a pooler sends one of its own.
    if (pid === (client as { processID?: number | null }).processID) return null;
    // Each client prepares it at its first turn.
    const hasName = backends.slice(0, Math.min(turn, 2)).includes(pid);
    if (turn === 1 ? hasName : turn > 1 && !hasName) return { prepares: true };
    shared ||= (backends[turn - 2] ?? pid) !== pid;
    shared ||= backends[turn - 1] === pid;
    backends[turn] = pid;
  }
  return shared ? { prepares: false } : null;
}

/** Identifies a database, also through a pooler. */
async function databaseAt(connection: pg.ClientConfig): Promise<string> {
  const row = await ask<{ id: string }>(
    connection,
    "select extract(epoch from pg_postmaster_start_time()) || current_database() as id",
  );
  return row.id;
}

/**
 * What we set for a session is lost with each transaction, so the sessions must already have timeouts when
 * the pooler opens them; how short is the operator's decision.
 */
async function refuseUnboundedStatements(connection: pg.ClientConfig): Promise<void> {
  const timeouts = Object.entries(timeoutsOf(requestBounds));
  const columns = timeouts.map(([name]) => `current_setting('${name}') as ${name}`);
  const row = await ask<Record<string, string>>(
    connection,
    `select quote_ident(current_user) || ' IN DATABASE ' || quote_ident(current_database()) as whose,
       ${columns.join(", ")}`,
  );
  const missing = timeouts.filter(([name]) => row[name] === "0");
  if (missing.length === 0) return;
  const statements = missing.map(([name, ms]) => `ALTER ROLE ${row["whose"]} SET ${name} = ${ms};`);
  throw new Error(
    `DATABASE_URL leads to a pooler in transaction mode, so PostgreSQL must bound statements by ` +
      `itself: run there "${statements.join(" ")}" and let the pooler connect anew.`,
  );
}

/** In a transaction, which poolers in statement mode refuse. */
async function ask<Row>(connection: pg.ClientConfig, text: string): Promise<Row> {
  return withClient(shortConnection(connection), async (client) => {
    await client.query("begin");
    const { rows } = await client.query(text);
    await client.query("commit");
    return rows[0] as Row;
  });
}

async function sentence<T>(failure: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${failure}: ${reason(error)}.`, { cause: error });
  }
}
