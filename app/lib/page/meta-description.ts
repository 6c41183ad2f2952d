import * as words from "#messages/ui.json";

/** A description of the product, for link previews. Goes with a title in a screen's meta. */
export const metaDescription = {
  name: "description",
  content: words.siteDescription,
};
