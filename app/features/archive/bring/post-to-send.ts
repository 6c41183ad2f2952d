import { withoutHashtags } from "#shared/without-hashtags.ts";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";

/** What comes along with the photos. */
export type Kept = { captions: boolean; hashtags: boolean; places: boolean };

/** A photo of a post: uploaded, or with its address, where the export does not have it. */
export type SentPicture = Omit<DevicePost["pictures"][number], "file" | "url"> &
  ({ imageId: string } | { url: string });

/** A post as the server gets it: with what its author wants to keep, and nothing else of the export. */
export function postToSend(post: DevicePost, pictures: readonly SentPicture[], kept: Kept) {
  const { key, warning, sensitive, audience } = post;
  const caption = captionOf(post, kept);
  const language = caption === "" ? null : (post.language ?? null);
  const time = Math.round(post.time);
  const words = { caption, language, warning, sensitive };
  return { key, time, ...words, audience, showPlace: kept.places, pictures };
}

function captionOf({ caption }: DevicePost, { captions, hashtags }: Kept): string {
  if (!captions) return "";
  return hashtags ? caption : withoutHashtags(caption);
}
