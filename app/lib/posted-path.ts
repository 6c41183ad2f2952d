/** Names one's own new post, by its number, in the address of the home page that shows it. */
export const postedParameter = "posted";

/** The page after publishing a post. */
export const postedPath = ({ number }: { number: number }) => `/?${postedParameter}=${number}`;
