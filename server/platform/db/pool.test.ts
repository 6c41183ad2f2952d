import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { PoolConfig } from "pg";
import { pino } from "pino";
import { requestBounds, type Bounds } from "#server/platform/db/time-limits.ts";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import { hintWords, type Hint } from "#server/features/change-hint.ts";
import { createHints } from "#server/platform/db/hints.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { startFaultyProxy } from "#server/test/faulty-proxy.ts";
import { query } from "#server/test/query.ts";
import { until } from "#server/test/until.ts";

const log = pino({ level: "silent" });
let connection: PoolConfig;
let db: Database;

beforeAll(async () => {
  ({ connection, db } = await freshDatabase());
});

function open(to: PoolConfig, bounds: Partial<Bounds>): Database {
  const opened = createDatabase({ connection: to, log, bounds: { ...requestBounds, ...bounds } });
  afterFile(() => opened.close());
  return opened;
}

/**
 * Only a missing answer reveals a lost connection here, nothing else; a busy PostgreSQL has enough time to
 * answer.
 */
const byAnswers = { connect: 60_000, answer: 3000, silence: 60_000 };

/** Sends `count` queries at once; returns how many were answered, and why the others failed. */
async function ask(database: Database, count: number) {
  const asked = Array.from({ length: count }, () => query(database, "select pg_sleep(0.02)"));
  const answers = await Promise.allSettled(asked);
  const faults = answers.flatMap((one) =>
    one.status === "rejected" ? [databaseFaultOf(one.reason as Error)] : [],
  );
  return { answered: count - faults.length, faults };
}

describe("a pool whose connections were all lost silently", () => {
  test("costs one wait, then serves again", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...byAnswers, connections: 6 });
    expect((await ask(lossy, 6)).answered).toBe(6);
    expect(network.loseInSilence()).toBe(6);
    expect(await ask(lossy, 1)).toEqual({ answered: 0, faults: ["away"] });
    // The five others have been silent since then: none of them is tried.
    expect(await ask(lossy, 1)).toEqual({ answered: 1, faults: [] });
    expect((await ask(lossy, 6)).answered).toBe(6);
  });

  test("serves again when every connection was in use", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...byAnswers, connections: 4 });
    await ask(lossy, 4);
    network.loseInSilence();
    expect((await ask(lossy, 4)).faults).toEqual(["away", "away", "away", "away"]);
    expect((await ask(lossy, 4)).answered).toBe(4);
  });

  test("is detected by the health check", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...byAnswers, connections: 3 });
    await ask(lossy, 3);
    network.loseInSilence();
    expect(await lossy.ping(3000)).toBe("away");
    expect(await lossy.ping(20_000)).toBe("writable");
    expect((await ask(lossy, 3)).answered).toBe(3);
  });

  test("loses a transaction, and nothing after it", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...byAnswers, connections: 1 });
    const work = lossy.transaction(async () => {
      await query(lossy, "select 1");
      network.loseInSilence();
      await query(lossy, "select 2");
    });
    expect(databaseFaultOf(await work.catch((error: unknown) => error))).toBe("away");
    expect((await ask(lossy, 1)).answered).toBe(1);
  });

  test("waits less than a quarter of a minute", () => {
    expect(requestBounds.answer + requestBounds.connect).toBeLessThanOrEqual(15_000);
    expect(requestBounds.answer).toBeGreaterThan(requestBounds.statement);
  });
});

describe("a database that no longer responds", () => {
  /** Here only complete silence ends a query: half of its limit is the time for one more connection. */
  const endless = { connect: 60_000, statement: 60_000, answer: 60_000, silence: 2000 };

  test("counts as away for waiting and for new queries, until it answers again", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...endless, connections: 3 });
    await ask(lossy, 2);
    network.blackHole();
    // two on existing connections, one on the connection being made, and those waiting for one of these
    expect((await ask(lossy, 8)).faults).toEqual(Array.from({ length: 8 }, () => "away"));
    const tried = network.tried();
    expect((await ask(lossy, 200)).faults).toHaveLength(200);
    expect(await lossy.ping(30_000)).toBe("away");
    // none of those tried to reach it; it is tried about once a second
    expect(network.tried() - tried).toBeLessThan(100);
    network.restore();
    await until(async () => (await ask(lossy, 1)).answered === 1);
    expect(await ask(lossy, 20)).toEqual({ answered: 20, faults: [] });
  });

  test("ends a transaction that waits for it", async () => {
    const network = await startFaultyProxy(connection);
    const lossy = open(network.connection, { ...endless, connections: 1 });
    const work = lossy.transaction(async () => {
      await query(lossy, "select 1");
      network.blackHole();
      await query(lossy, "select 2");
    });
    expect(databaseFaultOf(await work.catch((error: unknown) => error))).toBe("away");
    network.restore();
    await until(async () => (await ask(lossy, 1)).answered === 1);
  });

  test("is not one where all queries wait long for an answer, or for a connection", async () => {
    const network = await startFaultyProxy(connection);
    const busy = open(network.connection, { ...endless, connections: 2 });
    const four = Array.from({ length: 4 }, () => query(busy, "select pg_sleep(3)"));
    expect(await Promise.all(four)).toHaveLength(4);
    // meanwhile it was checked whether it responds
    expect(network.tried()).toBeGreaterThan(2);
  });

  test("is not one that refuses connections", async () => {
    const network = await startFaultyProxy(connection);
    const refused = open(network.connection, { ...endless, connections: 2 });
    const asked = query(refused, "select pg_sleep(4)");
    await until(() => network.tried() > 0);
    network.refuse();
    expect(await asked).toHaveLength(1);
  });

  test("makes a query wait less than two seconds with the server's settings", () => {
    expect(requestBounds.silence).toBeLessThan(2000);
  });
});

test("hints are received again after their connection was lost silently", async () => {
  const network = await startFaultyProxy(connection);
  const lossy = open(network.connection, {});
  const hints = createHints({ db: lossy, log, words: hintWords, answer: 300 });
  afterFile(() => hints.close());
  let gaps = 0;
  hints.onGap(() => (gaps += 1));
  const heard: Hint[] = [];
  hints.listen((batch) => heard.push(...batch));
  await until(() => gaps > 0);
  const before = gaps;
  network.loseInSilence();
  hints.publish({ kind: "unread", accountId: "lost" });
  await until(() => gaps > before);
  const far = createHints({ db, log, words: hintWords });
  const found: Hint = { kind: "unread", accountId: "found" };
  far.publish(found);
  await until(() => heard.some((hint) => isDeepStrictEqual(hint, found)));
  await far.close();
});

describe("a lock held by another transaction", () => {
  test("makes a request wait once, up to its limit, and jobs wait longer", async () => {
    const hasty = open(connection, { connections: 3, lock: 300 });
    const free = Promise.withResolvers<void>();
    const held = db.transaction(async () => {
      await query(db, "lock table posts in access exclusive mode");
      await free.promise;
    });
    await until(async () => (await query(db, lockedPosts)).length === 1);
    const job = hasty.patiently(() => query(hasty, "select count(*) from posts"));
    const read = () => query(hasty, "select count(*) from posts").then(String, databaseFaultOf);
    const nine = await Promise.all(Array.from({ length: 9 }, read));
    expect(nine).toEqual(Array.from({ length: 9 }, () => "slow"));
    free.resolve();
    await held;
    expect(await job).toHaveLength(1);
    expect(await read()).not.toBe("slow");
  });

  test("costs less than two seconds with the server's settings", () => {
    expect(requestBounds.lock).toBeLessThan(2000);
  });
});

const lockedPosts = `select from pg_locks
  where relation = 'posts'::regclass and mode = 'AccessExclusiveLock' and granted`;

test("a statement and a forgotten transaction end at their limits", async () => {
  const hasty = open(connection, { connections: 2, statement: 200, idleInTransaction: 200 });
  const slow = query(hasty, "select pg_sleep(60)");
  expect(databaseFaultOf(await slow.catch((error: unknown) => error))).toBe("slow");
  const forgotten = hasty.transaction(async () => {
    const [{ pid } = { pid: 0 }] = await query<{ pid: number }>(
      hasty,
      "select pg_backend_pid() as pid",
    );
    const alive = "select from pg_stat_activity where pid = $1";
    await until(async () => (await query(db, alive, [pid])).length === 0);
    await query(hasty, "select 2");
  });
  const fault = databaseFaultOf(await forgotten.catch((error: unknown) => error));
  expect(["slow", "away"]).toContain(fault);
});
