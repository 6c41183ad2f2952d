/** What the product is, for those who only see a link to it. Goes with a title in a screen's meta. */
export const metaDescription = {
  name: "description",
  content: "Photos and words, from people to people.",
};
