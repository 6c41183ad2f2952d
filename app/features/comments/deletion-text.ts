import * as words from "#messages/comments.json";
import { counted } from "#app/lib/text/messages.tsx";

/** The question before a comment with so many replies is deleted. */
export const deleteQuestion = (replies: number) =>
  replies > 0 ? counted(words.deleteWithReplies, replies) : words.deleteIt;

/** The message once a comment and so many replies are deleted. */
export const deletedText = (replies: number) =>
  replies > 0 ? counted(words.deletedWithReplies, replies) : words.deleted;

/** Query parameter of a post's address: how many comments were just deleted, where no script announces it. */
export const deletedParameter = "deleted";
