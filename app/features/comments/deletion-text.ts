import { formatCount } from "#app/lib/text/counts.ts";

const inReplies = (count: number) => (count === 1 ? "1 reply" : formatCount(count, "replie"));

/** What is asked before a comment with so many replies is deleted. */
export const deleteQuestion = (replies: number) =>
  `Delete this comment${replies > 0 ? ` and its ${replies === 1 ? "reply" : inReplies(replies)}` : ""}?`;

/** What is said once a comment is gone, and so many replies with it. */
export const deletedInWords = (replies: number) =>
  `Comment${replies > 0 ? ` and ${inReplies(replies)}` : ""} deleted.`;

/** Of a post's address: how many comments were just deleted, where no script says it. */
export const deletedParameter = "deleted";
