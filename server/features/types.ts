/** Who is at the other end of a request: for limits and the list of sessions. */
export type ClientInfo = { ip: string; userAgent: string; cookieHeader: string };

/** The headers that say who asks. */
export type RequestHeaders = { cookie?: string | undefined; authorization?: string | undefined };

/** Which post: its author's id and its own. */
export type PostRef = { authorId: string; postId: string };
