/** What a member can be told of, in the order of Settings. */
export const notificationKinds = [
  "follow",
  "like",
  "comment",
  "mention",
  "message",
  "alt",
] as const;
/** What a member can choose to be told of. */
export type ChosenKind = (typeof notificationKinds)[number];

/**
 * What is told in any case, by nobody: decisions of moderators, to moderators what waits for one, and to
 * operators what is wrong with the server, and that it is over.
 */
export const noticeKinds = ["verdict", "report", "trouble", "recovery"] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export type NotificationKind = ChosenKind | NoticeKind;
