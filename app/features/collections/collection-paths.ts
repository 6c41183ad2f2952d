export const collectionsPath = "/saved/collections";

/** The page of a collection, and the pages below it. */
export const collectionPath = (id: string, page?: "add" | "delete" | "edit") =>
  `${collectionsPath}/${encodeURIComponent(id)}${page ? `/${page}` : ""}`;
