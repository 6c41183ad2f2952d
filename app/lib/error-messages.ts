/** The sentence for a line or a server that is away; alone, for pages that send nothing themselves. */
export const unreachableMessage =
  "We couldn't reach Postcard. Check your connection and try again.";

/** For what nobody expected, on a page of its own. */
export const unexpectedMessage =
  "Something went wrong on our side. Nothing you saved is lost. Please try again.";
