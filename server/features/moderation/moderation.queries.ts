import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { epochMs, idTime } from "#server/platform/db/times.ts";
import { accountSummary } from "#server/features/people/index.ts";
import { reportLimits } from "#shared/report-limits.ts";
import type { ReportSubject, VerdictAct } from "#shared/report-kinds.ts";
import type { LogEntry, OwnVerdict } from "#shared/reports.ts";

/** The outcome of the answer to a row `v` of verdicts; null where nothing was decided. */
export const outcomeOf = sql`case when v.outcome is not null then json_build_object(
  'kept', v.outcome = 'kept', 'reason', v.outcome_reason, 'at', ${epochMs("v.outcome_at")}
) end`;

/** Acts in the moderation log. */
export type LogAct =
  VerdictAct | "answer" | "kept" | "lifted" | "restore" | "role-given" | "role-taken";

/** Ends the suspensions of an account, as it reads them. Primary key of verdicts. */
export const endSuspensions = (db: Database, accountId: string) =>
  db.run(sql`
    update verdicts set until = now()
    where account_id = ${accountId} and act = 'suspend' and (until is null or until > now())
  `);

type NewVerdict = {
  account_id: string;
  id: string;
  case_id: string;
  act: VerdictAct;
  taken_down: boolean;
  reason: string;
  until: Date | null;
  moderator_id: string | null;
};

/** With the end of its case. */
export const insertVerdict = (db: Database, verdict: NewVerdict) =>
  db.run(sql`
    with closed as (
      update moderation_cases set state = 'closed', closed_at = now()
      where account_id = ${verdict.account_id} and id = ${verdict.case_id}
    )
    insert into verdicts ${sql.row(verdict)}
  `);

/** Writes the outcome of an answer, and closes its case. Answers the act that was answered. */
export const writeOutcome = (
  db: Database,
  { accountId, caseId }: { accountId: string; caseId: string },
  { kept, reason }: { kept: boolean; reason: string },
) =>
  db.value<VerdictAct>(sql`
    with closed as (
      update moderation_cases set state = 'closed', closed_at = now()
      where account_id = ${accountId} and id = ${caseId}
    )
    update verdicts set
      outcome = ${kept ? "kept" : "lifted"}, outcome_reason = ${reason}, outcome_at = now()
    where account_id = ${accountId} and case_id = ${caseId}
    returning act
  `);

/** Suspensions of an account that were not lifted and still run. Primary key of verdicts. */
export const runningSuspensions = (db: Database, accountId: string) =>
  db.query<{ until: Date | null }>(sql`
    select until from verdicts
    where account_id = ${accountId} and act = 'suspend' and outcome is distinct from 'lifted'
      and (until is null or until > now())
  `);

/** A row `v` of verdicts and its case `c`, as the account concerned reads it. */
const ownVerdict = sql`json_build_object(
  'id', v.id, 'at', ${idTime("v.id")}, 'subject', c.subject, 'said', c.said, 'act', v.act,
  'takenDown', v.taken_down, 'reason', v.reason, 'until', ${epochMs("v.until")}, 'answer', v.answer,
  'mayAnswer', v.answer is null and
    ${idTime("v.id")} > extract(epoch from now() - make_interval(days => ${sql.lit(reportLimits.answerDays)})) * 1000,
  'outcome', ${outcomeOf}
)`;

type VerdictPage = { accountId: string; below: string; limit: number };

/** Newest first; dismissals are not shown. Primary key. */
export const verdictsOf = (db: Database, { accountId, below, limit }: VerdictPage) =>
  db.query<KeyedRow<OwnVerdict>>(sql`
    select json_build_array(v.id) as key, ${ownVerdict} as item
    from verdicts v
    join moderation_cases c on c.account_id = v.account_id and c.id = v.case_id
    where v.account_id = ${accountId} and v.act <> 'dismiss' and v.id < ${below}
    order by v.id desc
    limit ${limit}
  `);

/** The newest suspension that was not lifted and still runs. */
export const findSuspending = (db: Database, accountId: string) =>
  db.value<OwnVerdict>(sql`
    select ${ownVerdict} as item
    from verdicts v
    join moderation_cases c on c.account_id = v.account_id and c.id = v.case_id
    where v.account_id = ${accountId} and v.act = 'suspend' and v.outcome is distinct from 'lifted'
      and (v.until is null or v.until > now())
    order by v.id desc
    limit 1
  `);

export type LockedVerdict = { caseId: string; answer: string | null };

/** One that was shown to its account, locked: two answers go one after the other. Primary key. */
export const lockVerdict = (db: Database, accountId: string, id: string) =>
  db.first<LockedVerdict>(sql`
    select case_id as "caseId", answer from verdicts
    where account_id = ${accountId} and id = ${id} and act <> 'dismiss'
    for update
  `);

/** The answer, with which its case waits again. */
export const writeAnswer = (
  db: Database,
  { accountId, id, caseId }: { accountId: string; id: string; caseId: string },
  { words, waitsId }: { words: string; waitsId: string },
) =>
  db.run(sql`
    with waits as (
      update moderation_cases set state = 'answered', closed_at = null, waits_id = ${waitsId}
      where account_id = ${accountId} and id = ${caseId}
    )
    update verdicts set answer = ${words}, answered_at = now()
    where account_id = ${accountId} and id = ${id}
  `);

type NewLogEntry = {
  id: string;
  actor_id: string | null;
  account_id: string;
  act: LogAct;
  case_id?: string;
  subject?: ReportSubject | undefined;
  subject_id?: string | undefined;
  until?: Date | null;
};

/** Only ids: nobody can delete a line, not even for somebody who leaves. */
export const addLogEntry = (db: Database, entry: NewLogEntry) =>
  db.run(sql`insert into moderation_log ${sql.row(entry)}`);

/**
 * Newest first, with those accounts that still exist, without what is about the reader. Primary
 * key.
 */
export const logEntries = (
  db: Database,
  { viewerId, below, limit }: { viewerId: string | null; below: string; limit: number },
) =>
  db.query<KeyedRow<LogEntry>>(sql`
    select json_build_array(l.id) as key, json_build_object(
      'id', l.id, 'at', ${epochMs("l.at")}, 'actorId', l.actor_id, 'accountId', l.account_id,
      'actor', (select ${accountSummary("a")} from accounts a where a.id = l.actor_id),
      'account', (select ${accountSummary("a")} from accounts a where a.id = l.account_id),
      'caseId', (select c.id from moderation_cases c where c.account_id = l.account_id and c.id = l.case_id),
      'act', l.act, 'subject', l.subject, 'subjectId', l.subject_id, 'until', ${epochMs("l.until")}
    ) as item
    from moderation_log l
    where l.id < ${below} and l.account_id is distinct from ${viewerId}::uuid
    order by l.id desc
    limit ${limit}
  `);
