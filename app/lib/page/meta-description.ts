import * as words from "#messages/ui.json";
import type { MetaDescriptor } from "react-router";
import { documentTitle } from "#app/lib/page/document-title.ts";

/** A description of the product, for link previews. */
export const metaDescription = {
  name: "description",
  content: words.siteDescription,
};

/** The `meta` of a screen that always has the same title. */
export const pageMeta =
  (title: string, ...others: MetaDescriptor[]) =>
  (): MetaDescriptor[] => [{ title: documentTitle(title) }, metaDescription, ...others];
