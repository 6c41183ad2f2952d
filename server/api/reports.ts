import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { privateImageHeaders } from "#server/api/files.ts";
import { pagesOf } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { answerActs, verdictActs } from "#shared/report-kinds.ts";
import { answerInput, reportedInput, reportInput, verdictInput } from "#shared/reports.inputs.ts";
import {
  caseRowSchema,
  caseSchema,
  logEntrySchema,
  ownReportSchema,
  ownVerdictSchema,
} from "#shared/reports.schemas.ts";

const { forMembers } = callsOf("Reports");
const moderators = callsOf("Moderation");
const caseParams = z.object({ caseId: z.string().describe("`id` of the case") });

/** What members report, what moderators decide about it, and how those concerned answer. */
export const reportCalls = {
  report: forMembers("POST /api/reports", {
    refuses: ["not-found", "self-report"],
    summary: "Report an account, a post, a comment, a message or an album",
    description:
      "Moderators see what it says at this moment and how its pictures look, also when it is " +
      "changed or deleted later; of a conversation they see this message alone. Nobody else " +
      "learns who reported it. Another report of the same thing takes the place of the " +
      "caller's first while it is open. A block does not prevent a report.",
    body: z.object({
      about: reportedInput,
      reason: reportInput.shape.reason.describe("`other` asks for words"),
      words: z
        .string()
        .max(20_000)
        .default("")
        .describe(`for the moderators, ${reportLimits.words} characters at most`),
    }),
    response: { 201: z.object({ id: z.uuid() }) },
    handler: ({ reports }, { viewer, body: { about, reason, words } }) =>
      reports.report(viewer, about, { reason, words }),
  }),
  list: forMembers("GET /api/reports", {
    summary: "What you reported, and what became of it",
    description: "Newest first, 20 a page.",
    ...pagesOf(ownReportSchema),
    handler: ({ reports }, { viewer, query }) => reports.list(viewer, query.cursor),
  }),
  verdicts: forMembers("GET /api/verdicts", {
    summary: "What moderators decided about you",
    description: "Newest first, 20 a page.",
    ...pagesOf(ownVerdictSchema),
    handler: ({ moderation }, { viewer, query }) => moderation.verdicts(viewer, query.cursor),
  }),
  answer: forMembers("POST /api/verdicts/:verdictId/answer", {
    refuses: ["not-found", "already-answered", "answer-too-late"],
    summary: "Answer what moderators decided about you",
    description: `Once, within ${reportLimits.answerDays} days. Moderators decide about it again.`,
    params: z.object({ verdictId: z.string().describe("`id` of the verdict") }),
    body: answerInput,
    response: noContent,
    handler: ({ moderation }, { viewer, params, body }) =>
      moderation.answer(viewer.id, params.verdictId, body),
  }),
  queue: moderators.forMembers("GET /api/moderation/cases", {
    refuses: ["moderators-only"],
    summary: "What waits for moderators",
    description:
      "Reports, one line for each thing, and answers to verdicts: what waits longest first, " +
      "20 a page. Without what is about the caller.",
    ...pagesOf(caseRowSchema),
    handler: ({ moderation }, { viewer, query }) => moderation.queue(viewer, query.cursor),
  }),
  find: moderators.forMembers("GET /api/moderation/cases/:caseId", {
    refuses: ["moderators-only", "not-found"],
    summary: "A case with its reports, and the history of everybody in it",
    params: caseParams,
    response: { 200: caseSchema },
    handler: ({ moderation }, { viewer, params }) => moderation.find(viewer, params.caseId),
  }),
  decide: moderators.forMembers("POST /api/moderation/cases/:caseId/verdict", {
    refuses: ["moderators-only", "not-found", "case-decided"],
    summary: "Decide a case",
    description:
      `Reports: ${verdictActs.map((act) => `\`${act}\``).join(", ")}. An answer to a verdict: ` +
      `${answerActs.map((act) => `\`${act}\``).join(", ")}. The account concerned reads the ` +
      "reason; that of a dismissal is for those who reported it.",
    params: caseParams,
    body: verdictInput,
    response: noContent,
    handler: ({ moderation }, { viewer, params, body }) =>
      moderation.decide(viewer, params.caseId, body),
  }),
  log: moderators.forMembers("GET /api/moderation/log", {
    refuses: ["moderators-only"],
    summary: "Who decided what",
    description: "Newest first, 20 a page. Nothing in it is ever changed or removed.",
    ...pagesOf(logEntrySchema),
    handler: ({ moderation }, { viewer, query }) => moderation.log(viewer, query.cursor),
  }),
};

/** The images of a case, which nobody else sees. */
export function caseImageRoutes({ features: { moderation } }: { features: Features }) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/moderation/cases/:caseId/pictures/:key",
      { config: { access: "member", rateLimit: false }, schema: { hide: true } },
      async (request, reply) => {
        const { caseId, key } = request.params as { caseId: string; key: string };
        const bytes = await moderation.image(memberOf(request), caseId, key);
        void reply.headers({ ...privateImageHeaders, "Cache-Control": "private, no-store" });
        return reply.send(bytes);
      },
    );
  };
}
