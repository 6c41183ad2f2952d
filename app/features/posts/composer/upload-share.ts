import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { fill } from "#app/lib/text/messages.tsx";

/** Of a photo whose bytes have all arrived: the rest is the server's work on it. */
export const arrived = 0.9;

/** How far the photos of a post are. */
export function uploadShare(photos: readonly ChosenPhoto[]) {
  let [all, done] = [0, 0];
  for (const { file, state, fraction } of photos) {
    const bytes = file?.size ?? 0;
    all += bytes;
    done += bytes * (state === "sent" ? 1 : arrived * fraction);
  }
  const next = photos.findIndex(({ state }) => state !== "sent");
  const at = next < 0 ? photos.length - 1 : next;
  const percent = all > 0 ? Math.floor((100 * done) / all) : 100;
  return {
    /** every photo is there */
    there: next < 0,
    /** the photo that is being sent; the last one once all are there */
    photo: photos[at] ?? null,
    /** of all bytes, 0 to 100 */
    percent,
    text: fill(words.progress, { at: at + 1, count: photos.length, percent }),
    waiting: photos.find(({ waits }) => waits),
    /** those that take longer than they should */
    long: photos.filter(({ waits }) => waits?.long),
  };
}
