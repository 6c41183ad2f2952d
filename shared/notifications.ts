import type { z } from "zod";
import { fill, type Message } from "#shared/messages.ts";
import { noticeKinds, type ChosenKind, type NotificationKind } from "#shared/notification-kinds.ts";
import type { notificationSchema } from "#shared/notifications.schemas.ts";

/** The fields of a group of notifications, as it is shown: "Ana and 12 others liked your photo". */
export type NotificationView = z.infer<typeof notificationSchema>;

/** A member's choices about notifications. */
export type NotificationSettings = Record<ChosenKind, boolean> & {
  /** a daily mail of unread notifications */
  digest: boolean;
};

type Sentence =
  | "followed"
  | "asked"
  | "accepted"
  | "likedPhoto"
  | "likedPost"
  | "likedComment"
  | "commentedPhoto"
  | "commentedPost"
  | "replied"
  | "mentioned"
  | "mentionedInComment"
  | "messaged"
  | "suggested"
  | "addedPhotos"
  | "invited"
  | "decided"
  | "reported"
  | "trouble"
  | "recovery";

/** What is said of notifications in a language: its messages of pushes.json, and how it says numbers and lists. */
export type Saying = {
  messages: Record<Sentence, Message> &
    Record<"others" | "othersOrMore" | "photos" | "photosOrMore", Record<string, string>>;
  /** of the forms, the one for a number */
  formOf: (forms: Record<string, string>, count: number) => string;
  counted: (forms: Record<string, string>, count: number) => string;
  listed: (parts: readonly string[]) => string;
};

const aboutText = ({ post }: NotificationView) => post?.hasPicture === false;

const sentences: Record<NotificationKind, (view: NotificationView) => Sentence> = {
  follow: () => "followed",
  request: () => "asked",
  accepted: () => "accepted",
  like: (view) => (view.onComment ? "likedComment" : aboutText(view) ? "likedPost" : "likedPhoto"),
  comment: (view) =>
    view.onComment ? "replied" : aboutText(view) ? "commentedPost" : "commentedPhoto",
  mention: ({ commentId }) => (commentId ? "mentionedInComment" : "mentioned"),
  message: () => "messaged",
  alt: () => "suggested",
  album: () => "addedPhotos",
  invited: () => "invited",
  verdict: () => "decided",
  report: () => "reported",
  trouble: () => "trouble",
  recovery: () => "recovery",
};

/** A notification without an actor: its people are not shown. */
export const isNotice = ({ kind }: Pick<NotificationView, "kind">): boolean =>
  noticeKinds.some((notice) => notice === kind);

const countPhotos = ({ messages, counted }: Saying, count: number) =>
  count < 100 ? counted(messages.photos, count) : counted(messages.photosOrMore, 100);

/**
 * Its sentence, and the values in it besides `{names}`; apart, because screens put elements in their place. The verb
 * of some languages is another one for several people.
 */
export function sentenceOf(view: NotificationView, saying: Saying) {
  const { kind, people, others, album } = view;
  const message = saying.messages[sentences[kind](view)];
  return {
    message: typeof message === "string" ? message : saying.formOf(message, people.length + others),
    values: { photos: countPhotos(saying, album?.photos ?? 1), album: album?.title ?? "" },
  };
}

type Doers = Pick<NotificationView, "others" | "moreOthers">;

/** Those whose names are not given: "12 others", "98 or more others"; null where all are named. */
export function othersOf({ others, moreOthers }: Doers, { messages, counted }: Saying) {
  if (others === 0) return null;
  return counted(moreOthers ? messages.othersOrMore : messages.others, others);
}

/** The whole sentence: "Ana, Bob and 12 others liked your photo". */
export function describe(view: NotificationView, saying: Saying): string {
  const { message, values } = sentenceOf(view, saying);
  const rest = othersOf(view, saying);
  const names = [...view.people.map(({ name }) => name), ...(rest === null ? [] : [rest])];
  return fill(message, { ...values, names: names.length === 0 ? "" : saying.listed(names) });
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
