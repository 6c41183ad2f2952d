import type { AccountSummary, PictureView } from "#shared/views.ts";

/** What a member can be told of, in the order of Settings. */
export const notificationKinds = ["follow", "like", "comment", "mention", "message"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What belongs together, as it is told: "Ana and 12 others liked your photo". */
export type NotificationView = {
  id: string;
  kind: NotificationKind;
  unread: boolean;
  /** when the newest of it happened, epoch ms */
  at: number;
  /** the newest two who did it */
  people: AccountSummary[];
  /** how many more did it; 998 stands for that many and more */
  others: number;
  /** the post it is about; null for a follow or a message */
  post: { path: string; hasPicture: boolean; picture: PictureView | null } | null;
  /** where it happened: the newest comment or the mentioning one */
  commentId: string | null;
  /** the conversation of a message */
  conversationId: string | null;
  /** the beginning of what was said; empty for a follow, a photo without words, a message */
  text: string;
};

/** What a member wants to be told, and how. */
export type NotificationSettings = Record<NotificationKind, boolean> & {
  /** a daily mail of what is unread */
  digest: boolean;
};

const did: Record<NotificationKind, (view: NotificationView) => string> = {
  follow: () => "followed you",
  like: ({ post }) => (post?.hasPicture === false ? "liked your post" : "liked your photo"),
  comment: ({ post }) =>
    post?.hasPicture === false ? "commented on your post" : "commented on your photo",
  mention: ({ commentId }) => (commentId ? "mentioned you in a comment" : "mentioned you"),
  message: () => "sent you a message",
};

/** What was done, in words that follow the names. */
export const whatWasDone = (view: NotificationView): string => did[view.kind](view);

/** Who did it: "Ana", "Ana and Bob", "Ana, Bob and 12 others". */
export function whoDidIt({ people, others }: Pick<NotificationView, "people" | "others">): string {
  const names = people.map(({ name }) => name);
  const rest = others === 1 ? "1 other" : `${others >= 998 ? "998 or more" : others} others`;
  const parts = others > 0 ? [...names, rest] : names;
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}

/** Where it leads. */
export function pathOfNotification(view: NotificationView): string {
  const { kind, post, commentId, conversationId, people } = view;
  if (post) return commentId ? `${post.path}#comment-${commentId}` : post.path;
  if (kind === "message") return `/chat/${conversationId}`;
  return people[0] ? `/search/${people[0].id}` : "/notifications";
}
