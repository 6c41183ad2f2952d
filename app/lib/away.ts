/** The sentence for a line or a server that is away; alone, for pages that send nothing themselves. */
export const away = "We couldn't reach Postcard. Check your connection and try again.";
