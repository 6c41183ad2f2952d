import type { z } from "zod";
import type { NotificationKind } from "#shared/notification-kinds.ts";
import type { notificationSchema } from "#shared/views.schemas.ts";

/** What belongs together, as it is told: "Ana and 12 others liked your photo". */
export type NotificationView = z.infer<typeof notificationSchema>;

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
  alt: () => "suggested alt text for your photo",
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
  if (post && kind === "alt") return `${post.path}#suggested`;
  if (post) return commentId ? `${post.path}#comment-${commentId}` : post.path;
  if (kind === "message") return `/chat/${conversationId}`;
  return people[0] ? `/search/${people[0].id}` : "/notifications";
}
