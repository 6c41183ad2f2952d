/** What a member can be told of, in the order of Settings. */
export const notificationKinds = [
  "follow",
  "like",
  "comment",
  "mention",
  "message",
  "alt",
] as const;
export type NotificationKind = (typeof notificationKinds)[number];
