import type { LinkKind } from "#shared/link-kinds.ts";

/** What each kind of link is called, for its maker and for its guests. */
export const kindWords: Record<LinkKind, { own: string; guests: string }> = {
  post: { own: "A post", guests: "A postcard from" },
  profile: { own: "Your profile", guests: "Postcards from" },
  album: { own: "An album", guests: "Photos from" },
};
