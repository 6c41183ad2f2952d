import { noDay } from "#messages/bring.json";
import type { DevicePost } from "#app/features/archive/device/read-export.ts";
import { callErrorOf } from "#app/lib/api-client.ts";
import { formatDate } from "#app/lib/text/times.ts";

/** What is wrong with this post or its photos: others may go through. Any other refusal is about all of them. */
const aboutPost = new Set(["picture-timeout", "picture-unknown", "picture-damaged"]);

export function isAboutPost(error: unknown): boolean {
  const { status = 0, code = "" } = callErrorOf(error);
  return aboutPost.has(code) || [400, 413, 415, 422].includes(status);
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

/** As its profile will show it on this device. */
export const dayOf = ({ time }: Pick<DevicePost, "time">): string => formatDate(time, timeZone);

/** What a post is called among those that failed: its photo's file where it is one, and its day. */
export function nameOf(post: DevicePost): string {
  const [photo, second] = post.pictures;
  const file = photo && !second ? photo.file.slice(photo.file.lastIndexOf("/") + 1) : "";
  const day = Number.isNaN(post.time) ? "" : dayOf(post);
  return [file.slice(0, 100), day].filter(Boolean).join(", ") || noDay;
}
