import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "#server/platform/db/database.ts";
import {
  createJobs,
  type JobData,
  type JobHandler,
  type JobOptions,
  type Jobs,
} from "#server/platform/jobs.ts";
import { freshDatabase } from "#server/test/database.ts";
import { query } from "#server/test/query.ts";

let db: Database;
let connection: Awaited<ReturnType<typeof freshDatabase>>["connection"];
const logged: { level: string; message: string; about: Record<string, unknown> }[] = [];
const started: Jobs[] = [];

beforeAll(async () => {
  ({ db, connection } = await freshDatabase());
});

afterEach(async () => {
  for (const jobs of started.splice(0)) await jobs.stop();
  logged.length = 0;
});

const log = {
  warn: (about: object, message: string) => noted("warn", about, message),
  error: (about: object, message: string) => noted("error", about, message),
} as Parameters<typeof createJobs>[0]["log"];

function noted(level: string, about: object, message: string): void {
  logged.push({ level, message, about: about as Record<string, unknown> });
}

let names = 0;

/** A kind of job for one test, and the jobs of one process that handle it. */
function kindOfJob(handler: JobHandler<JobData>, options: JobOptions = {}) {
  const name = `test.${(names += 1)}`;
  return { name, ...processFor(name, handler, options) };
}

function processFor(
  name: string,
  handler: JobHandler<JobData>,
  options: JobOptions = {},
  database = db,
) {
  const jobs = createJobs({ db: database, log });
  jobs.handle(name, handler, options);
  started.push(jobs);
  return { jobs, add: (data: JobData, how = {}) => jobs.add(name, data, how) };
}

async function waiting(name: string): Promise<{ state: string; due_in: number }[]> {
  return query(
    db,
    `select state::text, extract(epoch from start_after - now())::float as due_in
       from pgboss.job where name = $1 and state in ('created', 'retry') order by start_after`,
    [name],
  );
}

/** Waits for something that happens without being requested. */
async function until(what: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (await what()) return;
    await sleep(20);
  }
  throw new Error("it did not happen");
}

test("a job added in a transaction is there after its commit and runs with its data", async () => {
  const seen: JobData[] = [];
  const { jobs, add } = kindOfJob(async (data) => seen.push(data));
  await db.transaction(async () => {
    await add({ letter: "שלום", number: 7 });
    expect((await jobs.runDue()).done, "nobody sees it before the commit").toBe(0);
  });
  expect(await jobs.runDue()).toEqual({ done: 1, failed: [] });
  expect(seen).toEqual([{ letter: "שלום", number: 7 }]);
  expect(await jobs.runDue()).toEqual({ done: 0, failed: [] });
});

test("a job added in a transaction that is rolled back never runs", async () => {
  const seen: JobData[] = [];
  const { name, jobs, add } = kindOfJob(async (data) => seen.push(data));
  const change = db.transaction(async () => {
    await add({});
    throw new Error("changed my mind");
  });
  await expect(change).rejects.toThrow("changed my mind");
  await jobs.runDue();
  expect(seen).toEqual([]);
  expect(await waiting(name)).toEqual([]);
});

test("a job for later waits for its time", async () => {
  const seen: JobData[] = [];
  const { name, jobs, add } = kindOfJob(async (data) => seen.push(data));
  await add({}, { after: new Date(Date.now() + 7 * 86_400_000) });
  expect((await jobs.runDue()).done).toBe(0);
  const [job] = await waiting(name);
  expect(job?.due_in).toBeGreaterThan(7 * 86_400 - 60);
  expect((await jobs.runDue({ later: true })).done).toBe(1);
  expect(seen).toHaveLength(1);
});

test("of jobs with one key only one waits; another may be added while it runs", async () => {
  let again = 0;
  const { name, jobs, add } = kindOfJob(async ({ first }) => {
    if (first) await add({ first: false }, { key: "one" });
    again += 1;
  });
  await Promise.all([1, 2, 3].map(() => add({ first: true }, { key: "one" })));
  await add({ first: false }, { key: "two" });
  expect(await waiting(name)).toHaveLength(2);
  expect((await jobs.runDue()).done).toBe(3);
  expect(again).toBe(3);
});

test("a job that fails runs again after a pause that grows, and is given up in the end", async () => {
  const attempts: [number, boolean][] = [];
  const { name, jobs, add } = kindOfJob(
    async (_data, { attempt, last }) => {
      attempts.push([attempt, last]);
      throw new Error("no use");
    },
    { retries: 2 },
  );
  await add({});
  const pauses: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const { done, failed } = await jobs.runDue({ later: true });
    expect([done, failed.length]).toEqual([0, 1]);
    pauses.push(...(await waiting(name)).map(({ due_in }) => due_in));
  }
  expect(attempts).toEqual([
    [1, false],
    [2, false],
    [3, true],
  ]);
  expect(pauses).toHaveLength(2);
  expect(pauses[0]).toBeGreaterThan(4);
  expect(pauses[1]).toBeGreaterThan(9);
  expect(logged.map(({ level, message }) => [level, message])).toEqual([
    ["warn", "a job failed"],
    ["warn", "a job failed"],
    ["error", "a job was given up"],
  ]);
});

test("a started process runs what is added, at once and one after the other", async () => {
  const seen: unknown[] = [];
  let running = 0;
  const { jobs, add } = kindOfJob(async ({ number }) => {
    running += 1;
    expect(running).toBe(1);
    await sleep(5);
    seen.push(number);
    running -= 1;
  });
  await jobs.start();
  for (let number = 0; number < 30; number += 1) await add({ number });
  await until(() => seen.length === 30);
  expect(new Set(seen).size).toBe(30);
});

test("several processes share the work, and each job is done by one of them", async () => {
  const seen: [process: number, job: unknown][] = [];
  const { name, add } = kindOfJob(async () => {});
  const others = [1, 2, 3].map((number) => {
    const other = createDatabase({ connection, log });
    const worker = processFor(
      name,
      async (data) => {
        await sleep(10);
        seen.push([number, data["job"]]);
      },
      {},
      other,
    );
    return { ...worker, other };
  });
  for (let job = 0; job < 60; job += 1) await add({ job });
  await Promise.all(others.map(({ jobs }) => jobs.start()));
  await until(() => seen.length >= 60);
  await Promise.all(others.map(({ jobs }) => jobs.stop()));
  for (const { other } of others) await other.close();
  expect(seen).toHaveLength(60);
  expect(new Set(seen.map(([, job]) => job)).size).toBe(60);
  expect(new Set(seen.map(([process]) => process)).size).toBeGreaterThan(1);
});

test("a stop waits for the job in progress, and what it cannot wait for runs again", async () => {
  const events: string[] = [];
  const { name, jobs, add } = kindOfJob(
    async ({ quick }, { signal }) => {
      events.push("begun");
      if (quick) {
        await sleep(200);
        events.push("done");
        return;
      }
      await new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("told to stop")));
      });
    },
    { concurrency: 2 },
  );
  await jobs.start();
  await add({ quick: true });
  await add({ quick: false });
  await until(() => events.length === 2);
  await jobs.stop();
  expect(events).toEqual(["begun", "begun", "done"]);
  expect((await waiting(name)).map(({ state }) => state)).toEqual(["retry"]);
});

test("a job without a handler is refused where it is added", async () => {
  const { jobs } = kindOfJob(async () => {});
  await expect(jobs.add("unheard.of", {})).rejects.toThrow("Nobody handles the job unheard.of.");
  expect(() => jobs.handle("test.1", async () => {})).not.toThrow();
  expect(() => jobs.handle("test.1", async () => {})).toThrow("has a handler already");
});

test("an effect for after the commit happens then, and never after a rollback", async () => {
  const seen: string[] = [];
  await db.transaction(async () => {
    db.afterCommit(() => seen.push("committed"));
    await query(db, "select 1");
    expect(seen).toEqual([]);
  });
  expect(seen).toEqual(["committed"]);
  const failing = db.transaction(async () => {
    db.afterCommit(() => seen.push("rolled back"));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  db.afterCommit(() => seen.push("without a transaction"));
  expect(seen).toEqual(["committed", "without a transaction"]);
});
