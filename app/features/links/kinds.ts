import * as words from "#messages/links.json";
import type { LinkKind } from "#shared/link-kinds.ts";

type KindWords = {
  /** for its maker, where it has an end and where it has none */
  until: string;
  forever: string;
  /** for its guests */
  guests: string;
};

/** What each kind of link is called. */
export const kindWords: Record<LinkKind, KindWords> = {
  post: { until: words.postUntil, forever: words.postForever, guests: words.postcardFrom },
  profile: {
    until: words.profileUntil,
    forever: words.profileForever,
    guests: words.postcardsFrom,
  },
  album: { until: words.albumUntil, forever: words.albumForever, guests: words.photosFrom },
};
