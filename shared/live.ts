import type { MessageView } from "#shared/views.ts";

/** The unread counts, each counted to 99: for the header and the page's title. */
export type Unread = {
  notifications: number;
  /** conversations with something new, muted ones apart */
  messages: number;
};

/**
 * The current counts of a post; `post` is `{author id}.{post id}`. A higher version than the shown one: it
 * was edited and is to be read again.
 */
export type LiveCounts = {
  post: string;
  likeCount: number;
  commentCount: number;
  version: number;
  /**
   * Comments that were edited or deleted, and new replies, to be read again by pages that show them; left
   * out where there are none.
   */
  comments?: string[];
};

/** The first event of a stream. */
export type LiveHello = {
  /** the id with which its browser says what it shows */
  stream: string;
  /** all missed messages follow */
  complete: boolean;
};

/** The events of a stream (GET /api/events): the data of each, by the event's name. */
export type LiveEvents = {
  /** a message of one of the member's conversations is new, or was deleted */
  message: MessageView;
  unread: Unread;
  /** the other party has seen a conversation up to a message: `{conversation id}.{seq}` */
  read: string;
  /** the other party is typing: a conversation's id, or their account id where there is none yet */
  typing: string;
  /** the mutual following of the member and somebody changed: the other's account id */
  follow: string;
  /** somebody whom the member follows has posted: the author's id */
  "new-post": string;
  /** of a post that this browser shows, or that was edited by somebody whom the member follows */
  post: LiveCounts;
  /** a post is not for the member any more: `{author id}.{post id}` */
  gone: string;
  /** the session is over; nothing comes after it */
  "signed-out": Record<string, never>;
};

export type LiveType = keyof LiveEvents;
