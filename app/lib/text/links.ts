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

/** The same of a conversation. */
export const conversationPathAt = ({ chatId = "" }: Params) =>
  `/chat/${encodeURIComponent(chatId)}`;

/** Where a post stands under /api. */
export function apiPathOf({ author, number }: Pick<PostView, "author" | "number">): string {
  return `/api/posts/${author.username}/${number}`;
}

/** A member's own profile stands at /profile, everybody else's at /search/{id}. */
export function profilePath(account: Pick<AccountSummary, "id">, viewerId: string | null): string {
  return account.id === viewerId ? "/profile" : `/search/${account.id}`;
}

/** Of a post's address: which comment the form answers. */
export const replyParameter = "reply";
