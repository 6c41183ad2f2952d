import type { ReportSubject } from "#shared/report-kinds.ts";
import type { OwnVerdict } from "#shared/reports.ts";
import * as words from "#messages/reports.json";

const warned: Record<ReportSubject, string> = {
  account: words.warnedAccount,
  post: words.warnedPost,
  comment: words.warnedComment,
  message: words.warnedMessage,
  album: words.warnedAlbum,
};

/** Accounts are suspended, never removed. */
type Removed = Exclude<ReportSubject, "account">;

const removed: Record<Removed, string> = {
  post: words.removedPost,
  comment: words.removedComment,
  message: words.removedMessage,
  album: words.removedAlbum,
};

const suspendedAndRemoved: Record<Removed, string> = {
  post: words.suspendedPost,
  comment: words.suspendedComment,
  message: words.suspendedMessage,
  album: words.suspendedAlbum,
};

/** The decision, as its account reads it. */
export function verdictTitle({
  act,
  takenDown,
  subject,
}: Pick<OwnVerdict, "act" | "takenDown" | "subject">): string {
  if (act === "warn") return warned[subject];
  if (act === "clear-words") return words.albumWordsRemoved;
  if (subject === "account") return words.suspended;
  if (act !== "suspend") return removed[subject];
  return takenDown ? suspendedAndRemoved[subject] : words.suspended;
}
