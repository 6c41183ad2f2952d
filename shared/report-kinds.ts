/** What can be reported. */
export const reportSubjects = ["account", "post", "comment", "message", "album"] as const;
export type ReportSubject = (typeof reportSubjects)[number];

/** The reasons, in the order in which they are offered; `other` needs a text. */
export const reportReasons = [
  "spam",
  "harassment",
  "hate",
  "sexual",
  "violence",
  "privacy",
  "other",
] as const;
export type ReportReason = (typeof reportReasons)[number];

/** What moderators can do about it; `clear-words`: about an album, which then has no words of its owner's. */
export const verdictActs = ["dismiss", "warn", "clear-words", "take-down", "suspend"] as const;
export type VerdictAct = (typeof verdictActs)[number];

/** What they can do about an answer to it. */
export const answerActs = ["keep", "lift"] as const;
