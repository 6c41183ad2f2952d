import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
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
import { pageOf } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "reports" | "moderation"> };

const tags = ["Reports"];
const moderators = ["Moderation"];
const done = z.undefined().describe("done");
const caseParams = z.object({ caseId: z.string().describe("`id` of the case") });

/** What members report, what moderators decide about it, and what those concerned answer. */
export function reportCalls({ features: { reports, moderation } }: Deps) {
  return {
    report: call(
      "POST",
      "/api/reports",
      {
        config: { access: "member", refusals: ["not-found", "self-report"] },
        schema: {
          tags,
          summary: "Report an account, a post, a comment or a message",
          description:
            "Moderators see what it says at this moment and how its pictures look, also when it is " +
            "changed or deleted later; of a conversation they see this message alone. Nobody else " +
            "learns who reported it. Another report of the same thing takes the place of the " +
            "caller's first while it is open. Whoever blocked whom can be reported.",
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
        },
      },
      async (request, reply) => {
        const { about, reason, words } = request.body;
        void reply.status(201);
        return reports.report(memberOf(request), about, { reason, words });
      },
    ),

    list: call(
      "GET",
      "/api/reports",
      {
        config: { access: "member" },
        schema: {
          tags,
          summary: "What you reported, and what became of it",
          description: "Newest first, 20 a page.",
          querystring: cursorQuery,
          response: { 200: pageOf(ownReportSchema) },
        },
      },
      async (request) => reports.list(memberOf(request), request.query.cursor || null),
    ),

    verdicts: call(
      "GET",
      "/api/verdicts",
      {
        config: { access: "member" },
        schema: {
          tags,
          summary: "What moderators decided about you",
          description: "Newest first, 20 a page.",
          querystring: cursorQuery,
          response: { 200: pageOf(ownVerdictSchema) },
        },
      },
      async (request) => moderation.verdicts(memberOf(request), request.query.cursor || null),
    ),

    answer: call(
      "POST",
      "/api/verdicts/:verdictId/answer",
      {
        config: {
          access: "member",
          refusals: ["not-found", "already-answered", "answer-too-late"],
        },
        schema: {
          tags,
          summary: "Answer what moderators decided about you",
          description: `Once, within ${reportLimits.answerDays} days. Moderators decide about it again.`,
          params: z.object({ verdictId: z.string().describe("`id` of the verdict") }),
          body: answerInput,
          response: { 204: done },
        },
      },
      async (request, reply) => {
        await moderation.answer(memberOf(request).id, request.params.verdictId, request.body);
        void reply.status(204);
      },
    ),

    queue: call(
      "GET",
      "/api/moderation/cases",
      {
        config: { access: "member", refusals: ["moderators-only"] },
        schema: {
          tags: moderators,
          summary: "What waits for moderators",
          description:
            "Reports, one line for each thing, and answers to verdicts: what waits longest first, " +
            "20 a page. Without what is about the caller.",
          querystring: cursorQuery,
          response: { 200: pageOf(caseRowSchema) },
        },
      },
      async (request) => moderation.queue(memberOf(request), request.query.cursor || null),
    ),

    find: call(
      "GET",
      "/api/moderation/cases/:caseId",
      {
        config: { access: "member", refusals: ["moderators-only", "not-found"] },
        schema: {
          tags: moderators,
          summary: "A case with its reports, and the history of everybody in it",
          params: caseParams,
          response: { 200: caseSchema },
        },
      },
      async (request) => moderation.find(memberOf(request), request.params.caseId),
    ),

    decide: call(
      "POST",
      "/api/moderation/cases/:caseId/verdict",
      {
        config: { access: "member", refusals: ["moderators-only", "not-found", "case-decided"] },
        schema: {
          tags: moderators,
          summary: "Decide a case",
          description:
            `Reports: ${verdictActs.map((act) => `\`${act}\``).join(", ")}. An answer to a verdict: ` +
            `${answerActs.map((act) => `\`${act}\``).join(", ")}. The account concerned reads the ` +
            "reason; that of a dismissal is for those who reported it.",
          params: caseParams,
          body: verdictInput,
          response: { 204: done },
        },
      },
      async (request, reply) => {
        await moderation.decide(memberOf(request), request.params.caseId, request.body);
        void reply.status(204);
      },
    ),

    log: call(
      "GET",
      "/api/moderation/log",
      {
        config: { access: "member", refusals: ["moderators-only"] },
        schema: {
          tags: moderators,
          summary: "Who decided what",
          description: "Newest first, 20 a page. Nothing in it is ever changed or removed.",
          querystring: cursorQuery,
          response: { 200: pageOf(logEntrySchema) },
        },
      },
      async (request) => moderation.log(memberOf(request), request.query.cursor || null),
    ),
  };
}

/** The pictures of a case, which nobody else sees. */
export function casePictureRoutes({ features: { moderation } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/moderation/cases/:caseId/pictures/:key",
      { config: { access: "member", rateLimit: false }, schema: { hide: true } },
      async (request, reply) => {
        const { caseId, key } = request.params as { caseId: string; key: string };
        const bytes = await moderation.picture(memberOf(request), caseId, key);
        void reply.headers({
          "Cache-Control": "private, no-store",
          "Content-Type": "image/webp",
          "Content-Disposition": 'inline; filename="picture.webp"',
          "Content-Security-Policy": "default-src 'none'; sandbox",
          "Cross-Origin-Resource-Policy": "same-origin",
          "X-Content-Type-Options": "nosniff",
        });
        return reply.send(bytes);
      },
    );
  };
}
