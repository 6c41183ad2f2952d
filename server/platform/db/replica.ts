import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import {
  requestBounds,
  sharedBounds,
  shortConnection,
  type Bounds,
} from "#server/platform/db/time-limits.ts";
import { withClient } from "#server/platform/db/clients.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import { createPool, type OnQuery } from "#server/platform/db/pool.ts";
import { findPooler } from "#server/platform/db/pooler.ts";
import { parsePosition } from "#server/platform/db/wal-segments.ts";

/** A position in PostgreSQL's log of writes, in the notation of its type pg_lsn: `16/B374D848`. */
export type Lsn = string;

/** How old the answers of a replica may be, milliseconds. */
export const usualLag = 3000;
/**
 * How long a known position is used: usually, and by a read that waits for a write to arrive, milliseconds.
 */
const believed = { usually: 1000, forAWrite: 20 };
/**
 * How many of the primary's positions ahead of the replica are remembered, and how far apart, milliseconds.
 */
const mostAhead = 50;
const between = 100;
/** Reads can go to the primary, so none waits long for a replica, milliseconds. */
const quick = { ...requestBounds, connect: 1000, lock: 1000, statement: 2000, answer: 2500 };

type Pool = ReturnType<typeof createPool>;

type Options = {
  connection: pg.PoolConfig;
  primary: Pick<Pool, "query">;
  processes: number;
  mostLag?: number | undefined;
  bounds?: Bounds | undefined;
  log: Pick<Logger, "warn">;
  onQuery?: OnQuery | undefined;
};

/** The position of the replica, as far as it is known. */
type Position = {
  /** how far it has replayed, and the latest moment whose writes it has completely, epoch ms */
  replayed: bigint;
  freshAsOf: number;
  /** what the primary had written at some moments since then, oldest first */
  ahead: { at: number; written: bigint }[];
};

/**
 * One replica of the database, which is read as long as its answers are at most `mostLag` old. Its position
 * is queried only while somebody reads, together with the primary's: once it has replayed what the primary
 * had written at a moment, it has everything that existed at that moment. A read that gets no answer here
 * is sent to the primary.
 */
export function createReplica(options: Options) {
  /** Statements that turned out to write. */
  const writing = new Set<string>();
  const requests = new AsyncLocalStorage<{ after: () => Promise<bigint>; open: boolean }>();
  const replica = follow(options);
  return {
    /**
     * Runs `work`, whose reads may be answered by a replica that has replayed the log up to `after`, which
     * is called when there is a read. Reads that happen after `work` has ended go to the primary.
     */
    reading: async <T>(after: () => Promise<Lsn | null>, work: () => Promise<T>): Promise<T> => {
      let asked: Promise<bigint> | undefined;
      const request = { after: () => (asked ??= after().then(positionOf)), open: true };
      try {
        return await requests.run(request, work);
      } finally {
        request.open = false;
      }
    },
    /** Answers a statement that only reads; null if the primary must be asked. */
    query: async <Row extends pg.QueryResultRow>(
      config: pg.QueryConfig,
    ): Promise<pg.QueryResult<Row> | null> => {
      const request = requests.getStore();
      if (!request?.open || writing.has(config.text)) return null;
      const pool = await replica.upTo(await request.after());
      if (!pool) return null;
      try {
        return await pool.query<Row>(config);
      } catch (error) {
        // Any other fault is this statement's own: it is too slow, or conflicted with the replay.
        const fault = databaseFaultOf(error);
        if (fault === "away") replica.leave(error);
        if (fault === "read-only") writing.add(config.text);
        return null;
      }
    },
    end: replica.end,
  };
}

/** Opens the replica and keeps track of its position. */
function follow(options: Options) {
  const { primary, log, mostLag = usualLag } = options;
  const position: Position = { replayed: 0n, freshAsOf: 0, ahead: [] };
  let opening: Promise<Pool> | null = null;
  let looking: Promise<void> | null = null;
  let lookedAt = 0;
  /** why it is not read, as it was logged */
  let left: string | null = null;

  function look(): Promise<void> {
    lookedAt = Date.now();
    looking ??= locate()
      .catch(leave)
      .finally(() => (looking = null));
    return looking;
  }

  async function locate(): Promise<void> {
    const at = Date.now();
    opening ??= openPool(options, leave).catch((error: unknown) => {
      opening = null;
      throw error;
    });
    const hasArrived = advance(position, await bothPositions(primary, await opening), at);
    if (at - (position.ahead[0]?.at ?? at) > mostLag) throw new Error("it is too far behind");
    if (hasArrived && left !== null) log.warn("the replica is read again");
    if (hasArrived) left = null;
  }

  function leave(error: unknown): void {
    position.freshAsOf = 0;
    const { message } = error as Error;
    if (left === null)
      log.warn({ reason: message }, "the replica is not read: all goes to the primary");
    left = message;
  }

  const isFresh = () => Date.now() - position.freshAsOf <= mostLag;
  return {
    /** Checks the position if it is not recent. Nobody waits for a replica that was away. */
    upTo: async (after: bigint): Promise<Pool | null> => {
      if (Date.now() - lookedAt > believed.usually) void look();
      const isBehind = isFresh() && position.replayed < after;
      if (isBehind && Date.now() - lookedAt > believed.forAWrite) await look();
      return isFresh() && position.replayed >= after ? opening : null;
    },
    leave,
    end: async () => {
      await looking;
      await (await opening?.catch(() => null))?.end();
    },
  };
}

type Positions = { written: bigint; replayed: bigint };

async function bothPositions(primary: Options["primary"], replica: Pool): Promise<Positions> {
  const [written, replayed] = await Promise.all([
    primary.query<{ lsn: Lsn }>(writtenNow).then(({ rows }) => rows[0]?.lsn),
    replica.query<{ lsn: Lsn | null }>(replayedNow).then(({ rows }) => rows[0]?.lsn),
  ]);
  if (!replayed) throw new Error("it is no replica");
  return { written: positionOf(written), replayed: positionOf(replayed) };
}

/**
 * Records the positions that both reported at that moment; whether all writes of some moment have arrived.
 */
function advance(position: Position, { written, replayed }: Positions, at: number): boolean {
  const moments = [...position.ahead, { at, written }];
  const arrived = moments.findLast((moment) => moment.written <= replayed);
  const ahead = moments.filter((moment) => moment.written > replayed);
  const [last, before] = [ahead.at(-1), ahead.at(-2)];
  if (last && before && last.at - before.at < between) ahead.pop();
  // the oldest shows how far it is behind
  if (ahead.length > mostAhead) ahead.splice(1, 1);
  Object.assign(position, { replayed, ahead, ...(arrived && { freshAsOf: arrived.at }) });
  return arrived !== undefined;
}

/** Opens a pool to the replica, once it is known to be one of the primary's. */
async function openPool(options: Options, onIdleError: (error: Error) => void): Promise<Pool> {
  const { connection, primary, processes, bounds = quick } = options;
  const pool = createPool({
    connection,
    pooler: await findPooler(connection),
    bounds: sharedBounds(bounds, processes),
    // After a restart its position may be lower than before.
    onIdleError,
    onQuery: (text, values) => options.onQuery?.(text, values, "replica"),
  });
  try {
    const [here, there] = await Promise.all(
      [primary, pool].map((one) => one.query<{ id: string }>(whichCluster)),
    );
    if (here?.rows[0]?.id === there?.rows[0]?.id) return pool;
    throw new Error("it is a replica of another database");
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * Why the address of a replica cannot be read, as part of a sentence; null if all is well: it is a replica
 * of this database, and received within the usual lag what was written before the check. Throws what pg
 * throws.
 */
export function examineReplica(
  primary: pg.ClientConfig,
  replica: pg.ClientConfig,
): Promise<string | null> {
  return withClient(shortConnection(primary), (there) =>
    withClient(shortConnection(replica), (here) => whyUnusable(there, here)),
  );
}

async function whyUnusable(there: pg.Client, here: pg.Client): Promise<string | null> {
  if ((await text(there, whichCluster.text)) !== (await text(here, whichCluster.text))) {
    return "it is a replica of another database";
  }
  const written = positionOf(await text(there, writtenNow.text));
  for (const asked = Date.now(); ; await sleep(100)) {
    const position = await text(here, replayedNow.text);
    if (!position) return "it is no replica";
    if (positionOf(position) >= written) return null;
    if (Date.now() - asked > usualLag) return `it is more than ${usualLag / 1000} s behind`;
  }
}

/** The only column of the only row. */
async function text(client: pg.Client, query: string): Promise<string | null | undefined> {
  const { rows } = await client.query<Record<string, string | null>>(query);
  return Object.values(rows[0] ?? {})[0];
}

const writtenNow = { name: "replica.written", text: "select pg_current_wal_lsn()::text as lsn" };
/** Null if it is not a replica, or no longer one. */
const replayedNow = {
  name: "replica.replayed",
  text: "select case when pg_is_in_recovery() then pg_last_wal_replay_lsn()::text end as lsn",
};
const whichCluster = {
  text: "select system_identifier || current_database() as id from pg_control_system()",
};

/** Without a position: before everything. */
const positionOf = (lsn: Lsn | null | undefined): bigint => parsePosition(lsn ?? "0/0");
