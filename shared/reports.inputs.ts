import { z } from "zod";
import { reportLimits } from "#shared/report-limits.ts";
import { answerActs, reportReasons, verdictActs } from "#shared/report-kinds.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";
import { checkedText } from "#shared/text.inputs.ts";

function wordsOf(missing: string | null) {
  return checkedText((text) => {
    if (missing !== null && isBlank(text)) return missing;
    return lengthProblem("This", text, { graphemes: reportLimits.words, bytes: 16_000 });
  });
}

const number = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31 - 1);
const text = z.string().max(320);

/** Names the reported content. Numbers may be strings: a form's fields are. */
export const reportedInput = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("account"),
    accountId: z.uuid().optional(),
    username: text.optional().describe("in place of `accountId`"),
  }),
  z.object({
    kind: z.literal("post"),
    author: text.describe("a username"),
    number: number.describe("the post's number"),
  }),
  z.object({
    kind: z.literal("comment"),
    author: text.describe("of the post: a username"),
    number: number.describe("the post's number"),
    commentId: z.uuid(),
  }),
  z.object({ kind: z.literal("message"), conversationId: z.uuid(), seq: number }),
  z.object({ kind: z.literal("album"), albumId: z.uuid() }),
]);

/** The reason, and a text about it: as apps send it, which may have no reason but `other` to offer. */
export const appReportInput = z.object({
  reason: z.enum(reportReasons, "Please choose a reason."),
  words: wordsOf(null),
});

/** The same where all reasons are offered: `other` needs a text. */
export const reportInput = appReportInput.superRefine(({ reason, words }, context) => {
  if (reason !== "other" || !isBlank(words)) return;
  context.addIssue({ code: "custom", path: ["words"], message: "Please say what's wrong." });
});

/** A moderators' decision. `days` of a suspension; null: without an end. */
export const verdictInput = z.object({
  act: z.enum([...verdictActs, ...answerActs], "Please choose what to do."),
  reason: wordsOf("Please write a reason. The person reads it."),
  days: z.int().min(1).max(reportLimits.mostSuspendedDays).nullable().default(null),
  takeDown: z.boolean().default(false).describe("of a suspension: what was reported goes, too"),
});

/** A suspension that no report led to. `days`; null: without an end. */
export const suspensionInput = verdictInput.pick({ reason: true, days: true });

/** The one answer to a verdict. */
export const answerInput = z.object({ words: wordsOf("Please write your answer.") });
