import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { PgBoss, type ConstructorOptions, type JobWithMetadata } from "pg-boss";
import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { databaseFaultOf } from "#server/platform/db/database-faults.ts";
import { jobConnections, type JobTables } from "#server/platform/db/job-tables.ts";
import { runJob, runOnce, type JobData, type JobHandler } from "#server/platform/job-runs.ts";
import { onceAMinute } from "#server/platform/log.ts";

export type { JobData, JobHandler, JobRun } from "#server/platform/job-runs.ts";

export type JobOptions = {
  /** how many of this name one process runs at once; 1 by default */
  concurrency?: number;
  /** a run that takes longer is aborted and repeated; 15 minutes by default */
  longestSeconds?: number;
  /** how often a failed run is repeated, after pauses that double from 10 s up to an hour; 10 by default */
  retries?: number;
};

export type Jobs = ReturnType<typeof createJobs>;

type Deps = { db: Database; log: Pick<Logger, "warn" | "error"> };

type Registered = { handler: JobHandler<JobData>; options: Required<JobOptions> };

/** How long a stop waits for jobs in progress, in milliseconds; those not done by then run again. */
const drainMs = 2500;
/**
 * A process that has not reported for this long that it is still working on a job counts as dead, seconds.
 */
const silence = 30;
const lookForTheDeadMs = 20_000;
/** How soon a job is noticed whose time has come, or that another process added, seconds. */
const pollSeconds = 5;
/** How long a finished job's data is retained, in seconds. */
const finishedRetentionSeconds = 10 * 60;
const quarterOfAnHour = 15 * 60;
/** How long after its time a job that could not be run is given up, in seconds. */
const givenUpAfter = 30 * 24 * 60 * 60;
const lifeOfJob = {
  retryDelay: 10,
  retryDelayMax: 60 * 60,
  retryBackoff: true,
  heartbeatSeconds: silence,
  retentionSeconds: givenUpAfter,
  deleteAfterSeconds: finishedRetentionSeconds,
};

/**
 * Work that happens later, even after a restart: rows of PostgreSQL, shared by all processes, using pg-boss
 * (see docs/decisions/0061). A handler may run more than once for one job (a crash can come between its
 * work and the note that it was done), so it first checks what is still to be done.
 */
export function createJobs({ db, log }: Deps) {
  const outsideTransactions = AsyncLocalStorage.snapshot();
  const connections = jobConnections(db);
  const stopping = new AbortController();
  const boss = openBoss(connections.alone, log, stopping.signal);
  const handlers = createHandlers();
  const workers = new Map<string, string[]>();
  let opening: Promise<void> | null = null;
  let search: NodeJS.Timeout | undefined;

  /** Creates the queues of registered jobs that are missing. */
  function open(): Promise<void> {
    opening ??= outsideTransactions(() => makeQueues(boss, handlers.names())).catch(
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  }

  /**
   * Adds a job to the current transaction; without one it is added at once. It runs soon after the commit,
   * or soon after `after`. While a job with the same `key` (letters, digits and `_.-/`, no email) waits to
   * run, another is not added.
   */
  async function add(
    name: string,
    data: JobData,
    { after, key }: { after?: Date; key?: string } = {},
  ): Promise<void> {
    const { options } = handlers.of(name);
    await open();
    await boss.send(name, data, {
      ...lifeOfJob,
      db: connections.joined,
      singletonKey: key ?? randomUUID(),
      ...(after && { startAfter: after }),
      retryLimit: options.retries,
      expireInSeconds: options.longestSeconds,
    });
    if (!after) db.afterCommit(() => wake(name));
  }

  function wake(name: string): void {
    for (const worker of workers.get(name) ?? []) boss.notifyWorker(worker);
  }

  const run = (name: string, job: JobWithMetadata<JobData>) =>
    runJob(
      { db, log },
      { name, job, handler: handlers.of(name).handler, stopping: stopping.signal },
    );

  const lookForLost = () => repeatLost(boss, log, stopping.signal);

  /** Starts running jobs in this process. */
  async function start(): Promise<void> {
    await open();
    await outsideTransactions(async () => {
      for (const name of handlers.names()) {
        const ids: string[] = [];
        workers.set(name, ids);
        // the next job does not wait for a poll
        const work = (job: JobWithMetadata<JobData>) => run(name, job).finally(() => wake(name));
        for (let worker = 0; worker < handlers.of(name).options.concurrency; worker += 1) {
          ids.push(await workOn(boss, name, work));
        }
      }
      search = setInterval(lookForLost, lookForTheDeadMs).unref();
      lookForLost();
    });
  }

  /** Takes no more jobs and waits a little for those in progress; the rest runs again later. Never throws. */
  async function stop(): Promise<void> {
    clearInterval(search);
    stopping.abort(new Error("The server stops."));
    if (!opening) return;
    await opening.catch(() => {});
    await boss.stop({ timeout: drainMs }).catch((error: unknown) => {
      log.error({ err: error }, "background jobs did not stop in order");
    });
  }

  /**
   * Runs what is due now, one after the other, and the jobs this adds, without any timer; with `later` also
   * what is not due yet. For tests and tools that do not start(). A failed job is not repeated here: its
   * error is in the result.
   */
  async function runDue({ later = false } = {}): Promise<{ done: number; failed: unknown[] }> {
    await open();
    const now = await runOnce(boss, { names: handlers.names(), later, run });
    if (now.done === 0) return now;
    const more = await runDue();
    return { done: now.done + more.done, failed: [...now.failed, ...more.failed] };
  }

  return { add, handle: handlers.add, start, stop, runDue };
}

function createHandlers() {
  const registered = new Map<string, Registered>();

  return {
    /** Registers the handler of the jobs called `name`; once, before the start. */
    add<Data extends JobData>(
      name: string,
      handler: JobHandler<Data>,
      { concurrency = 1, longestSeconds = quarterOfAnHour, retries = 10 }: JobOptions = {},
    ): void {
      if (registered.has(name)) throw new Error(`The job ${name} has a handler already.`);
      const options = { concurrency, longestSeconds, retries };
      registered.set(name, { handler: handler as JobHandler<JobData>, options });
    },
    of(name: string): Registered {
      const found = registered.get(name);
      if (!found) throw new Error(`Nobody handles the job ${name}.`);
      return found;
    },
    names: () => registered.keys(),
  };
}

function workOn(boss: PgBoss, name: string, run: (job: JobWithMetadata<JobData>) => Promise<void>) {
  const options = { pollingIntervalSeconds: pollSeconds, includeMetadata: true } as const;
  return boss.work<JobData, void, typeof options>(name, options, async ([job]) => {
    if (job) await run(job);
  });
}

/** Makes jobs of dead processes due again; finished ones are removed. */
function repeatLost(boss: PgBoss, log: Deps["log"], stopping: AbortSignal): void {
  boss.supervise().catch((error: unknown) => {
    if (!stopping.aborted) log.error({ err: error }, "lost jobs could not be looked for");
  });
}

function openBoss(tables: JobTables, log: Deps["log"], stopping: AbortSignal): PgBoss {
  const boss = new PgBoss(withTimers(tables));
  const isNews = onceAMinute();
  // While the database is away or full, every poll fails, several times a second.
  boss.on("error", (reported) => {
    // For a poll it emits a copy of the error, with the name of the queue.
    const error = reported instanceof Error ? reported : Object.assign(new Error(), reported);
    const fault = databaseFaultOf(error);
    if (fault && (stopping.aborted || !isNews(fault))) return;
    log.error({ err: error }, "background jobs met an error");
  });
  boss.on("warning", ({ message }) => log.warn({ message }, "background jobs"));
  return boss;
}

async function makeQueues(boss: PgBoss, names: Iterable<string>): Promise<void> {
  await boss.start();
  const known = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const name of names) {
    // "short": at most one waiting job per key
    if (!known.has(name)) await boss.createQueue(name, { policy: "short" });
  }
}

/** Its timers never keep a process running that is otherwise done. */
function withTimers(db: JobTables): ConstructorOptions {
  return {
    db,
    supervise: false,
    schedule: false,
    monitorIntervalSeconds: lookForTheDeadMs / 2000,
    maintenanceIntervalSeconds: finishedRetentionSeconds,
    clock: {
      now: () => Date.now(),
      setTimeout: (work, ms) => setTimeout(work, ms).unref(),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
      setInterval: (work, ms) => setInterval(work, ms).unref(),
      clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
    },
  };
}
