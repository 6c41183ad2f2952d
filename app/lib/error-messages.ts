/**
 * The sentence for a connection or a server that is down; in a file of its own, for pages that send nothing
 * themselves.
 */
export const unreachableMessage =
  "We couldn't reach Postcard. Check your connection and try again.";

/** For unexpected errors, on a page of its own. */
export const unexpectedMessage =
  "Something went wrong on our side. Nothing you saved is lost. Please try again.";
