/** The postcard that posts are written and edited on: photos on one side, text on the other. */
export const cardClass =
  "composer-card relative grid bg-base-100 md:rounded-box md:border md:border-line";

/** Its text side. */
export const wordsClass = "composer-words flex min-w-0 flex-col gap-4 p-4";

/** The button that sends it, always in reach: on a phone (`.send`) it is in the page's bar. */
export const footClass = "composer-foot border-line bg-base-100 px-4 pb-3";
