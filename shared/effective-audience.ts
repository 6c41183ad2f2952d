import type { AlbumAudience } from "#shared/albums.ts";
import type { ShownAudience } from "#shared/posts.ts";

/**
 * For whom a post, or an album besides its members, effectively is: the narrower of what it says and what its author's account says. Apart
 * from posts.ts: pages that show posts need nothing else of it.
 */
export const effectiveAudience = <Shown extends ShownAudience | AlbumAudience>(
  audience: Shown,
  isPrivate: boolean,
): Shown | "followers" => (isPrivate && audience === "everyone" ? "followers" : audience);
