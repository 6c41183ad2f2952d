/** Who is at the other end of a request: for limits and the list of sessions. */
export type ClientInfo = { ip: string; userAgent: string; cookieHeader: string };

/** The headers that say who asks. */
export type RequestHeaders = { cookie?: string | undefined; authorization?: string | undefined };

/** Which post: its author's id and its own. */
export type PostRef = { authorId: string; postId: string };

/** A comment and its writer. */
type CommentOf = { id: string; accountId: string };

/**
 * Tells members of what others do, in the transaction of the act, and deletes it again in the
 * transaction that undoes it. `talk/notifications` does so; who acts needs to know no more than this.
 */
export type Notifier = {
  notify: {
    followed: (followerId: string, followeeId: string, id: string) => Promise<void>;
    liked: (accountId: string, post: PostRef, id: string) => Promise<void>;
    /** `answered`: the comment that this one answers */
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
    /** `before` is what it said until now: whom that named was told */
    commentEdited: (
      accountId: string,
      comment: PostRef & { id: string },
      body: string,
      before: string,
    ) => Promise<void>;
    posted: (post: PostRef, caption: string) => Promise<void>;
    /** `before` is everything it said until now: whom that named was told */
    edited: (post: PostRef, caption: string, before: readonly string[]) => Promise<void>;
    suggestedAlt: (accountId: string, post: PostRef, id: string) => Promise<void>;
  };
  retract: {
    /** a follow, a like or a suggestion, told to one member */
    act: (accountId: string, id: string) => Promise<void>;
    /** comments of a post: their writing, what was answered to them and their likes */
    comments: (post: PostRef, ids: readonly string[] | "all") => Promise<void>;
    post: (post: PostRef) => Promise<void>;
  };
};

/** A file that arrived with a form and lies in a temporary folder until `cleanup`. */
export type ReceivedUpload = {
  path: string;
  bytes: number;
  /** as the sender calls it: never trust it for anything but showing */
  filename: string;
  /** as the sender declares it: never trust it at all */
  mediaType: string;
};
