import type { z } from "zod";
import type {
  caseRowSchema,
  caseSchema,
  logEntrySchema,
  ownReportSchema,
  ownVerdictSchema,
} from "#shared/reports.schemas.ts";
import type { ReportReason } from "#shared/report-kinds.ts";

/** As moderators read them on the command line; on screens: app/features/reports/report-words.ts. */
export const reasonLabels: Record<ReportReason, string> = {
  spam: "Spam or a scam",
  harassment: "Harassment or bullying",
  hate: "Hate or threats",
  sexual: "Nudity or sexual content",
  violence: "Violence or self-harm",
  privacy: "Shares private information",
  other: "Something else",
};

/** Names the reported content, as a call, a form's fields or an address do. */
export type ReportTarget =
  | { kind: "account"; accountId?: string | undefined; username?: string | undefined }
  | { kind: "post"; author: string; number: number }
  | { kind: "comment"; author: string; number: number; commentId: string }
  | { kind: "message"; conversationId: string; seq: number }
  | { kind: "album"; albumId: string };

/** A line of the moderators' queue. */
export type CaseRow = z.infer<typeof caseRowSchema>;
/** A case with everything that moderators know of it. */
export type CaseView = z.infer<typeof caseSchema>;
/** One's own report, and its outcome. */
export type OwnReport = z.infer<typeof ownReportSchema>;
/** A moderators' decision about the reader. */
export type OwnVerdict = z.infer<typeof ownVerdictSchema>;
export type LogEntry = z.infer<typeof logEntrySchema>;
