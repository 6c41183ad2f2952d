/** A description of the product, for link previews. Goes with a title in a screen's meta. */
export const metaDescription = {
  name: "description",
  content: "Photos and words, from people to people.",
};
