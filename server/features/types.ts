import type { Sql } from "#server/platform/db/sql.ts";

/** The client of a request: for limits and the list of sessions. */
export type ClientInfo = {
  ip: string;
  userAgent: string;
  cookieHeader: string;
  /** that of the pages it is shown; missing where there are none */
  language?: string;
};

/** The headers that identify the client. */
export type RequestHeaders = { cookie?: string | undefined; authorization?: string | undefined };

/** How a request for an image says who asks: one of the two, or neither. */
export type Credentials = {
  /** of the token of a session */
  tokenHash: Buffer | null;
  /** the session or the app's token that the image's address was given to: its id */
  holder: string | null;
};

/** A select of the `id` of who asks, as one kind of credentials says it. */
export type AskingAccount = (credentials: Credentials) => Sql;

/** A post, by its author's id and its own. */
export type PostRef = { authorId: string; postId: string };

/** An album, by its owner's id and its own. */
export type AlbumRef = { ownerId: string; albumId: string };

/** A comment and its writer. */
type CommentOf = { id: string; accountId: string };

/**
 * Notifies members of what others do, in the transaction of the action, and deletes the notification in the
 * transaction that undoes it. Implemented by `talk/notifications`; callers need to know no more than this.
 */
export type Notifier = {
  notify: {
    followed: (followerId: string, followeeId: string, id: string) => Promise<void>;
    /** a private account was asked; `id` is the request's */
    requested: (requesterId: string, askedId: string, id: string) => Promise<void>;
    /** it accepted; `id` is the follow's */
    accepted: (askedId: string, requesterId: string, id: string) => Promise<void>;
    liked: (accountId: string, post: PostRef, id: string) => Promise<void>;
    /** `answered`: the comment that this one replies to */
    commented: (
      accountId: string,
      post: PostRef,
      id: string,
      body: string,
      answered: CommentOf | null,
    ) => Promise<void>;
    commentLiked: (
      accountId: string,
      post: PostRef,
      comment: CommentOf,
      id: string,
    ) => Promise<void>;
    /** `before` is the text before the edit: people named there were notified already */
    commentEdited: (
      accountId: string,
      comment: PostRef & { id: string },
      body: string,
      before: string,
    ) => Promise<void>;
    posted: (post: PostRef, caption: string) => Promise<void>;
    /** `before` is all earlier texts: people named there were notified already */
    edited: (post: PostRef, caption: string, before: readonly string[]) => Promise<void>;
    suggestedAlt: (accountId: string, post: PostRef, id: string) => Promise<void>;
    /** `id` is the membership's */
    invitedToAlbum: (
      ownerId: string,
      album: AlbumRef,
      accountId: string,
      id: string,
    ) => Promise<void>;
    /** photos, of which this is the first of a day */
    addedToAlbum: (
      authorId: string,
      album: AlbumRef,
      accountIds: readonly string[],
      id: string,
    ) => Promise<void>;
  };
  retract: {
    /** a follow, a request, a like or a suggestion, of which one member is notified */
    act: (accountId: string, id: string) => Promise<void>;
    /** many of them, of the same member */
    acts: (accountId: string, ids: readonly string[]) => Promise<void>;
    /** comments of a post: the comments themselves, replies to them and their likes */
    comments: (post: PostRef, ids: readonly string[] | "all") => Promise<void>;
    post: (post: PostRef) => Promise<void>;
    album: (album: AlbumRef) => Promise<void>;
  };
};

/** A file that arrived with a form and is in a temporary folder until `cleanup`. */
export type ReceivedUpload = {
  path: string;
  bytes: number;
  /** as the sender names it: only for display, never trust it */
  filename: string;
  /** as the sender declares it: never trust it at all */
  mediaType: string;
};
