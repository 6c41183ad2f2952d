import type { z } from "zod";
import { idAbove, idBelow, toPage } from "#server/db/cursors.ts";
import type { Database } from "#server/db/database.ts";
import { isId, newId as freshId, timeOf, type NewId } from "#server/db/ids.ts";
import {
  suspensionLetter,
  type Identity,
  type TellSuspended,
} from "#server/features/identity/index.ts";
import * as queries from "#server/features/moderation/moderation.queries.ts";
import { moderatorsBut } from "#server/features/moderation/reports.queries.ts";
import type { Comments, Posts } from "#server/features/posts/index.ts";
import type { Chat, Notices } from "#server/features/talk/index.ts";
import type { Jobs } from "#server/jobs.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { answerInput, suspensionInput, verdictInput } from "#shared/reports.inputs.ts";
import type { CaseRow, CaseView, LogEntry, OwnVerdict } from "#shared/reports.ts";
import type { Page, Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  identity: Pick<Identity, "suspension">;
  posts: Pick<Posts, "takeDown">;
  comments: Pick<Comments, "takeDown">;
  chat: Pick<Chat, "takeDownMessage">;
  notices: Notices;
  /** Writes to the owner of a suspended account, by mail. */
  tellSuspended: TellSuspended;
  jobs: Pick<Jobs, "handle">;
  newId?: NewId;
};

/** About a day: what is read later still tells why. */
const letterRetries = 30;
const dayMs = 24 * 60 * 60 * 1000;
/** Cases whose copies one statement empties. */
const emptiedAtOnce = 100;

/**
 * What moderators do about reports. Who decides is a member with the role, or null: whoever runs the
 * place, at the command line. Nobody reads or decides what is about themselves. The account
 * concerned reads what was decided and why, and may answer once.
 */
export function createModeration(deps: Deps) {
  const { db, identity, posts, comments, chat, notices, newId = freshId } = deps;
  const { page: size } = reportLimits;
  deps.jobs.handle<{ accountId: string }>(suspensionLetter, ({ accountId }) => write(accountId), {
    retries: letterRetries,
  });

  /** What waits, longest first. Refuses with moderators-only. */
  async function queue(viewer: Viewer | null, cursor: string | null): Promise<Page<CaseRow>> {
    const viewerId = moderatorId(viewer);
    const page = { viewerId, above: idAbove(cursor), limit: size + 1 };
    return toPage(await queries.queueOf(db, page), size);
  }

  /** Refuses with moderators-only and not-found. */
  async function find(viewer: Viewer | null, id: string): Promise<CaseView> {
    const viewerId = moderatorId(viewer);
    const found = isId(id) ? await queries.findCase(db, viewerId, id) : null;
    if (!found) throw refuse("not-found");
    return found;
  }

  /** How a reported picture looked, WebP. Refuses likewise. */
  async function picture(viewer: Viewer, caseId: string, key: string): Promise<Buffer> {
    const viewerId = moderatorId(viewer);
    const bytes = isId(caseId)
      ? await queries.findCasePicture(db, viewerId, { caseId, key })
      : null;
    if (!bytes) throw refuse("not-found");
    return bytes;
  }

  /**
   * Decides what members reported, or about an answer to that. Refuses with moderators-only,
   * not-found, input-invalid, and with case-decided where another moderator was faster.
   */
  async function decide(
    viewer: Viewer | null,
    caseId: string,
    input: z.input<typeof verdictInput>,
  ): Promise<void> {
    const decidedBy = moderatorId(viewer);
    const verdict = parseInput(verdictInput, input);
    if (!isId(caseId)) throw refuse("not-found");
    await db.transaction(async () => {
      db.seenAtOnce();
      const held = await queries.lockCase(db, caseId);
      if (!held || held.accountId === decidedBy) throw refuse("not-found");
      const answers = verdict.act === "keep" || verdict.act === "lift";
      if (held.state !== (answers ? "answered" : "reported")) throw refuse("case-decided");
      if (answers) await decideAnswer(decidedBy, held, verdict);
      else await decideReports(decidedBy, held, verdict);
    });
  }

  type Verdict = z.output<typeof verdictInput>;

  async function decideReports(
    decidedBy: string | null,
    held: queries.HeldCase,
    { act, reason, days, takeDown }: Verdict,
  ): Promise<void> {
    if (act === "keep" || act === "lift") return;
    const { accountId, subject, subjectId } = held;
    if (act === "take-down" && subject === "account") {
      throw refuse("input-invalid", {
        fields: { act: "An account can't be taken down. You can suspend it." },
      });
    }
    const takenDown =
      subject !== "account" && (act === "take-down" || (act === "suspend" && takeDown));
    const until = act === "suspend" && days !== null ? new Date(Date.now() + days * dayMs) : null;
    if (takenDown) await takeDownOf(held);
    if (act === "suspend") await identity.suspension.suspend(accountId, until);
    const id = newId();
    const row = { accountId, id, caseId: held.id, act, takenDown, reason, until };
    await queries.insertVerdict(db, { ...row, moderatorId: decidedBy });
    const entry = {
      actorId: decidedBy,
      accountId,
      act,
      caseId: held.id,
      subject,
      subjectId,
      until,
    };
    await queries.addLogEntry(db, { id: newId(), ...entry });
    if (act !== "dismiss") await notices.decided(accountId, id);
  }

  /**
   * Suspends an account that nobody reported: its owner reads the reason and may answer once, as after a
   * report. `decidedBy`: an operator, or null at the command line. Refuses with input-invalid.
   */
  async function suspendAccount(
    decidedBy: string | null,
    accountId: string,
    input: z.input<typeof suspensionInput>,
  ): Promise<Date | null> {
    const { reason, days } = parseInput(suspensionInput, input);
    const until = days === null ? null : new Date(Date.now() + days * dayMs);
    const [caseId, id] = [newId(), newId()];
    await db.transaction(async () => {
      db.seenAtOnce();
      await queries.insertOwnCase(db, accountId, caseId);
      await identity.suspension.suspend(accountId, until);
      const verdict = { act: "suspend", takenDown: false, reason, until } as const;
      const key = { accountId, id, caseId, moderatorId: decidedBy };
      await queries.insertVerdict(db, { ...key, ...verdict });
      const entry = { actorId: decidedBy, accountId, caseId, act: "suspend" as const, until };
      await queries.addLogEntry(db, { id: newId(), ...entry });
      await notices.decided(accountId, id);
    });
    return until;
  }

  async function takeDownOf(held: queries.HeldCase): Promise<void> {
    const { accountId, subject, subjectId, authorId, postId, conversationId, seq } = held;
    if (subject === "message") {
      if (conversationId === null || seq === null) return;
      await chat.takeDownMessage({ conversationId, seq, senderId: accountId });
      return;
    }
    if (authorId === null || postId === null) return;
    if (subject === "post") await posts.takeDown({ authorId, postId });
    else await comments.takeDown(accountId, { authorId, postId }, subjectId);
  }

  /** What was taken down stays so: it is gone. A suspension ends, unless another one runs. */
  async function decideAnswer(
    decidedBy: string | null,
    { accountId, id: caseId, subject, subjectId }: queries.HeldCase,
    { act, reason }: Verdict,
  ): Promise<void> {
    const kept = act === "keep";
    const answered = await queries.writeOutcome(db, { accountId, caseId }, { kept, reason });
    if (!kept && answered === "suspend") {
      await identity.suspension.end(accountId);
      for (const { until } of await queries.runningSuspensions(db, accountId)) {
        await identity.suspension.suspend(accountId, until);
      }
    }
    const id = newId();
    const entry = { actorId: decidedBy, accountId, caseId, subject, subjectId };
    await queries.addLogEntry(db, { id, ...entry, act: kept ? "kept" : "lifted" });
    await notices.decided(accountId, newId());
  }

  /** What was decided about the viewer, newest first. */
  async function verdicts(viewer: Viewer, cursor: string | null): Promise<Page<OwnVerdict>> {
    const page = { accountId: viewer.id, below: idBelow(cursor), limit: size + 1 };
    return toPage(await queries.verdictsOf(db, page), size);
  }

  /** Why an account is suspended; null where moderators did not do it. */
  async function suspensionOf(accountId: string): Promise<OwnVerdict | null> {
    return queries.findSuspending(db, accountId);
  }

  /** What holds when the letter leaves: nothing where the account is back by then. */
  async function write(accountId: string): Promise<void> {
    const suspended = await identity.suspension.find(accountId);
    if (!suspended) return;
    const verdict = await suspensionOf(accountId);
    await deps.tellSuspended(accountId, {
      reason: verdict?.reason ?? null,
      until: suspended.until,
    });
  }

  /**
   * The one answer to a verdict, by the account that it is about: it waits for moderators with its
   * case again. Refuses with not-found, already-answered, answer-too-late.
   */
  async function answer(
    accountId: string,
    verdictId: string,
    input: z.input<typeof answerInput>,
  ): Promise<void> {
    const { words } = parseInput(answerInput, input);
    if (!isId(verdictId)) throw refuse("not-found");
    await db.transaction(async () => {
      const held = await queries.lockVerdict(db, accountId, verdictId);
      if (!held) throw refuse("not-found");
      if (held.answer !== null) throw refuse("already-answered");
      if (timeOf(verdictId) < Date.now() - reportLimits.answerDays * dayMs) {
        throw refuse("answer-too-late");
      }
      const waitsId = newId();
      const key = { accountId, id: verdictId, caseId: held.caseId };
      await queries.writeAnswer(db, key, { words, waitsId });
      const entry = { actorId: accountId, accountId, caseId: held.caseId, act: "answer" as const };
      await queries.addLogEntry(db, { id: newId(), ...entry });
      await notices.waiting(await moderatorsBut(db, accountId, reportLimits.told), waitsId);
    });
  }

  /** Who did what, newest first, but for what is about the viewer. Refuses with moderators-only. */
  async function log(viewer: Viewer, cursor: string | null): Promise<Page<LogEntry>> {
    const viewerId = moderatorId(viewer);
    const page = { viewerId, below: idBelow(cursor), limit: size + 1 };
    return toPage(await queries.logEntries(db, page), size);
  }

  /** Empties the copies of cases that were closed long ago. */
  async function sweep(): Promise<void> {
    while ((await queries.emptyCopies(db, reportLimits.copyDays, emptiedAtOnce)) > 0);
  }

  return {
    queue,
    find,
    picture,
    decide,
    suspendAccount,
    verdicts,
    suspensionOf,
    answer,
    log,
    sweep,
  };
}

export type Moderation = ReturnType<typeof createModeration>;

/** Null for whoever runs the place, who needs no role. */
function moderatorId(viewer: Viewer | null): string | null {
  if (viewer && !viewer.moderator) throw refuse("moderators-only");
  return viewer?.id ?? null;
}
