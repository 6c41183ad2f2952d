import type { z } from "zod";
import { idAbove, idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId } from "#server/db/ids.ts";
import { suspensionLetter } from "#server/features/identity/index.ts";
import * as queries from "#server/features/moderation/moderation.queries.ts";
import {
  answer,
  decide,
  moderatorId,
  suspendAccount,
  writeSuspended,
  type ModerationDeps,
} from "#server/features/moderation/verdicts.ts";
import { refuse } from "#shared/errors.ts";
import { reportLimits } from "#shared/report-limits.ts";
import type { answerInput, suspensionInput, verdictInput } from "#shared/reports.inputs.ts";
import type { CaseRow, CaseView, LogEntry, OwnVerdict } from "#shared/reports.ts";
import type { Page, Viewer } from "#shared/views.ts";

/** About a day: what is read later still tells why. */
const letterRetries = 30;
/** Cases whose copies one statement empties. */
const emptiedAtOnce = 100;
const { page: pageSize } = reportLimits;

/**
 * What moderators do about reports. Who decides is a member with the role, or null: whoever runs the
 * place, at the command line. Nobody reads or decides what is about themselves. The account
 * concerned reads what was decided and why, and may answer once.
 */
export function createModeration(deps: ModerationDeps) {
  const { db } = deps;
  deps.jobs.handle<{ accountId: string }>(
    suspensionLetter,
    ({ accountId }) => writeSuspended(deps, accountId),
    { retries: letterRetries },
  );
  return {
    queue: (viewer: Viewer | null, cursor: string | null) => queue(db, viewer, cursor),
    find: (viewer: Viewer | null, id: string) => find(db, viewer, id),
    picture: (viewer: Viewer, caseId: string, key: string) => picture(db, viewer, caseId, key),
    decide: (viewer: Viewer | null, caseId: string, input: z.input<typeof verdictInput>) =>
      decide(deps, viewer, caseId, input),
    suspendAccount: (
      decidedBy: string | null,
      accountId: string,
      input: z.input<typeof suspensionInput>,
    ) => suspendAccount(deps, decidedBy, accountId, input),
    verdicts: (viewer: Viewer, cursor: string | null) => verdicts(db, viewer, cursor),
    /** Why an account is suspended; null where moderators did not do it. */
    suspensionOf: (accountId: string) => queries.findSuspending(db, accountId),
    answer: (accountId: string, verdictId: string, input: z.input<typeof answerInput>) =>
      answer(deps, accountId, verdictId, input),
    log: (viewer: Viewer, cursor: string | null) => log(db, viewer, cursor),
    /** Empties the copies of cases that were closed long ago. */
    sweep: async () => {
      while ((await queries.emptyCopies(db, reportLimits.copyDays, emptiedAtOnce)) > 0);
    },
  };
}

export type Moderation = ReturnType<typeof createModeration>;

/** What waits, longest first. Refuses with moderators-only. */
async function queue(
  db: Database,
  viewer: Viewer | null,
  cursor: string | null,
): Promise<Page<CaseRow>> {
  const viewerId = moderatorId(viewer);
  const page = { viewerId, above: idAbove(cursor), limit: pageSize + 1 };
  return toPage(await queries.queueOf(db, page), pageSize);
}

/** Refuses with moderators-only and not-found. */
async function find(db: Database, viewer: Viewer | null, id: string): Promise<CaseView> {
  const viewerId = moderatorId(viewer);
  const found = isId(id) ? await queries.findCase(db, viewerId, id) : null;
  if (!found) throw refuse("not-found");
  return found;
}

/** How a reported picture looked, WebP. Refuses likewise. */
async function picture(db: Database, viewer: Viewer, caseId: string, key: string): Promise<Buffer> {
  const viewerId = moderatorId(viewer);
  const bytes = isId(caseId) ? await queries.findCasePicture(db, viewerId, { caseId, key }) : null;
  if (!bytes) throw refuse("not-found");
  return bytes;
}

/** What was decided about the viewer, newest first. */
async function verdicts(
  db: Database,
  viewer: Viewer,
  cursor: string | null,
): Promise<Page<OwnVerdict>> {
  const page = { accountId: viewer.id, below: idBelow(cursor), limit: pageSize + 1 };
  return toPage(await queries.verdictsOf(db, page), pageSize);
}

/** Who did what, newest first, but for what is about the viewer. Refuses with moderators-only. */
async function log(db: Database, viewer: Viewer, cursor: string | null): Promise<Page<LogEntry>> {
  const viewerId = moderatorId(viewer);
  const page = { viewerId, below: idBelow(cursor), limit: pageSize + 1 };
  return toPage(await queries.logEntries(db, page), pageSize);
}
