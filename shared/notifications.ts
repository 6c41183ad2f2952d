import type { z } from "zod";
import { noticeKinds, type ChosenKind, type NotificationKind } from "#shared/notification-kinds.ts";
import type { notificationSchema } from "#shared/views.schemas.ts";

/** The fields of a group of notifications, as it is shown: "Ana and 12 others liked your photo". */
export type NotificationView = z.infer<typeof notificationSchema>;

/** A member's choices about notifications. */
export type NotificationSettings = Record<ChosenKind, boolean> & {
  /** a daily mail of unread notifications */
  digest: boolean;
};

const targetText = ({ onComment, post }: NotificationView) =>
  onComment ? "comment" : post?.hasPicture === false ? "post" : "photo";

const photosAdded = (count: number) =>
  count === 1 ? "a photo" : count < 100 ? `${count} photos` : "100 or more photos";

const did: Record<NotificationKind, (view: NotificationView) => string> = {
  follow: () => "followed you",
  request: () => "asked to follow you",
  accepted: () => "accepted your request to follow",
  like: (view) => `liked your ${targetText(view)}`,
  comment: (view) => `${view.onComment ? "replied to" : "commented on"} your ${targetText(view)}`,
  mention: ({ commentId }) => (commentId ? "mentioned you in a comment" : "mentioned you"),
  message: () => "sent you a message",
  alt: () => "suggested a description for your photo",
  album: ({ album }) => `added ${photosAdded(album?.photos ?? 1)} to “${album?.title ?? ""}”`,
  invited: ({ album }) => `invited you to the album “${album?.title ?? ""}”`,
  verdict: () => "made a decision about you",
  report: () => "reported something",
  trouble: () => "needs your attention",
  recovery: () => "is fine again",
};

/** A notification without an actor: its people are not shown. */
export const isNotice = ({ kind }: Pick<NotificationView, "kind">): boolean =>
  noticeKinds.some((notice) => notice === kind);

/** The action, as text after the names. */
export const describeAction = (view: NotificationView): string => did[view.kind](view);

type Doers = Pick<NotificationView, "people" | "others" | "moreOthers"> &
  Partial<Pick<NotificationView, "kind">>;

/** The actors: "Ana", "Ana and Bob", "Ana, Bob and 12 others", "Ana, Bob and 98 or more others". */
export function describeActors({ people, others, moreOthers, kind }: Doers): string {
  if (kind === "report") return "Members";
  if (kind === "verdict") return "The moderators";
  if (kind === "trouble" || kind === "recovery") return "The server";
  const names = people.map(({ name }) => name);
  const count = moreOthers ? `${others} or more` : `${others}`;
  const rest = count === "1" ? "1 other" : `${count} others`;
  const parts = others > 0 ? [...names, rest] : names;
  const last = parts.at(-1) ?? "";
  return parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${last}` : last;
}

/** The page it links to. */
export function notificationPath(view: NotificationView): string {
  const { kind, post, album, commentId, conversationId, people } = view;
  if (album) return `/album/${album.id}`;
  // A reply may be below those that are shown at first: the page begins with it.
  if (post && kind === "comment" && view.onComment) {
    return `${post.path}?comment=${commentId}#comment-${commentId}`;
  }
  if (post && kind === "alt") return `${post.path}#suggested`;
  if (post) return commentId ? `${post.path}#comment-${commentId}` : post.path;
  if (kind === "request") return "/follow-requests";
  if (kind === "message") return `/chat/${conversationId}`;
  if (kind === "verdict") return "/settings/reports";
  if (kind === "report") return "/moderation";
  if (kind === "trouble" || kind === "recovery") return "/operator";
  return people[0] ? `/search/${people[0].id}` : "/notifications";
}
