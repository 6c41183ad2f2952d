import type { z } from "zod";
import type { guestLinkSchema, sharedLinkSchema } from "#shared/shared-links.schemas.ts";
import type { AlbumAudience } from "#shared/albums.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import type { ImageView } from "#shared/views.ts";

/** A link as its maker sees it: without its address, of which only a hash is stored. */
export type SharedLink = z.infer<typeof sharedLinkSchema>;

/** A link as its guests see it. */
export type GuestLink = z.infer<typeof guestLinkSchema>;

/** A post as guests see it: no name but its author's, and nobody's words but theirs. */
export type GuestPost = {
  id: string;
  caption: string;
  language: string | null;
  createdAt: number;
  warning: string | null;
  sensitive: boolean;
  likeCount: number;
  pictures: ImageView[];
};

/** What a link to an album would show of it. */
export type AlbumForGuests = {
  title: string;
  audience: AlbumAudience;
  isPrivate: boolean;
  /** its maker's photos, and those posts of theirs that were put in, by audience */
  own: { audience: ShownAudience; posts: number }[];
  /** of the others: what they let links show, and what not */
  others: { shown: number; hidden: number };
};

/** How many posts of an author each audience adds, as a link that shows a profile says it. */
export type AudienceCounts = { audience: Audience; posts: number }[];

/** Where guests see a link: its id opens nothing without the cookie that its address gave. */
export const guestPath = (id: string) => `/shared/${id}`;

/** What a guest reports in place of a post: the album of a link, its title or its words. */
export const wholeAlbum = "album";

/** A photo as an image of a link (shared/image-urls.ts): at an address that asks for the link's cookie. */
export const guestPhoto = <Photo extends Pick<ImageView, "key">>(
  id: string,
  photo: Photo,
): Photo => ({
  ...photo,
  key: `${guestPath(id)}/photos/${photo.key}`,
});
