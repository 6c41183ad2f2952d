import pg from "pg";
import { pooledConnection, type Bounds } from "#server/platform/db/time-limits.ts";
import { destroy, isReached } from "#server/platform/db/clients.ts";
import { isTimeout, isUnreached } from "#server/platform/db/database-faults.ts";
import type { Pooler } from "#server/platform/db/pooler.ts";
import { watchForSilence } from "#server/platform/db/unresponsive.ts";

export type OnQuery = (text: string, values: readonly unknown[], at?: "replica") => void;

type Options = {
  connection: pg.PoolConfig;
  bounds: Bounds;
  /** between us and PostgreSQL; with one, its sessions have their own limits (pooler.ts) */
  pooler?: Pooler | null;
  /** Called with the reason when an idle connection broke. */
  onIdleError: (error: Error) => void;
  /** Called when the database no longer responds, and when it is back. */
  onSilence?: ((silent: boolean) => void) | undefined;
  onQuery?: OnQuery | undefined;
};

/**
 * A request that waited this long gets no connection that a lock held up until this long ago, milliseconds.
 */
const nextToALock = 250;

/** Worded like pg's error for a connection that it could not make in time. */
const silentNow = "timeout expired: the database answers nobody";

type AnyQuery = (...args: unknown[]) => Promise<unknown>;

type Watch = ReturnType<typeof watchForSilence>;

/** State of a pool's connections. */
type Known = {
  /** All of them, including those being made. */
  clients: Set<pg.Client>;
  /** When a connection last answered. */
  heard: WeakMap<pg.PoolClient, number>;
  /** Connections that were cut off but whose end has not been noticed everywhere yet. */
  dead: WeakSet<pg.PoolClient>;
  /** Since when the database has been silent, judging by the last query that got no answer. */
  silentSince: number;
  /** When a statement last gave up waiting for a lock. */
  lockedAt: number;
  /** Whether writes are refused because the disk is full, and on which connections that is already set. */
  full: boolean;
  closed: WeakSet<pg.PoolClient>;
};

/**
 * A pool whose connections may be lost silently (dropped by a firewall, or in a failover): when one query
 * gets no answer at all, its connection is thrown away, and so is every other that has been silent since
 * that query was sent. So a dead pool costs one wait, not one for each of its connections. And when nothing
 * at all is answered, not even a new connection (unresponsive.ts), nobody waits even once: all connections
 * are cut off, and none is made until the database answers again.
 */
export function createPool(options: Options) {
  const { connection, bounds, pooler = null, onIdleError, onSilence } = options;
  const known: Known = {
    clients: new Set(),
    heard: new WeakMap(),
    dead: new WeakSet(),
    silentSince: 0,
    lockedAt: 0,
    full: false,
    closed: new WeakSet(),
  };
  const pooled = pooledConnection(connection, bounds, { sessions: !pooler });
  const watch = watchForSilence({
    silence: bounds.silence,
    reach: () => isReached(pooled),
    onSilent: () => {
      onSilence?.(true);
      known.silentSince = Date.now();
      for (const client of known.clients) destroy(client);
    },
    onBack: () => onSilence?.(false),
  });
  const pool = new pg.Pool({ ...pooled, ...watched(pooled, known, watch) });
  // A server that goes away breaks idle clients; the pool replaces them at the next query.
  pool.on("error", (error) => onIdleError(error));
  pool.on("connect", (client) => {
    // A connection in use reports through its query, which fails; without a listener this event would end
    // the process.
    client.on("error", () => undefined);
    known.heard.set(client, Date.now());
    hearQueries(client, known, watch, options);
  });

  return {
    connect: () => connect(pool, known),
    query: async <Row extends pg.QueryResultRow>(
      config: pg.QueryConfig,
    ): Promise<pg.QueryResult<Row>> => {
      const client = await connect(pool, known);
      return client.query<Row>(config).finally(() => client.release());
    },
    /** While the disk is full only reads are allowed, so that there is room for them. */
    setFull: (isFull: boolean) => {
      known.full = isFull;
    },
    count: () => ({ open: pool.totalCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    end: () => {
      watch.end();
      return pool.end();
    },
  };
}

/**
 * Which class makes its connections, and what is set on them; waiting for these answers is watched as well.
 */
function watched({ onConnect }: pg.PoolConfig, { clients }: Known, watch: Watch): pg.PoolConfig {
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config);
      clients.add(this);
      this.once("end", () => clients.delete(this));
    }
    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      if (!callback) return super.connect() as Promise<this>;
      if (watch.isSilent()) {
        clients.delete(this);
        return void process.nextTick(callback, new Error(silentNow));
      }
      watch.asked();
      super.connect((error: Error) => {
        watch.answered(!isUnreached(error));
        callback(error);
      });
    }
  }
  const settle = async (client: pg.ClientBase) => {
    watch.asked();
    try {
      await onConnect?.(client);
      watch.answered(true);
    } catch (error) {
      watch.answered(!isTimeout(error));
      throw error;
    }
  };
  // pg-pool constructs them with its own settings, despite what its types say.
  return { Client: Client as unknown as new () => pg.ClientBase, onConnect: settle };
}

/** Notes the outcome of each query of a connection. */
function hearQueries(
  client: pg.PoolClient,
  known: Known,
  watch: Watch,
  { onQuery, pooler }: Pick<Options, "onQuery" | "pooler">,
): void {
  const prepares = pooler?.prepares ?? true;
  const query = client.query.bind(client) as AnyQuery;
  client.query = ((...args: unknown[]) => {
    if (onQuery) onQuery(...statementOf(args));
    if (!prepares) args[0] = withoutName(args[0]);
    const sent = Date.now();
    const hear = (error: unknown) => {
      watch.answered(!isTimeout(error));
      note(client, known, sent, error);
    };
    watch.asked();
    const answer = query(...args);
    answer.then(() => hear(null), hear);
    return answer;
  }) as typeof client.query;
}

function note(client: pg.PoolClient, known: Known, sent: number, error: unknown): void {
  if (isTimeout(error)) {
    known.silentSince = Math.max(known.silentSince, sent);
    known.dead.add(client);
    destroy(client);
    return;
  }
  const now = Date.now();
  known.heard.set(client, now);
  const refused = error as { code?: unknown } | null;
  if (refused?.code === "55P03") known.lockedAt = now;
  // It is read-only because its disk is full, and we set it so.
  if (refused?.code === "25006" && known.closed.has(client)) refused.code = "53100";
}

/** A connection that is believed to be alive; waits for one within the limits. */
async function connect(pool: pg.Pool, known: Known): Promise<pg.PoolClient> {
  const asked = Date.now();
  for (;;) {
    const client = await pool.connect();
    // Within the same millisecond either may have come first.
    if (known.dead.has(client) || (known.heard.get(client) ?? 0) <= known.silentSince) {
      destroy(client);
      client.release(true);
      continue;
    }
    const now = Date.now();
    if (now - known.lockedAt < nextToALock && now - asked > nextToALock) {
      // It would wait behind the same lock, after having waited for those who already did.
      client.release();
      throw Object.assign(new Error("waited for a connection behind a lock"), { code: "55P03" });
    }
    if (known.closed.has(client) !== known.full) await setReadOnly(client, known);
    return client;
  }
}

async function setReadOnly(client: pg.PoolClient, { full, closed }: Known): Promise<void> {
  try {
    await client.query(`set default_transaction_read_only = ${full ? "on" : "off"}`);
    if (full) closed.add(client);
    else closed.delete(client);
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
}

/** Removes a statement's name, so that it is planned anew each time. */
function withoutName(statement: unknown): unknown {
  const { name, ...unnamed } = statement as pg.QueryConfig;
  return name === undefined ? statement : unnamed;
}

function statementOf(args: unknown[]): [string, readonly unknown[]] {
  const [first, second] = args;
  const { text, values = Array.isArray(second) ? second : [] } =
    typeof first === "string" ? { text: first } : (first as pg.QueryConfig);
  return [text, values];
}
