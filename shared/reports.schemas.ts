import { z } from "zod";
import { reportReasons, reportSubjects, verdictActs } from "#shared/report-kinds.ts";
import { accountSchema } from "#shared/views.schemas.ts";

/** Answers about reports and verdicts; as in views.schemas.ts. The browser never loads this file. */

const id = z.uuid();
const time = z.number().int().describe("epoch milliseconds");
const count = z.number().int().min(0);
const subject = z.enum(reportSubjects);
const reason = z.enum(reportReasons);
const until = time.nullable().describe("when a suspension ends; null where none or no end is set");

export const ownReportSchema = z
  .object({
    id,
    at: time,
    subject,
    reason,
    words: z.string(),
    outcome: z
      .enum(["open", "acted", "dismissed"])
      .describe("`acted`: moderators did something about it; what, its account alone is told"),
    answer: z.string().describe("of a dismissal: why; else empty"),
  })
  .meta({ id: "Report" });

export const ownVerdictSchema = z
  .object({
    id,
    at: time,
    subject,
    said: z.string().describe("what it said; empty some time after the case was closed"),
    act: z.enum(verdictActs),
    takenDown: z.boolean(),
    reason: z.string(),
    until,
    answer: z.string().nullable().describe("your answer"),
    mayAnswer: z.boolean(),
    outcome: z
      .object({ kept: z.boolean(), reason: z.string(), at: time })
      .nullable()
      .describe("what became of your answer"),
  })
  .meta({ id: "Verdict" });

export const caseRowSchema = z
  .object({
    id,
    subject,
    account: accountSchema.describe("whose it is"),
    said: z.string().describe("what it said when it was reported first, or its beginning"),
    pictures: count,
    reasons: z.array(reason),
    reports: count.describe("how many members reported it"),
    state: z.enum(["reported", "answered", "closed"]),
    since: time.describe("since when it waits"),
  })
  .meta({ id: "ModerationCaseLine" });

export const caseSchema = caseRowSchema
  .extend({
    path: z
      .string()
      .nullable()
      .describe("where it stands; null where it is gone, not for the caller, or a message"),
    images: z
      .array(z.object({ key: z.string(), width: count, height: count, alt: z.string() }))
      .describe("how its pictures looked, at `/api/moderation/cases/{id}/pictures/{key}`"),
    reportedByGuests: z
      .array(z.object({ id, at: time, reason, words: z.string() }))
      .describe("by guests of links, who have no account"),
    reportedBy: z
      .array(
        z.object({
          id,
          at: time,
          reason,
          words: z.string(),
          said: z.string().nullable().describe("what it said then, where that was something else"),
          account: accountSchema,
          history: z.object({
            reports: count.describe("what this account reported in all"),
            acted: count,
            dismissed: count,
            verdicts: count.describe("decided against it, dismissals aside"),
          }),
        }),
      )
      .describe("the newest 50"),
    suspended: z.boolean().describe("the account is suspended now"),
    verdict: z
      .object({
        act: z.enum(verdictActs),
        takenDown: z.boolean(),
        reason: z.string(),
        until,
        at: time,
        moderator: accountSchema.nullable(),
        answer: z.string().nullable(),
        outcome: z.object({ kept: z.boolean(), reason: z.string(), at: time }).nullable(),
      })
      .nullable(),
    earlier: z
      .array(
        z.object({
          id,
          at: time,
          subject,
          reasons: z.array(reason),
          reports: count,
          act: z.enum(verdictActs).nullable().describe("null: not decided yet"),
          outcome: z.enum(["kept", "lifted"]).nullable(),
          until,
        }),
      )
      .describe("other cases of the same account, the newest 20"),
  })
  .meta({ id: "ModerationCase" });

export const logEntrySchema = z
  .object({
    id,
    at: time,
    actorId: id.nullable().describe("null: whoever runs the place"),
    accountId: id,
    actor: accountSchema.nullable().describe("null where that account is gone, too"),
    account: accountSchema.nullable(),
    caseId: id.nullable().describe("null where that is gone, with its account"),
    act: z.string(),
    subject: subject.nullable(),
    subjectId: id.nullable(),
    until,
  })
  .meta({ id: "ModerationLogEntry" });
