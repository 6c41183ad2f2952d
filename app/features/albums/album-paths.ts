type AlbumPage = "add" | "arrange" | "delete" | "edit" | "link" | "members";

/** The page of an album, and the pages below it. */
export const albumPath = (id: string, page?: AlbumPage) =>
  page ? `/album/${id}/${page}` : `/album/${id}`;

/** The path of the album that the address of a page names. */
export const albumAt = ({ id = "" }: Record<string, string | undefined>) =>
  `/album/${encodeURIComponent(id)}`;

/** Whether this is the owner, or somebody who also adds photos. */
export const mayAdd = (role: string | null) => role === "owner" || role === "contributor";
