import type { AccountSummary, PostView } from "#shared/views.ts";

export function postPath(post: { authorUsername: string; number: number }): string {
  return `/post/${post.authorUsername}/${post.number}`;
}

export function pathOfPost({ author, number }: Pick<PostView, "author" | "number">): string {
  return postPath({ authorUsername: author.username, number });
}

type Params = Record<string, string | undefined>;

/** The path of the post that the address of a page names. */
export const postAt = ({ address = "", number = "" }: Params) =>
  `/post/${encodeURIComponent(address)}/${number}`;

/** The same for a conversation. */
export const conversationPathAt = ({ chatId = "" }: Params) =>
  `/chat/${encodeURIComponent(chatId)}`;

/** The address of a post under /api. */
export function apiPathOf({ author, number }: Pick<PostView, "author" | "number">): string {
  return `/api/posts/${author.username}/${number}`;
}

/** A member's own profile is at /profile, everybody else's at /search/{id}. */
export function profilePath(account: Pick<AccountSummary, "id">, viewerId: string | null): string {
  return account.id === viewerId ? "/profile" : `/search/${account.id}`;
}

/** Query parameter of a post's address: the comment that the form replies to. */
export const replyParameter = "reply";
