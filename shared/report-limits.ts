/** Apart from limits.ts: no page loads these before a report is opened. */
export const reportLimits = {
  /** characters of a report, a verdict's reason and an answer to it */
  words: 1000,
  /** days within which a verdict can be answered */
  answerDays: 30,
  /** days after a case is closed that the reported content is stored; longer than it can be answered */
  copyDays: 90,
  mostSuspendedDays: 365,
  page: 20,
  /** reports of one case, and earlier cases of its account, that moderators are shown */
  shown: 50,
  earlier: 20,
  /** photos of one case that are stored, and about how wide, pixels */
  pictures: 20,
  pictureWidth: 640,
  /** bytes of one of them: migration 0073 says so, too */
  pictureBytes: 2_000_000,
  /** moderators who are notified of a report */
  notifiedModerators: 50,
} as const;
