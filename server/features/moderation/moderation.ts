import { bind } from "#server/platform/bind.ts";
import { idAbove, idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { suspensionMail } from "#server/features/identity/index.ts";
import * as cases from "#server/features/moderation/cases.queries.ts";
import * as queries from "#server/features/moderation/moderation.queries.ts";
import {
  answer,
  decide,
  moderatorId,
  suspendAccount,
  sendSuspensionMail,
  type ModerationDeps,
} from "#server/features/moderation/verdicts.ts";
import { found, refuse } from "#shared/errors.ts";
import { reportLimits } from "#shared/report-limits.ts";
import type { CaseRow, CaseView, LogEntry, OwnVerdict } from "#shared/reports.ts";
import type { Page, Viewer } from "#shared/views.ts";

/** About a day: what is read later still says why. */
const mailRetries = 30;
/** How many cases' copies one statement empties. */
const emptiedAtOnce = 100;
const { page: pageSize } = reportLimits;

/**
 * What moderators do about reports. Decisions are made by a member with the role, or by null: the
 * operator at the command line. Nobody reads or decides what is about themselves. The account
 * concerned reads what was decided and why, and may answer once.
 */
export function createModeration(deps: ModerationDeps) {
  const { db } = deps;
  deps.jobs.handle<{ accountId: string }>(
    suspensionMail,
    ({ accountId }) => sendSuspensionMail(deps, accountId),
    { retries: mailRetries },
  );
  return {
    ...reading(db),
    ...bind(deps, { decide, suspendAccount, answer }),
    /** Empties the copies of cases that were closed long ago. */
    sweep: async () => {
      while ((await cases.emptyCopies(db, reportLimits.copyDays, emptiedAtOnce)) > 0);
    },
  };
}

export type Moderation = ReturnType<typeof createModeration>;

/** A page of a list that continues below an id. */
const newest = (cursor: string | null) => ({ below: idBelow(cursor), limit: pageSize + 1 });

function reading(db: Database) {
  /** What waits, longest first. Refuses with moderators-only. */
  async function queue(viewer: Viewer | null, cursor: string | null): Promise<Page<CaseRow>> {
    const viewerId = moderatorId(viewer);
    const page = { viewerId, above: idAbove(cursor), limit: pageSize + 1 };
    return toPage(await cases.queueOf(db, page), pageSize);
  }

  /** Refuses with moderators-only and not-found. */
  async function find(viewer: Viewer | null, id: string): Promise<CaseView> {
    const viewerId = moderatorId(viewer);
    const found = isId(id) ? await cases.findCase(db, viewerId, id) : null;
    if (!found) throw refuse("not-found");
    return found;
  }

  /** A reported image as it was, WebP. Refuses likewise. */
  async function image(viewer: Viewer, caseId: string, key: string): Promise<Buffer> {
    const viewerId = moderatorId(viewer);
    return found(isId(caseId) ? await cases.findCaseImage(db, viewerId, { caseId, key }) : null);
  }

  /** What was decided about the viewer, newest first. */
  async function verdicts(viewer: Viewer, cursor: string | null): Promise<Page<OwnVerdict>> {
    const page = { accountId: viewer.id, ...newest(cursor) };
    return toPage(await queries.verdictsOf(db, page), pageSize);
  }

  /** The log, newest first, without what is about the viewer. Refuses with moderators-only. */
  async function log(viewer: Viewer, cursor: string | null): Promise<Page<LogEntry>> {
    const page = { viewerId: moderatorId(viewer), ...newest(cursor) };
    return toPage(await queries.logEntries(db, page), pageSize);
  }

  /** Why an account is suspended; null where moderators did not do it. */
  const suspensionOf = (accountId: string) => queries.findSuspending(db, accountId);

  return { queue, find, image, verdicts, log, suspensionOf };
}
