import type { ReportReason, ReportSubject } from "#shared/report-kinds.ts";
import * as words from "#messages/reports.json";

/** The reasons, as they are offered, and as moderators read them. */
export const reasonWords: Record<ReportReason, string> = {
  spam: words.spam,
  harassment: words.harassment,
  hate: words.hate,
  sexual: words.sexual,
  violence: words.violence,
  privacy: words.privacy,
  other: words.other,
};

/** "Report this post" */
export const reportThis: Record<ReportSubject, string> = {
  account: words.reportAccount,
  post: words.reportPost,
  comment: words.reportComment,
  message: words.reportMessage,
  album: words.reportAlbum,
};
