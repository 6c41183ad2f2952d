import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { saveFailedJob } from "#server/platform/db/failed-jobs.ts";
import { newId } from "#server/platform/db/ids.ts";
import { withoutPersonalData } from "#server/platform/log.ts";
import { noteWork } from "#server/platform/processes/in-flight.ts";

/** What a job carries: JSON. No secrets, and no more about people than the work needs. */
export type JobData = Record<string, unknown>;

/** How one run of a job can tell whether it should continue. */
export type JobRun = {
  /** aborted when the server stops or the job took longer than `longestSeconds` */
  signal: AbortSignal;
  /** 1 for the first run of this job */
  attempt: number;
  /** when it was added, by the database's clock */
  addedAt: Date;
  /** no other run follows if this one fails */
  last: boolean;
};

export type JobHandler<Data extends JobData> = (data: Data, run: JobRun) => Promise<unknown>;

type Deps = { db: Database; log: Pick<Logger, "warn" | "error"> };

type Run = {
  name: string;
  job: JobWithMetadata<JobData>;
  handler: JobHandler<JobData>;
  stopping: AbortSignal;
};

/** Runs a job once; a job that failed for the last time is stored for operators. */
export async function runJob(
  { db, log }: Deps,
  { name, job, handler, stopping }: Run,
): Promise<void> {
  const attempt = job.retryCount + 1;
  const last = job.retryCount >= job.retryLimit;
  const signal = AbortSignal.any([job.signal, stopping]);
  const noteEnd = noteWork(`job ${name}`);
  try {
    await db.patiently(async () =>
      handler(job.data, { signal, attempt, last, addedAt: job.createdOn }),
    );
  } catch (error) {
    const level = last ? "error" : "warn";
    log[level]({ err: error, job: name, attempt }, last ? "a job was given up" : "a job failed");
    if (last) await storeFailure({ db, log }, name, job.data, error);
    throw error;
  } finally {
    noteEnd();
  }
}

/** A stored job can be tried again. If it cannot be stored, it was at least logged. */
async function storeFailure({ db, log }: Deps, name: string, data: JobData, error: unknown) {
  const { message, detail } = withoutPersonalData("", error);
  const said = detail || message;
  await saveFailedJob(db, { id: newId(), name, data, error: said }).catch((cause: unknown) =>
    log.warn({ err: cause }, "a job that was given up could not be kept"),
  );
}

type Once = {
  names: Iterable<string>;
  later: boolean;
  run: (name: string, job: JobWithMetadata<JobData>) => Promise<void>;
};

/** Runs what is due now, one after the other, without a worker. */
export async function runOnce(boss: PgBoss, { names, later, run }: Once) {
  const failed: unknown[] = [];
  let done = 0;
  for (const name of names) {
    const options = { includeMetadata: true, ignoreStartAfter: later } as const;
    const jobs = await boss.fetch<JobData>(name, { ...options, batchSize: 1000 });
    for (const job of jobs as JobWithMetadata<JobData>[]) {
      job.signal ??= new AbortController().signal;
      try {
        await run(name, job);
        await boss.complete(name, job.id);
        done += 1;
      } catch (error) {
        failed.push(error);
        await boss.fail(name, job.id, { message: String(error) });
      }
    }
  }
  return { done, failed };
}
