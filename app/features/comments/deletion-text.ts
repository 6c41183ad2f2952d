import { formatCount } from "#app/lib/text/counts.ts";

const inReplies = (count: number) => (count === 1 ? "1 reply" : formatCount(count, "replie"));

/** The question before a comment with so many replies is deleted. */
export const deleteQuestion = (replies: number) =>
  `Delete this comment${replies > 0 ? ` and its ${replies === 1 ? "reply" : inReplies(replies)}` : ""}?`;

/** The message once a comment and so many replies are deleted. */
export const deletedText = (replies: number) =>
  `Comment${replies > 0 ? ` and ${inReplies(replies)}` : ""} deleted.`;

/** Query parameter of a post's address: how many comments were just deleted, where no script announces it. */
export const deletedParameter = "deleted";
