import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, timeOf, type NewId } from "#server/platform/db/ids.ts";
import type { Identity, NotifySuspended } from "#server/features/identity/index.ts";
import {
  insertOwnCase,
  lockCase,
  type LockedCase,
} from "#server/features/moderation/cases.queries.ts";
import * as queries from "#server/features/moderation/moderation.queries.ts";
import { moderatorsBut } from "#server/features/moderation/reports.queries.ts";
import type { Albums, Comments, Posts } from "#server/features/posts/index.ts";
import type { Chat, Notices } from "#server/features/talk/index.ts";
import type { Jobs } from "#server/platform/jobs.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import type { VerdictAct } from "#shared/report-kinds.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { answerInput, suspensionInput, verdictInput } from "#shared/reports.inputs.ts";
import type { Viewer } from "#shared/views.ts";

export type ModerationDeps = {
  db: Database;
  identity: Pick<Identity, "suspension">;
  posts: Pick<Posts, "takeDown">;
  comments: Pick<Comments, "takeDown">;
  albums: Pick<Albums, "takeDown" | "clearWords">;
  chat: Pick<Chat, "takeDownMessage">;
  notices: Notices;
  /** Emails the owner of a suspended account. */
  notifySuspended: NotifySuspended;
  jobs: Pick<Jobs, "handle">;
  newId?: NewId;
};

const dayMs = 24 * 60 * 60 * 1000;

type Verdict = z.output<typeof verdictInput>;

/**
 * Decides what members reported, or about an answer to that. Refuses with moderators-only,
 * not-found, input-invalid, and with case-decided where another moderator was faster.
 */
export async function decide(
  deps: ModerationDeps,
  viewer: Viewer | null,
  caseId: string,
  input: z.input<typeof verdictInput>,
): Promise<void> {
  const decidedBy = moderatorId(viewer);
  const verdict = parseInput(verdictInput, input);
  if (!isId(caseId)) throw refuse("not-found");
  await deps.db.transaction(async () => {
    deps.db.seenAtOnce();
    const held = await lockCase(deps.db, caseId);
    if (!held || held.accountId === decidedBy) throw refuse("not-found");
    const answers = verdict.act === "keep" || verdict.act === "lift";
    if (held.state !== (answers ? "answered" : "reported")) throw refuse("case-decided");
    if (answers) await decideAnswer(deps, decidedBy, held, verdict);
    else await decideReports(deps, decidedBy, held, verdict);
  });
}

async function decideReports(
  deps: ModerationDeps,
  decidedBy: string | null,
  held: LockedCase,
  { act, reason, days, takeDown }: Verdict,
): Promise<void> {
  if (act === "keep" || act === "lift") return;
  const { accountId, subject } = held;
  if (act === "take-down" && subject === "account") {
    throw refuse("input-invalid", {
      fields: { act: "An account can't be taken down. You can suspend it." },
    });
  }
  if (act === "clear-words") {
    if (subject !== "album") {
      throw refuse("input-invalid", { fields: { act: "Only an album's words can be removed." } });
    }
    await deps.albums.clearWords({ ownerId: accountId, albumId: held.subjectId });
  }
  const takenDown =
    subject !== "account" && (act === "take-down" || (act === "suspend" && takeDown));
  const until = act === "suspend" && days !== null ? new Date(Date.now() + days * dayMs) : null;
  if (takenDown) await takeDownOf(deps, held);
  if (act === "suspend") await deps.identity.suspension.suspend(accountId, until);
  await writeVerdict(deps, decidedBy, held, { act, takenDown, reason, until });
}

type Decided = { act: VerdictAct; takenDown: boolean; reason: string; until: Date | null };

/**
 * With its line in the log, and the notification of the account concerned. Joins the caller's
 * transaction.
 */
async function writeVerdict(
  { db, notices, newId = freshId }: ModerationDeps,
  decidedBy: string | null,
  { accountId, id: caseId, ...about }: Pick<LockedCase, "accountId" | "id"> & Partial<LockedCase>,
  { act, takenDown, reason, until }: Decided,
): Promise<void> {
  const id = newId();
  const both = { account_id: accountId, case_id: caseId, act, until };
  const verdict = { ...both, id, taken_down: takenDown, reason, moderator_id: decidedBy };
  await queries.insertVerdict(db, verdict);
  const { subject, subjectId: subject_id } = about;
  await queries.addLogEntry(db, { ...both, id: newId(), actor_id: decidedBy, subject, subject_id });
  if (act !== "dismiss") await notices.decided(accountId, id);
}

async function takeDownOf({ posts, comments, chat, albums }: ModerationDeps, held: LockedCase) {
  const { accountId, subject, subjectId, authorId, postId, conversationId, seq } = held;
  if (subject === "message") {
    if (conversationId === null || seq === null) return;
    await chat.takeDownMessage({ conversationId, seq, senderId: accountId });
    return;
  }
  if (subject === "album") {
    await albums.takeDown({ ownerId: accountId, albumId: subjectId });
    return;
  }
  if (authorId === null || postId === null) return;
  if (subject === "post") await posts.takeDown({ authorId, postId });
  else await comments.takeDown(accountId, { authorId, postId }, subjectId);
}

/** What was taken down stays deleted. A suspension ends, unless another one runs. */
async function decideAnswer(
  { db, identity, notices, newId = freshId }: ModerationDeps,
  decidedBy: string | null,
  { accountId, id: caseId, subject, subjectId: subject_id }: LockedCase,
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
  const entry = {
    actor_id: decidedBy,
    account_id: accountId,
    case_id: caseId,
    subject,
    subject_id,
  };
  await queries.addLogEntry(db, { id: newId(), ...entry, act: kept ? "kept" : "lifted" });
  await notices.decided(accountId, newId());
}

/**
 * Suspends an account that nobody reported: its owner reads the reason and may answer once, as after a
 * report. `decidedBy`: an operator, or null at the command line. Refuses with input-invalid.
 */
export async function suspendAccount(
  deps: ModerationDeps,
  decidedBy: string | null,
  accountId: string,
  input: z.input<typeof suspensionInput>,
): Promise<Date | null> {
  const { reason, days } = parseInput(suspensionInput, input);
  const until = days === null ? null : new Date(Date.now() + days * dayMs);
  const { db, identity, newId = freshId } = deps;
  const about = { accountId, id: newId() };
  await db.transaction(async () => {
    db.seenAtOnce();
    await insertOwnCase(db, accountId, about.id);
    await identity.suspension.suspend(accountId, until);
    const decided = { act: "suspend", takenDown: false, reason, until } as const;
    await writeVerdict(deps, decidedBy, about, decided);
  });
  return until;
}

/** What is true when the email is sent: nothing where the account is restored by then. */
export async function sendSuspensionMail(
  { db, identity, notifySuspended }: ModerationDeps,
  accountId: string,
): Promise<void> {
  const suspended = await identity.suspension.find(accountId);
  if (!suspended) return;
  const verdict = await queries.findSuspending(db, accountId);
  await notifySuspended(accountId, {
    reason: verdict?.reason ?? null,
    until: suspended.until,
  });
}

/**
 * The one answer to a verdict, by the account that it is about: it waits for moderators with its
 * case again. Refuses with not-found, already-answered, answer-too-late.
 */
export async function answer(
  { db, notices, newId = freshId }: ModerationDeps,
  accountId: string,
  verdictId: string,
  input: z.input<typeof answerInput>,
): Promise<void> {
  const { words } = parseInput(answerInput, input);
  if (!isId(verdictId)) throw refuse("not-found");
  await db.transaction(async () => {
    const held = found(await queries.lockVerdict(db, accountId, verdictId));
    if (held.answer !== null) throw refuse("already-answered");
    if (timeOf(verdictId) < Date.now() - reportLimits.answerDays * dayMs) {
      throw refuse("answer-too-late");
    }
    const waitsId = newId();
    const key = { accountId, id: verdictId, caseId: held.caseId };
    await queries.writeAnswer(db, key, { words, waitsId });
    const entry = { actor_id: accountId, account_id: accountId, case_id: held.caseId };
    await queries.addLogEntry(db, { id: newId(), ...entry, act: "answer" });
    await notices.waiting(
      await moderatorsBut(db, accountId, reportLimits.notifiedModerators),
      waitsId,
    );
  });
}

/** Null for the operator at the command line, who needs no role. */
export function moderatorId(viewer: Viewer | null): string | null {
  if (viewer && !viewer.moderator) throw refuse("moderators-only");
  return viewer?.id ?? null;
}
