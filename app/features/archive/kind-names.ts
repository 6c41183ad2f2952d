import { folder } from "#messages/data.json";
import type { ArchiveKind } from "#shared/archive.ts";

/** Where an import came from, as screens say it. */
export const kindNames: Record<ArchiveKind, string> = {
  postcard: "Postcard",
  instagram: "Instagram",
  mastodon: "Mastodon",
  "google-photos": "Google Photos",
  flickr: "Flickr",
  pixelfed: "Pixelfed",
  folder,
};
