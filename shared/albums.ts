import { limits } from "#shared/limits.ts";
import { isBlank, lengthProblem } from "#shared/text.ts";

/** Whom an album is for besides its members, the narrowest first: of a private account's, followers at most. */
export const albumAudiences = ["members", "followers", "everyone"] as const;
export type AlbumAudience = (typeof albumAudiences)[number];

/** `manual`: as its people put them; `date`: by the time of each post, the oldest first. */
export const albumOrders = ["manual", "date"] as const;
export type AlbumOrder = (typeof albumOrders)[number];

/** Contributors also add photos; a member looks. */
export const albumRoles = ["contributor", "member"] as const;
export type AlbumRole = (typeof albumRoles)[number];

/** What becomes of its owner's photos when an album is deleted; everybody else's are kept. */
export const albumPhotoFates = ["keep", "delete"] as const;

/** The error for a title that cannot be saved; null when it can. Takes the cleaned text. */
export function albumTitleProblem(title: string): string | null {
  if (isBlank(title)) return "Give the album a title.";
  return lengthProblem("A title", title, limits.albums.title);
}

/** The same for its words. */
export function albumDescriptionProblem(description: string): string | null {
  return lengthProblem("A description", description, limits.albums.description);
}
