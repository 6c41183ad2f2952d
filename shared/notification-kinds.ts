/** The kinds of notifications, in the order of Settings. */
export const notificationKinds = [
  "follow",
  "request",
  "accepted",
  "like",
  "comment",
  "mention",
  "message",
  "alt",
  "album",
  "invited",
] as const;
/** The kinds that a member can turn on and off. */
export type ChosenKind = (typeof notificationKinds)[number];

/**
 * The kinds that are always sent, and have no actor: moderators' decisions, to moderators the open cases,
 * and to operators problems of the server, and their end.
 */
export const noticeKinds = ["verdict", "report", "trouble", "recovery"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export type NotificationKind = ChosenKind | NoticeKind;
