import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { FailedJob, JobCount } from "#shared/operator.ts";

/** How many rows are stored, and for how many days: if nobody looked at one for a week, it is not needed. */
const retained = { rows: 500, days: 7 };
const shown = 50;
/** Jobs are counted up to this number; beyond it the exact number does not matter. */
const counted = 10_000;

type NewFailedJob = { id: string; name: string; data: Record<string, unknown>; error: string };

/** Stores a job that was given up, until it is tried again; the oldest are removed. */
export async function saveFailedJob(db: Database, job: NewFailedJob): Promise<void> {
  const { id, name, data, error } = job;
  await db.run(sql`
    with gone as (
      delete from failed_jobs
      where failed_at < now() - make_interval(days => ${retained.days}::integer)
        or id in (select id from failed_jobs order by id desc offset ${retained.rows - 1})
    )
    insert into failed_jobs (id, name, data, error)
    values (${id}, ${name}, ${JSON.stringify(data)}::jsonb, left(${error}, 500))
  `);
}

/** What waits or is in progress, by name, and what was given up. */
export type Jobs = { waiting: JobCount[]; failed: FailedJob[] };

export async function readJobs(db: Database): Promise<Jobs> {
  const [counts, failed] = await Promise.all([countJobs(db), listFailedJobs(db)]);
  const waiting = counts
    .filter((count) => count.waiting > 0)
    .map(({ name, waiting: many, late }) => ({ name, waiting: many, late }));
  return { waiting, failed };
}

/** Newest first. */
export const listFailedJobs = (db: Database) =>
  db.query<FailedJob>(sql`
    select id, name, error, floor(extract(epoch from failed_at) * 1000)::float8 as "failedAt"
    from failed_jobs
    order by id desc
    limit ${shown}
  `);

/**
 * Removes a failed job, or all of them for null, so that they are tried again: of two operators who ask for
 * the same, one gets it.
 */
export const takeFailedJobs = (db: Database, id: string | null) =>
  db.query<{ name: string; data: Record<string, unknown> }>(sql`
    delete from failed_jobs where ${id}::uuid is null or id = ${id}::uuid
    returning name, data
  `);

/** Of a name: how many wait or are in progress, should have begun minutes ago, and were given up lately. */
type JobState = JobCount & { failed: number };

/** Finished and failed jobs are removed after minutes. */
export const countJobs = (db: Database) =>
  db.query<JobState>(sql`
    select name,
      (count(*) filter (where state <> 'failed'))::int as waiting,
      (count(*) filter (
        where state in ('created', 'retry') and start_after < clock_timestamp() - interval '10 minutes'
      ))::int as late,
      (count(*) filter (where state = 'failed'))::int as failed
    from (
      (select name, state, start_after from pgboss.job where state = 'failed' limit ${counted})
      union all
      (select name, state, start_after from pgboss.job
       where state in ('created', 'retry', 'active') limit ${counted})
    ) j
    group by name
    order by name
  `);
