import { limits } from "#shared/limits.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";
import type { ConversationSummary, MessageView, Page, ImageView } from "#shared/views.ts";

/** A row of the list of conversations, with the key that identifies it. */
export type ListedConversation = ConversationSummary & { id: string };

export function listedConversations({
  items,
  nextCursor,
}: Page<ConversationSummary>): Page<ListedConversation> {
  const listed = items.map((one) => ({ ...one, id: one.other?.id ?? one.conversationId ?? "" }));
  return { items: listed, nextCursor };
}

/**
 * The chatId of the product's own links: both usernames with a dot between them. No username has a dot, so
 * it has only one reading, and contains no email.
 */
export function chatIdOf(viewer: { username: string }, other: { username: string }): string {
  return `${viewer.username}.${other.username}`;
}

/** Above the number of every message: what is before it is the end of a conversation. */
export const aboveEveryMessage = 2 ** 31 - 1;

/** The error for text that cannot be sent; null when it can. Takes the cleaned text. */
export function messageProblem(body: string, hasPhoto: boolean): string | null {
  if (isBlank(body)) return hasPhoto ? null : "required*";
  return lengthProblem("A message", body, { graphemes: limits.message, bytes: 65_536 });
}

/**
 * The photo of a message as screens draw photos; null where it has none. Only the two members can read its
 * address.
 */
export function messagePhoto({
  conversationId,
  seq,
  picture,
}: Pick<MessageView, "conversationId" | "seq" | "picture">): ImageView | null {
  return picture && { ...picture, key: `/chat/pictures/${conversationId}/${seq}`, alt: "" };
}
