/** The postcard that posts are written and edited on: photos on one side, text on the other. */
export const cardClass =
  "relative grid bg-base-100 md:min-h-110 md:grid-cols-[11fr_9fr] md:grid-rows-[1fr_auto] md:overflow-clip md:rounded-box md:border md:border-line md:shadow-sm lg:grid-cols-[3fr_2fr]";

/** Its text side. */
export const wordsClass = "flex min-w-0 flex-col gap-4 p-4 md:border-s md:border-line md:p-5";

/** The button that sends it, always in reach: on a phone (`.send`) it is in the page's bar. */
export const footClass =
  "border-t border-line bg-base-100 px-4 pt-2 pb-3 md:sticky md:bottom-0 md:z-20 md:border-s md:px-5 md:pb-5";
