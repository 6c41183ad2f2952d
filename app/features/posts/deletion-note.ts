/** Shown wherever a post is about to be deleted. */
export const deletionNote =
  "Its likes and comments will be deleted too, and it will disappear from everyone's saved posts. This can't be undone.";
