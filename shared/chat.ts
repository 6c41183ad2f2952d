import { limits } from "#shared/limits.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";

/**
 * The chatId of the product's own links: both usernames with a dot between them. No username has a
 * dot, so it is read in one way only, and no email stands in it.
 */
export function chatIdOf(viewer: { username: string }, other: { username: string }): string {
  return `${viewer.username}.${other.username}`;
}

/** The sentence under words that cannot be sent; null when they can. Takes the cleaned text. */
export function messageProblem(body: string, hasPicture: boolean): string | null {
  if (isBlank(body)) return hasPicture ? null : "required*";
  return lengthProblem("A message", body, { graphemes: limits.message, bytes: 65_536 });
}

/** The address of one variant of a private picture: answered to the two members alone. */
export function messagePictureUrl(conversationId: string, seq: number, width: number): string {
  return `/chat/pictures/${conversationId}/${seq}/${width}.webp`;
}
