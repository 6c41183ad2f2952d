import type { MessageView } from "#shared/views.ts";

/** How much is unread, each counted to 99: what the header and the page's title say. */
export type Unread = {
  notifications: number;
  /** conversations with something new, muted ones apart */
  messages: number;
};

/**
 * What a post has now; `post` is `{author id}.{post id}`. A higher version than one shows: it was
 * edited and is to be read again.
 */
export type LiveCounts = {
  post: string;
  likeCount: number;
  commentCount: number;
  version: number;
  /**
   * Comments that were edited or deleted, and answers that were written, to be read again by who
   * shows them; left out where there are none.
   */
  comments?: string[];
};

/** The first event of a stream. */
export type LiveHello = {
  /** by which its browser says what it shows */
  stream: string;
  /** all messages that were missed come now */
  complete: boolean;
};

/** What a stream tells (GET /api/events): the data of each event, by the event's name. */
export type LiveEvents = {
  /** a message of one of the member's conversations is new, or was taken back */
  message: MessageView;
  unread: Unread;
  /** the other one has seen a conversation up to a message: `{conversation id}.{seq}` */
  read: string;
  /** the other one is writing: a conversation's id, or theirs where none has begun */
  typing: string;
  /** the member and somebody follow each other otherwise than before: the other's account id */
  follow: string;
  /** somebody whom the member follows has posted: the author's id */
  "new-post": string;
  /** of a post that this browser shows, or that somebody whom the member follows edited */
  post: LiveCounts;
  /** the session is over; nothing comes after it */
  "signed-out": Record<string, never>;
};

export type LiveType = keyof LiveEvents;
